// What a log says about the agent's state, as a claim among others. Pure.
import type { Claim } from "@kolu/anyagent/believe.ts";
import type { Conversation } from "./fold.ts";

/**
 * @param log null: it is not there (yet)
 * @param startedAtMs of the agent's process, null when it is not known
 */
export function logClaim(log: Conversation | null, startedAtMs: number | null): Claim {
  const value = log === null ? "no file yet" : (log.newest ?? "nothing said yet");
  const claim: Claim = {
    source: "transcript",
    value: `newest: ${value}`,
    state: null,
    atMs: log?.newestAtMs ?? null,
  };
  if (log === null || log.turn === "none") return claim;
  if (isOfEarlierProcess(log, startedAtMs)) {
    // Resuming writes nothing, and a killed process leaves its last call open.
    return { ...claim, state: "waiting", atMs: startedAtMs, note: "written before this process started" };
  }
  if (log.turn === "over") return { ...claim, state: "waiting" };
  return { ...claim, state: log.openCalls.length > 0 ? "tool_use" : "thinking" };
}

export function isOfEarlierProcess({ newestAtMs }: Conversation, startedAtMs: number | null): boolean {
  // A start is never put too late, and no program of this family writes within a tenth of a second of it.
  return startedAtMs !== null && newestAtMs !== null && newestAtMs < startedAtMs;
}
