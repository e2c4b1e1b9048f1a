// Everything that the palette can offer before any text is searched, in sections. Pure.
import type { Recents } from "@kolu/contract/launch.ts";
import type { DockRow } from "../dock/dock-rows.ts";
import type { Action } from "../keys/actions.ts";
import type { Place, Run } from "../launch/draft.ts";
import { homeRelative } from "../launch/paths.ts";
import { brandOf } from "../marks/brand.ts";
import { type Matchable, ranked } from "./match.ts";

/** What the search is for; Tab goes through them in this order. */
export const SCOPES = ["all", "terminals", "text", "repos", "agents", "commands", "hosts"] as const;
export type Scope = (typeof SCOPES)[number];

export const SCOPE_NAMES: Record<Scope, string> = {
  all: "Everything",
  terminals: "Terminals",
  text: "Text",
  repos: "Repositories",
  agents: "Recent agents",
  commands: "Commands",
  hosts: "Hosts",
};

export type Entry = Matchable & { key: string } & (
    | { kind: "terminal"; row: DockRow }
    | { kind: "repo"; path: string; shown: string; note: string }
    | { kind: "agent"; agent: string; run: Run; where: string | null; note: string }
    | { kind: "command"; action: Action }
    | { kind: "host"; note: string }
  );

export interface Section {
  scope: Scope;
  heading: string;
  entries: Entry[];
}

export interface Known {
  rows: readonly DockRow[];
  actions: readonly Action[];
  places: readonly Place[];
  recents: Recents;
  home: string | null;
  host: string | null;
  /** Where the page was got from. */
  address: string;
}

/** While everything is offered at once, a section must not push the others out of sight. */
const SHOWN_OF_ALL: Partial<Record<Scope, number>> = { repos: 5, agents: 4 };

/** The sections that hold something for the query, the one with the best entry first. */
export function sectionsFor(known: Known, scope: Scope, query: string): Section[] {
  const sections = [
    section("terminals", known.rows.map(terminal)),
    section("repos", known.places.map(repo(known))),
    section("agents", known.recents.agents.map(agent(known))),
    section("commands", known.actions.filter(isOffered).map(command)),
    // This machine is no news to anybody who did not ask for it.
    ...(scope === "hosts" || query.trim() !== "" ? [section("hosts", [host(known)])] : []),
  ];
  return sections
    .filter((one) => scope === "all" || scope === one.scope)
    .map((one) => {
      const found = ranked(one.entries, query);
      const limit = scope === "all" ? (SHOWN_OF_ALL[one.scope] ?? Infinity) : Infinity;
      return {
        ...one,
        entries: found.slice(0, limit).map(({ entry }) => entry),
        best: found[0]?.score ?? -1,
      };
    })
    .filter(({ entries }) => entries.length > 0)
    .sort((a, b) => b.best - a.best)
    .map(({ best: _best, ...one }) => one);
}

function section(scope: Scope, entries: Entry[]): Section {
  return { scope, heading: SCOPE_NAMES[scope], entries };
}

function terminal(row: DockRow): Entry {
  const { record, name, doing, mark } = row;
  const { git, cwd, agent } = record;
  const words = [doing, git?.name, git?.branch, cwd, mark.words, agent && brandOf(agent.kind).displayName];
  return {
    kind: "terminal",
    key: record.id,
    title: name,
    words: words.filter((word) => typeof word === "string"),
    row,
  };
}

const repo =
  ({ home }: Known) =>
  ({ path, name, from }: Place): Entry => ({
    kind: "repo",
    key: `repo ${path}`,
    title: name,
    words: [path, "new terminal"],
    path,
    shown: homeRelative(path, home),
    note: from,
  });

const agent =
  ({ places }: Known) =>
  ({ command: line, kind, repoRoot }: Recents["agents"][number]): Entry => {
    const name = repoRoot && (places.find(({ path }) => path === repoRoot)?.name ?? repoRoot);
    return {
      kind: "agent",
      key: `agent ${repoRoot} ${line}`,
      title: line,
      words: [brandOf(kind).displayName, repoRoot ?? ""],
      agent: kind,
      run: { kind: "line", line },
      where: repoRoot,
      note: name ?? "",
    };
  };

/** Places of the dock are the terminals themselves, and the palette is open already. */
function isOffered({ id, isPossible }: Action): boolean {
  return !/^terminal\.place-|^page\.palette$/.test(id) && isPossible?.() !== false;
}

function command(action: Action): Entry {
  return { kind: "command", key: action.id, title: action.title, words: [action.group], action };
}

function host({ host: name, address, rows }: Known): Entry {
  const count = rows.length === 1 ? "1 terminal" : `${rows.length} terminals`;
  return {
    kind: "host",
    key: "host",
    title: name ?? "This machine",
    words: ["this machine", "host", address],
    note: `This machine, ${count}, ${address}`,
  };
}
