// Which terminal owns which session. Pure: all claims in, all bindings out. No session is ever shown by two terminals.

/** How sure an agent's adapter is that a session belongs to the terminal that it was found for. */
export type Evidence =
  /** The session names the terminal's own process (a pid with its start time, a tty, an open file). */
  | "exact"
  /** It began after this terminal's agent started, in the same directory. */
  | "created-after-start"
  /** It is of the same directory, and no more is known. */
  | "same-directory";

export interface SessionClaim {
  /** Identity of the session: the same for every terminal that could own it. */
  key: string;
  evidence: Evidence;
  /** Epoch milliseconds of its latest change, null when unknown. */
  updatedAtMs: number | null;
  /** How long after the start of this terminal's agent it began, for an agent that begins its session as it starts; absent
   * when it began later. Of several such terminals the session belongs to the one whose agent started last before it. */
  sinceStartMs?: number;
  /** The agent itself points to it: the command names it, or it was written to just as the agent said in band that a turn
   * began or ended, and no other was. Better than any guess by its beginning, and it holds until another is pointed to. */
  pointedTo?: boolean;
}

export interface TerminalClaims {
  terminalId: string;
  /** The session it was bound to before, kept while it is still offered. */
  heldKey: string | null;
  claims: readonly SessionClaim[];
}

const STRENGTH: Record<Evidence, number> = { exact: 0, "created-after-start": 1, "same-directory": 2 };

/**
 * Binds each terminal to at most one session and each session to at most one terminal. Exact evidence goes first and even
 * takes a session from a terminal that held it by a guess; then what the agent points to; then what is held
 * is kept, unless the held one is only of the same directory and a free one began after this terminal's agent did; then the
 * stronger evidence, then the most recent. A session that began as one terminal's agent started is no other terminal's by a
 * guess, held or not.
 */
export function arbitrate(terminals: readonly TerminalClaims[]): Map<string, string> {
  let bound = dealOnce(terminals);
  // A terminal that moves leaves a session behind which another may want: at most one move for each terminal.
  for (let round = 0; round < terminals.length; round += 1) {
    const next = dealOnce(terminals.map((one) => ({ ...one, heldKey: bound.get(one.terminalId) ?? null })));
    if (sameBindings(next, bound)) break;
    bound = next;
  }
  return bound;
}

function sameBindings(left: ReadonlyMap<string, string>, right: ReadonlyMap<string, string>): boolean {
  return left.size === right.size && [...left].every(([terminalId, key]) => right.get(terminalId) === key);
}

function dealOnce(terminals: readonly TerminalClaims[]): Map<string, string> {
  const bound = new Map<string, string>();
  const taken = new Set<string>();
  const bind = (terminalId: string, key: string) => {
    bound.set(terminalId, key);
    taken.add(key);
  };
  const free = (terminal: TerminalClaims) => !bound.has(terminal.terminalId);
  const firstCalls = firstCallsOf(terminals);
  const offeredTo = ({ terminalId, claims }: TerminalClaims) =>
    claims.filter(({ key }) => !taken.has(key) && (firstCalls.get(key) ?? terminalId) === terminalId);

  for (const terminal of inOrder(terminals)) {
    const exact = best(
      terminal.claims.filter((claim) => claim.evidence === "exact" && !taken.has(claim.key)),
    );
    if (exact !== null) bind(terminal.terminalId, exact.key);
  }
  for (const terminal of inOrder(terminals).filter(free)) {
    const latest = latestOf(offeredTo(terminal).filter((claim) => claim.pointedTo === true));
    if (latest !== null) bind(terminal.terminalId, latest.key);
  }
  for (const terminal of inOrder(terminals).filter(free)) {
    const held = offeredTo(terminal).find((claim) => claim.key === terminal.heldKey);
    if (held !== undefined && held.evidence !== "same-directory") bind(terminal.terminalId, held.key);
  }
  const heldElsewhere = new Set(
    terminals.filter(free).flatMap((terminal) => {
      const held = offeredTo(terminal).find((claim) => claim.key === terminal.heldKey);
      return held === undefined ? [] : [held.key];
    }),
  );
  for (const strength of ["created-after-start", "same-directory"] as const) {
    for (const terminal of inOrder(terminals).filter(free)) {
      const offered = offeredTo(terminal);
      const held = offered.find((claim) => claim.key === terminal.heldKey);
      const choice =
        strength === "same-directory" && held !== undefined
          ? held
          : best(
              offered.filter(
                (claim) => claim.evidence === strength && (claim === held || !heldElsewhere.has(claim.key)),
              ),
            );
      if (choice !== null) bind(terminal.terminalId, choice.key);
    }
  }
  return bound;
}

/** Which terminal has the first call on a session that began as an agent started. */
function firstCallsOf(terminals: readonly TerminalClaims[]): Map<string, string> {
  const nearest = new Map<string, { terminalId: string; sinceStartMs: number }>();
  for (const { terminalId, claims } of inOrder(terminals)) {
    for (const { key, sinceStartMs } of claims) {
      if (sinceStartMs === undefined) continue;
      const known = nearest.get(key);
      if (known === undefined || sinceStartMs < known.sinceStartMs)
        nearest.set(key, { terminalId, sinceStartMs });
    }
  }
  return new Map([...nearest].map(([key, { terminalId }]) => [key, terminalId]));
}

/** Stronger evidence, then the later change, then the key: a total order, so that no answer depends on who asked first. */
function best(claims: readonly SessionClaim[]): SessionClaim | null {
  return claims.reduce<SessionClaim | null>(
    (found, claim) => (found === null || before(claim, found) ? claim : found),
    null,
  );
}

/** A session stays pointed to after the agent has moved on: the one that was written later counts. */
function latestOf(claims: readonly SessionClaim[]): SessionClaim | null {
  return claims.reduce<SessionClaim | null>(
    (found, claim) => (found === null || (claim.updatedAtMs ?? 0) > (found.updatedAtMs ?? 0) ? claim : found),
    null,
  );
}

function before(left: SessionClaim, right: SessionClaim): boolean {
  const evidence = STRENGTH[left.evidence] - STRENGTH[right.evidence];
  if (evidence !== 0) return evidence < 0;
  const updated = (right.updatedAtMs ?? 0) - (left.updatedAtMs ?? 0);
  return updated !== 0 ? updated < 0 : left.key < right.key;
}

function inOrder(terminals: readonly TerminalClaims[]): TerminalClaims[] {
  return [...terminals].sort((left, right) => (left.terminalId < right.terminalId ? -1 : 1));
}
