// Where a new tile goes: the free place nearest to a tile (or a point), with nothing else moved. Pure.
import type { Layout } from "@kolu/contract/terminal.ts";
import { centreOf, GAP_PX, overlaps, type Point, snapDown, snapUp } from "./geometry.ts";

/** A screen is wider than high, so a step down counts as more than a step aside. */
const DOWN_WEIGHT = 1.6;
/** Between places equally far, right comes before left and below before above. */
const BACKWARD_PENALTY = 1.02;

/**
 * The place for a tile of `size`, on the grid, at least a gap away from every one of `taken`, nearest to `beside`.
 * The nearest free place always touches the edges of others or stands in line with `beside`, so only such places are
 * tried; the one right of everything is among them, so there is always an answer.
 */
export function placeTile(
  size: { w: number; h: number },
  beside: Layout | Point,
  taken: readonly Layout[],
): Layout {
  const from = "w" in beside ? centreOf(beside) : beside;
  const xs = edges(
    from.x - size.w / 2,
    taken.map((box) => ({ start: box.x, length: box.w })),
    size.w,
  );
  const ys = edges(
    from.y - size.h / 2,
    taken.map((box) => ({ start: box.y, length: box.h })),
    size.h,
  );
  const places = xs.flatMap((x) => ys.map((y) => ({ x, y, w: size.w, h: size.h })));
  const ranked = places.map((box) => ({ box, cost: costOf(box, from) })).sort((a, b) => a.cost - b.cost);
  const walls = taken.map((box) => ({
    x: box.x - GAP_PX,
    y: box.y - GAP_PX,
    w: box.w + 2 * GAP_PX,
    h: box.h + 2 * GAP_PX,
  }));
  const found = ranked.find(({ box }) => !walls.some((wall) => overlaps(wall, box)));
  if (!found) throw new Error("No free place on an infinite plane: the candidates are wrong.");
  return found.box;
}

function costOf(box: Layout, from: Point): number {
  const centre = centreOf(box);
  const dx = centre.x - from.x;
  const dy = (centre.y - from.y) * DOWN_WEIGHT;
  const backward = dx < 0 || dy < 0 ? BACKWARD_PENALTY : 1;
  return Math.hypot(dx, dy) * backward;
}

/** Starts along one axis worth trying: in line with `beside`, or with any tile, or a gap before or after one. */
function edges(beside: number, spans: { start: number; length: number }[], lengthPx: number): number[] {
  const starts = new Set([snapDown(beside), snapUp(beside)]);
  for (const { start, length } of spans) {
    starts.add(snapUp(start + length + GAP_PX));
    starts.add(snapDown(start - GAP_PX - lengthPx));
    starts.add(snapDown(start));
  }
  return [...starts];
}
