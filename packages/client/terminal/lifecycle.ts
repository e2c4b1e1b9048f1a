// How alive each terminal on the page is, by what a person can see. Pure.
//   focused     has the keyboard: its output is shown at once
//   visible     on the screen: live, with output gathered for a moment
//   painted     on the screen: painted by the worker (which of the visible ones: live-set.ts)
//   off-screen  no renderer and no stream; its screen is fetched when it comes back

import { overlaps } from "@kolu/contract/plane/geometry.ts";
import type { Layout } from "@kolu/contract/terminal.ts";

export type Tier = "focused" | "visible" | "painted" | "off-screen";

export interface LifecycleInput {
  /** Terminals that a tile shows now (a split behind another tab is not among them), with the box of their tile. */
  shown: readonly { id: string; box: Layout }[];
  /** The part of the plane on the screen. */
  view: Layout;
  zoom: number;
  /** Tiles are drawn as cards: no terminal of the plane is shown. */
  cards: boolean;
  focusedId: string | null;
  /** The one terminal that covers the plane. */
  maximisedId: string | null;
  /** False while the whole page is hidden. */
  pageVisible: boolean;
  nowMs: number;
}

export interface LifeEntry {
  tier: Tier;
  /** Since when nobody sees it, while it still lingers as visible. */
  unseenSinceMs: number | null;
}

export type Lives = ReadonlyMap<string, LifeEntry>;

/** Screen pixels around the view that count as seen, so that panning finds tiles painted. */
const MARGIN_PX = 200;
/** How long a terminal stays alive unseen: panning to and fro, or a look at the cards, must not re-attach everything. */
export const LINGER_MS = 2_000;
/** A hidden page keeps its terminals for a while: most hidden tabs come back soon. */
export const HIDDEN_LINGER_MS = 30_000;

/** The lives now, and when to decide again at the latest (null: nothing will change by time alone). */
export function decideLives(
  before: Lives,
  input: LifecycleInput,
): { lives: Lives; againAtMs: number | null } {
  const margin = MARGIN_PX / input.zoom;
  const seenArea = {
    x: input.view.x - margin,
    y: input.view.y - margin,
    w: input.view.w + 2 * margin,
    h: input.view.h + 2 * margin,
  };
  const lingerMs = input.pageVisible ? LINGER_MS : HIDDEN_LINGER_MS;
  const lives = new Map<string, LifeEntry>();
  let againAtMs: number | null = null;
  for (const { id, box } of input.shown) {
    if (input.pageVisible && isSeen(id, box, seenArea, input)) {
      lives.set(id, { tier: id === input.focusedId ? "focused" : "visible", unseenSinceMs: null });
      continue;
    }
    const previous = before.get(id);
    const unseenSinceMs = previous?.unseenSinceMs ?? input.nowMs;
    const endsAtMs = unseenSinceMs + lingerMs;
    if (!previous || previous.tier === "off-screen" || endsAtMs <= input.nowMs) {
      lives.set(id, { tier: "off-screen", unseenSinceMs: null });
      continue;
    }
    lives.set(id, { tier: "visible", unseenSinceMs });
    againAtMs = Math.min(againAtMs ?? Infinity, endsAtMs);
  }
  return { lives, againAtMs };
}

/** Below this many terminals at once the page keeps up with a quick pace. */
const FEW_TERMINALS = 8;
const GATHER_FEW_MS = 100;
const GATHER_MANY_MS = 250;

/**
 * How long a terminal's output gathers before it is drawn. The one with the keyboard shows it at once; of the others the
 * eye does not miss a tenth of a second, and the processor gains a lot.
 */
export function gatherMsOf(tier: Tier, aliveCount: number): number {
  if (tier === "focused") return 0;
  return aliveCount <= FEW_TERMINALS ? GATHER_FEW_MS : GATHER_MANY_MS;
}

function isSeen(id: string, box: Layout, seenArea: Layout, input: LifecycleInput): boolean {
  if (input.maximisedId !== null) return id === input.maximisedId;
  return !input.cards && overlaps(box, seenArea);
}
