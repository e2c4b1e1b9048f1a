// Where a new tile goes: a free place near a tile or a point, with nothing else moved. Pure.
import type { Layout } from "../terminal.ts";
import { boundsOf, centreOf, GAP_PX, overlaps, type Point, snapDown, snapUp } from "./geometry.ts";

/** A screen is wider than high, so a step down counts as more than a step aside. */
const DOWN_WEIGHT = 1.6;
/** Between places equally far, right comes before left and below before above. */
const BACKWARD_PENALTY = 1.02;
/** How much the middle of everything draws: enough that tiles made one after another become a block and no long row. */
const MIDDLE_WEIGHT = 0.75;
/** What standing out of line costs, as way: with one edge in line with another tile, and with none. */
const HALF_ALIGNED_PX = 60;
const UNALIGNED_PX = 600;

/**
 * The place for a tile of `size`, on the grid and at least a gap away from every one of `taken`. Beside a tile: near it,
 * not far from the middle of all, in line with others where that costs little. At a point: as near to it as there is room.
 * The best place always touches the edges of others or stands in line with `beside`, so only such places are tried; the
 * one right of everything is among them, so there is always an answer.
 */
export function placeTile(
  size: { w: number; h: number },
  beside: Layout | Point,
  taken: readonly Layout[],
): Layout {
  const cost = "w" in beside ? costBeside(beside, taken) : (box: Layout) => way(box, beside);
  const from = "w" in beside ? centreOf(beside) : beside;
  const xs = starts(
    from.x - size.w / 2,
    taken.map((box) => ({ start: box.x, length: box.w })),
    size.w,
  );
  const ys = starts(
    from.y - size.h / 2,
    taken.map((box) => ({ start: box.y, length: box.h })),
    size.h,
  );
  const places = xs.flatMap((x) => ys.map((y) => ({ x, y, w: size.w, h: size.h })));
  const ranked = places.map((box) => ({ box, cost: cost(box) })).sort((a, b) => a.cost - b.cost);
  const walls = taken.map(withGap);
  const found = ranked.find(({ box }) => !walls.some((wall) => overlaps(wall, box)));
  if (!found) throw new Error("No free place on an infinite plane: the candidates are wrong.");
  return found.box;
}

function withGap(box: Layout): Layout {
  return { x: box.x - GAP_PX, y: box.y - GAP_PX, w: box.w + 2 * GAP_PX, h: box.h + 2 * GAP_PX };
}

function costBeside(beside: Layout, taken: readonly Layout[]): (box: Layout) => number {
  const bounds = boundsOf(taken) ?? beside;
  const middle = centreOf(bounds);
  const from = centreOf(beside);
  const xs = new Set(taken.map((box) => box.x));
  const ys = new Set(taken.map((box) => box.y));
  const outOfLine = [UNALIGNED_PX, HALF_ALIGNED_PX, 0] as const;
  return (box) => {
    const aligned = Number(xs.has(box.x)) + Number(ys.has(box.y));
    return way(box, from) + MIDDLE_WEIGHT * way(box, middle) + outOfLine[aligned]!;
  };
}

/** How far a box is from a point, as a person looks over a screen. */
function way(box: Layout, from: Point): number {
  const centre = centreOf(box);
  const dx = centre.x - from.x;
  const dy = (centre.y - from.y) * DOWN_WEIGHT;
  const backward = dx < 0 || dy < 0 ? BACKWARD_PENALTY : 1;
  return Math.hypot(dx, dy) * backward;
}

/** Starts along one axis worth trying: in line with `wanted`, or with any tile, or a gap before or after one. */
function starts(wanted: number, spans: { start: number; length: number }[], lengthPx: number): number[] {
  const found = new Set([snapDown(wanted), snapUp(wanted)]);
  for (const { start, length } of spans) {
    found.add(snapUp(start + length + GAP_PX));
    found.add(snapDown(start - GAP_PX - lengthPx));
    found.add(snapDown(start));
  }
  return [...found];
}
