// From several claims about an agent's state to one state: the order of belief, and what became of every claim. Pure.
import { type AgentState, bucketOf, type ExplainedSignal, type SignalSource } from "@kolu/contract/agent.ts";

/** What one source says. */
export interface Claim {
  source: SignalSource;
  /** In the source's own words. */
  value: string;
  /** Null: it says nothing about the state. */
  state: AgentState | null;
  /** It knows the bucket but not which state of it: "working" may be thinking, a tool or background work. */
  coarse?: boolean;
  /** Why it does not count although it speaks, in words for a person. */
  ignoredBecause?: string;
  /** What it says the agent waits for, when its state is awaiting. */
  awaiting?: { kind: string; message: string | null };
  atMs: number | null;
  note?: string;
}

export interface Belief {
  state: AgentState;
  source: SignalSource;
  awaiting: { kind: string; message: string | null } | null;
  /** When the deciding claim was made. */
  atMs: number | null;
  signals: ExplainedSignal[];
}

/**
 * The first claim in the given order that speaks decides the bucket. A coarse one leaves the state within the bucket to
 * the next claim of the same bucket; what an awaiting agent waits for may likewise be told by a later one.
 * @param claims most believed first
 * @returns null when no claim speaks
 */
export function believe(claims: readonly Claim[]): Belief | null {
  const winner = claims.find((claim) => speaks(claim));
  const signals = claims.map((claim) => explained(claim, winner));
  if (winner === undefined) return null;
  const bucket = bucketOf(winner.state!);
  const agreeing = claims.filter((claim) => speaks(claim) && bucketOf(claim.state!) === bucket);
  const finer = winner.coarse ? agreeing.find((claim) => !claim.coarse) : undefined;
  return {
    state: (finer ?? winner).state!,
    source: winner.source,
    awaiting: winner.state === "awaiting" ? awaitedBy(agreeing) : null,
    atMs: winner.atMs,
    signals,
  };
}

function speaks(claim: Claim): boolean {
  return claim.state !== null && claim.ignoredBecause === undefined;
}

/** The most believed kind and the most believed message. "permission" is what agents call any gate, so a later claim that
 * knows better (a plan, a question) replaces it. */
function awaitedBy(agreeing: readonly Claim[]): { kind: string; message: string | null } {
  const told = agreeing.flatMap((claim) => (claim.awaiting === undefined ? [] : [claim.awaiting]));
  const kind = told.find((one) => one.kind !== "permission" && one.kind !== "dialog") ?? told[0];
  const message = told.find((one) => one.message !== null)?.message ?? null;
  return { kind: kind?.kind ?? "question", message };
}

function explained(claim: Claim, winner: Claim | undefined): ExplainedSignal {
  return {
    source: claim.source,
    value: claim.value,
    state: claim.state,
    atMs: claim.atMs,
    verdict: verdictOf(claim, winner),
    note: claim.ignoredBecause ?? claim.note ?? null,
  };
}

function verdictOf(claim: Claim, winner: Claim | undefined): ExplainedSignal["verdict"] {
  if (claim === winner) return "won";
  if (claim.ignoredBecause !== undefined) return "ignored";
  if (claim.state === null || winner === undefined) return "silent";
  return bucketOf(claim.state) === bucketOf(winner.state!) ? "agreed" : "disagreed";
}
