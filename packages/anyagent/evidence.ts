// How sure a session of the same directory is this terminal's, when nothing names its process. Pure.
import type { Evidence } from "./arbiter.ts";
import type { ProcessEntry } from "./process-tree.ts";

/** Process starts are known within a second (/proc) and agents stamp what they make a little before it reaches the disk. */
const START_SLACK_MS = 1_000;

/**
 * @param createdAtMs when the session began, by its own record; null when it does not tell
 * @param agent the agent's process, or whichever of its tree started first; null when it is not known
 */
export function evidenceByStart(createdAtMs: number | null, agent: ProcessEntry | null): Evidence {
  const startedAtMs = agent?.startedAtMs ?? null;
  if (createdAtMs === null || startedAtMs === null) return "same-directory";
  return createdAtMs >= startedAtMs - START_SLACK_MS ? "created-after-start" : "same-directory";
}
