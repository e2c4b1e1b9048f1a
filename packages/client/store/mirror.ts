// The page's copy of padi's records: frames in, maps out, with this page's own layout changes laid over what padi last
// said until padi says the same. Pure.
import { applyFrame, type LiveViewFrame } from "@kolu/contract/live-view.ts";
import type { Layout, TerminalRecord } from "@kolu/contract/terminal.ts";

export type Records = ReadonlyMap<string, TerminalRecord>;

export interface PendingLayout {
  layout: Layout;
  /** False until padi has answered: then the next word about this terminal is newer than our change. */
  answered: boolean;
  /** Tells the answer to an older change from that to a newer one. */
  change: number;
}

export interface Mirror {
  /** Where to go on after a reconnect; null before the first snapshot. */
  since: { boot: string; revision: number } | null;
  told: Records;
  pending: ReadonlyMap<string, PendingLayout>;
  /** What the page shows. */
  records: Records;
}

export const EMPTY_MIRROR: Mirror = {
  since: null,
  told: new Map(),
  pending: new Map(),
  records: new Map(),
};

/** Takes one frame of the live view in. A delta that is not newer than what is known changes nothing. */
export function takeFrame(mirror: Mirror, frame: LiveViewFrame<TerminalRecord>): Mirror {
  if (frame.kind === "delta" && (mirror.since === null || frame.revision <= mirror.since.revision))
    return mirror;
  const told = applyFrame(mirror.told, frame);
  const boot = frame.kind === "snapshot" ? frame.boot : mirror.since!.boot;
  const spoken = frame.kind === "snapshot" ? told : new Map(frame.upserts.map((row) => [row.id, row]));
  const pending = new Map(mirror.pending);
  for (const [id, change] of pending) {
    if (!told.has(id as TerminalRecord["id"])) pending.delete(id);
    else if (change.answered && spoken.has(id as TerminalRecord["id"])) pending.delete(id);
  }
  return overlay({ since: { boot, revision: frame.revision }, told, pending });
}

/** Shows layouts at once, before padi knows of them. */
export function changeLayouts(
  mirror: Mirror,
  layouts: readonly { id: string; layout: Layout }[],
  change: number,
): Mirror {
  const pending = new Map(mirror.pending);
  for (const { id, layout } of layouts) pending.set(id, { layout, answered: false, change });
  return overlay({ ...mirror, pending });
}

/** padi has answered `change`: taken over, or refused (then what padi says holds again). */
export function settleLayouts(mirror: Mirror, change: number, outcome: "taken" | "refused"): Mirror {
  const pending = new Map(mirror.pending);
  for (const [id, entry] of pending) {
    if (entry.change !== change) continue;
    const told = mirror.told.get(id as TerminalRecord["id"])?.layout ?? null;
    if (outcome === "refused" || sameLayout(told, entry.layout)) pending.delete(id);
    else pending.set(id, { ...entry, answered: true });
  }
  return overlay({ ...mirror, pending });
}

/** Changes that padi has not answered: sent again on a new connection. */
export function unansweredLayouts(mirror: Mirror): { id: string; layout: Layout; change: number }[] {
  return [...mirror.pending]
    .filter(([, entry]) => !entry.answered)
    .map(([id, { layout, change }]) => ({ id, layout, change }));
}

function overlay(mirror: Omit<Mirror, "records">): Mirror {
  if (mirror.pending.size === 0) return { ...mirror, records: mirror.told };
  const records = new Map(mirror.told);
  for (const [id, { layout }] of mirror.pending) {
    const record = records.get(id);
    if (record && !sameLayout(record.layout, layout)) records.set(id, { ...record, layout });
  }
  return { ...mirror, records };
}

function sameLayout(a: Layout | null, b: Layout): boolean {
  return a !== null && a.x === b.x && a.y === b.y && a.w === b.w && a.h === b.h;
}
