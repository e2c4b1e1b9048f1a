// A live view: one snapshot, then ordered deltas with a revision. Pure state on both sides.
import { z } from "zod";

/** The frames of a live view whose rows are keyed by `id`. */
export function liveViewItem<R extends z.ZodType>(row: R) {
  return z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("snapshot"), boot: z.string(), revision: z.int(), rows: z.array(row) }),
    z.object({
      kind: z.literal("delta"),
      revision: z.int(),
      upserts: z.array(row),
      removals: z.array(z.string()),
    }),
  ]);
}

/** Where a reconnecting client stands; deltas follow when they are still known, else a snapshot. */
export const LiveViewSince = z.object({ boot: z.string(), revision: z.int() }).optional();

export type LiveViewFrame<R> =
  | { kind: "snapshot"; boot: string; revision: number; rows: R[] }
  | { kind: "delta"; revision: number; upserts: R[]; removals: string[] };

/** Applies one frame to a client's mirror; returns a new map, the same one when the frame is stale. */
export function applyFrame<R extends { id: string }>(
  rows: ReadonlyMap<string, R>,
  frame: LiveViewFrame<R>,
): ReadonlyMap<string, R> {
  if (frame.kind === "snapshot") return new Map(frame.rows.map((row) => [row.id, row]));
  const next = new Map(rows);
  for (const id of frame.removals) next.delete(id);
  for (const row of frame.upserts) next.set(row.id, row);
  return next;
}
