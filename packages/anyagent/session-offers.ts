// What the latest search for one terminal's session offered, and the watch for a reason to search again. What it means that an
// agent moves to another session while its process lives is here and nowhere else.
import type { AgentPlugin, Candidate, MoveSign, SessionsFound } from "./plugin.ts";
import type { FileWatch } from "./watch.ts";

/** A terminal's session, as it was last offered. */
export interface Bound {
  plugin: AgentPlugin;
  candidate: Candidate;
}

/** Found for certain, and its process goes nowhere else: no search can tell more. */
export function isFinal({ plugin, candidate }: Bound): boolean {
  return candidate.evidence === "exact" && plugin.moveSigns === undefined;
}

export function movesBy(bound: Bound | null, sign: MoveSign): boolean {
  return bound?.plugin.moveSigns?.includes(sign) === true;
}

export class SessionOffers {
  readonly #files: FileWatch;
  readonly #onChange: () => void;
  #candidates: readonly Candidate[] = [];
  #missing: readonly string[] = [];
  #unwatchers: (() => void)[] = [];

  /** @param onChange what was watched for has changed: search again */
  constructor(files: FileWatch, onChange: () => void) {
    this.#files = files;
    this.#onChange = onChange;
  }

  get missing(): readonly string[] {
    return this.#missing;
  }

  find(key: string | null): Candidate | undefined {
    return this.#candidates.find((one) => one.key === key);
  }

  /** An agent that moves is where its latest search says, as surely as that says; nothing offered leaves it where it was. */
  take({ candidates, missing }: SessionsFound, bound: Bound | null): void {
    this.#candidates = candidates;
    this.#missing = missing;
    if (bound?.plugin.moveSigns !== undefined)
      bound.candidate = this.find(bound.candidate.key) ?? bound.candidate;
  }

  /** What a terminal may be bound to. Where an agent stays, what it is bound to is among that whatever a search offered. */
  claims(bound: Bound | null): readonly Candidate[] {
    if (bound === null || (bound.plugin.moveSigns !== undefined && this.#candidates.length > 0))
      return this.#candidates;
    return [bound.candidate, ...this.#candidates.filter((one) => one.key !== bound.candidate.key)];
  }

  /** Watches what the search asked for, as long as a change of it could tell more. */
  watch({ watchPaths }: Pick<SessionsFound, "watchPaths">, bound: Bound | null): void {
    const isSure = bound?.candidate.evidence === "exact" && !movesBy(bound, "files");
    const stops = this.#unwatchers;
    // The new ones first, so that a directory that stays is not closed and opened again.
    this.#unwatchers = isSure ? [] : watchPaths.map((path) => this.#files.watch(path, this.#onChange));
    for (const stop of stops) stop();
  }

  forget(): void {
    this.#candidates = [];
    this.#missing = [];
    this.watch({ watchPaths: [] }, null);
  }
}
