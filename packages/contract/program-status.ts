// OSC 7501, the Program Status Protocol (revision 0.4, autumn 2026): what a program says about itself in band.
// Schemas and the roll-up only; the parser of the bytes is kaval's tap.
import { z } from "zod";

export const ProgramState = z.enum(["idle", "working", "blocked", "done", "error"]);
export type ProgramState = z.infer<typeof ProgramState>;

export const ProgramRecord = z.object({
  /** A path such as "deploy/us-east"; "" is the root record. */
  id: z.string(),
  app: z.string().nullable(),
  state: ProgramState,
  /** With blocked: permission, question, auth. Other words pass through. */
  kind: z.string().nullable(),
  /** 0..100; null is indeterminate. */
  progress: z.number().min(0).max(100).nullable(),
  message: z.string().nullable(),
  title: z.string().nullable(),
  updatedAtMs: z.number(),
});
export type ProgramRecord = z.infer<typeof ProgramRecord>;

const ROLL_UP_ORDER: ProgramState[] = ["blocked", "error", "working", "done", "idle"];

/** The one record that speaks for all: the most urgent state, the most recently updated among equals. */
export function rollUp(records: readonly ProgramRecord[]): ProgramRecord | null {
  let best: ProgramRecord | null = null;
  for (const record of records) {
    if (best === null) {
      best = record;
      continue;
    }
    const rank = ROLL_UP_ORDER.indexOf(record.state) - ROLL_UP_ORDER.indexOf(best.state);
    if (rank < 0 || (rank === 0 && record.updatedAtMs > best.updatedAtMs)) best = record;
  }
  return best;
}
