// Which repository each terminal is in, and its facts whenever they change. Terminals of one worktree share one watch.
import { isDeepStrictEqual } from "node:util";
import type { GitFacts } from "@kolu/contract/terminal.ts";
import { WATCHED_DIRECTORIES_MAX, type WatchBudget } from "./directories.ts";
import {
  type GitReading,
  hasNearerRepository,
  type Location,
  locateRepository,
  type Places,
} from "./facts.ts";
import { createPace, type Pace } from "./pace.ts";
import { type RepositoryWatch, watchRepository } from "./repository-watch.ts";
import { GitFault } from "./run.ts";

export interface GitWatch {
  /** This terminal is in `cwd` from now on: its facts follow soon, and again at each change. */
  track(id: string, cwd: string): void;
  untrack(id: string): void;
  /** A command ended there, or output came to rest: its files, or its repository as such, may have changed. */
  poke(id: string): void;
  /** Calls after each look at the worktree with this root, whether its facts are others or not; returns how to stop. */
  onLook(root: string, looked: () => void): () => void;
  dispose(): void;
}

export interface GitWatchOptions {
  /** At least once after each `track`, unless git cannot tell; null says that there is no repository. */
  onFacts(id: string, facts: GitFacts | null): void;
  /** git cannot tell, with the cause. Said once, until it can tell again; the last facts stay. */
  onFault(error: Error): void;
}

interface Member {
  id: string;
  cwd: string;
  /** Looks up which repository `cwd` is in. */
  place: Pace;
  shared: Shared | null;
}

interface Shared {
  places: Places;
  members: Set<Member>;
  facts: GitFacts | null;
  watch: RepositoryWatch;
}

/** git processes of all looks at once: more would only compete with the terminals themselves. */
const LOOKS_AT_ONCE = 3;

export function createGitWatch({ onFacts, onFault }: GitWatchOptions): GitWatch {
  const members = new Map<string, Member>();
  const shares = new Map<string, Shared>();
  const budget: WatchBudget = { left: WATCHED_DIRECTORIES_MAX };
  const inTurn = turns(LOOKS_AT_ONCE);
  const locating = new Map<string, Promise<Location>>();
  const disposed = new AbortController();
  const faults = new Set<string>();
  const listeners = new Map<string, Set<() => void>>();

  function onLook(root: string, looked: () => void): () => void {
    const heard = listeners.get(root) ?? new Set();
    listeners.set(root, heard.add(looked));
    return () => {
      heard.delete(looked);
      if (heard.size === 0 && listeners.get(root) === heard) listeners.delete(root);
    };
  }

  function track(id: string, cwd: string): void {
    if (members.get(id)?.cwd === cwd) {
      poke(id);
      return;
    }
    untrack(id);
    const member: Member = { id, cwd, shared: null, place: createPace(() => settle(member)) };
    members.set(id, member);
    member.place.ask("soon");
  }

  function untrack(id: string): void {
    const member = members.get(id);
    if (member === undefined) return;
    members.delete(id);
    member.place.stop();
    leave(member);
  }

  function poke(id: string): void {
    const member = members.get(id);
    if (member === undefined) return;
    member.shared?.watch.poke();
    member.place.ask("later");
  }

  /** Finds the member's repository, where that may have changed. Never rejects. */
  async function settle(member: Member): Promise<void> {
    const root = member.shared?.places.root;
    if (root !== undefined && !(await hasNearerRepository(member.cwd, root))) return;
    try {
      const location = await locate(member.cwd);
      if (members.get(member.id) === member) place(member, location);
    } catch (cause) {
      if (cause instanceof GitFault && cause.reason === "aborted") return;
      onFault(new Error(`the repository of ${member.cwd} could not be looked for`, { cause }));
    }
  }

  function place(member: Member, location: Location): void {
    if (location.kind === "unreadable") {
      sayUnreadable(location.path, location.cause);
      // What was known stands; whoever never heard anything is told that there is nothing to know.
      if (member.shared === null) onFacts(member.id, null);
      return;
    }
    faults.delete(member.cwd);
    if (location.kind === "none") {
      leave(member);
      onFacts(member.id, null);
    } else if (location.places.root !== member.shared?.places.root) {
      leave(member);
      join(member, location.places);
    }
  }

  /** Twenty terminals that open in one directory ask once. */
  function locate(cwd: string): Promise<Location> {
    const running = locating.get(cwd);
    if (running !== undefined) return running;
    const started = inTurn(() => locateRepository(cwd, disposed.signal)).finally(() => locating.delete(cwd));
    locating.set(cwd, started);
    return started;
  }

  function join(member: Member, places: Places): void {
    const known = shares.get(places.root);
    const shared = known ?? share(places);
    shared.members.add(member);
    member.shared = shared;
    if (shared.facts !== null) {
      onFacts(member.id, shared.facts);
      shared.watch.poke();
    }
  }

  function share(places: Places): Shared {
    const shared: Shared = {
      places,
      members: new Set(),
      facts: null,
      watch: watchRepository({
        places,
        budget,
        inTurn,
        onReading: (reading) => accept(shared, reading),
        onFault,
      }),
    };
    shares.set(places.root, shared);
    return shared;
  }

  function leave(member: Member): void {
    const { shared } = member;
    member.shared = null;
    if (shared === null) return;
    shared.members.delete(member);
    if (shared.members.size === 0) close(shared);
  }

  function close(shared: Shared): void {
    if (shares.get(shared.places.root) === shared) shares.delete(shared.places.root);
    shared.watch.close();
  }

  function accept(shared: Shared, reading: GitReading): void {
    if (reading.kind === "unreadable") {
      sayUnreadable(reading.path, reading.cause);
      if (shared.facts === null) for (const member of shared.members) onFacts(member.id, null);
      return;
    }
    faults.delete(shared.places.root);
    if (reading.kind === "none") disband(shared);
    else if (!isDeepStrictEqual(shared.facts, reading.facts)) {
      shared.facts = reading.facts;
      for (const member of [...shared.members]) onFacts(member.id, reading.facts);
    }
    for (const looked of listeners.get(shared.places.root) ?? []) looked();
  }

  /** The repository is gone: its terminals are in another one above it, or in none. */
  function disband(shared: Shared): void {
    const left = [...shared.members];
    close(shared);
    for (const member of left) {
      member.shared = null;
      member.place.ask("soon");
    }
  }

  function sayUnreadable(path: string, cause: Error): void {
    if (faults.has(path)) return;
    faults.add(path);
    onFault(cause);
  }

  return {
    track,
    untrack,
    poke,
    onLook,
    dispose: () => {
      disposed.abort();
      for (const id of [...members.keys()]) untrack(id);
    },
  };
}

/** Lets at most `atOnce` looks run; the others wait in order. */
function turns(atOnce: number): <T>(look: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (look) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await look();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
