// Lines, blocks and braille as masks of exactly one cell, drawn to its very edges, so that neighbours join without a gap.
// Pure. Fonts leave seams between such characters.
import { BOX_ARMS, type BoxArms, type BoxWeight, BRAILLE_DOTS } from "@kolu/contract/box-drawing.ts";
import type { Mask } from "./pixels.ts";

export interface CellSize {
  widthPx: number;
  heightPx: number;
}

/** A point of a cell, both from 0 to 1, right and down. */
type Inside = (x: number, y: number) => boolean;

/** Samples along each side of a pixel where an edge may run aslant. */
const SAMPLES = 4;

/** Null for a character that is no such shape. */
export function shapeOf(codePoint: number, size: CellSize): Mask | null {
  const arms = BOX_ARMS.get(codePoint);
  if (arms) return junction(arms, size);
  const dashed = dashes(codePoint, size);
  if (dashed) return dashed;
  const block = blocks(codePoint, size);
  if (block) return block;
  const inside = aslant(codePoint, size);
  return inside && sampled(inside, size);
}

class Canvas {
  readonly mask: Mask;
  constructor({ widthPx, heightPx }: CellSize) {
    const coverage = new Uint8Array(widthPx * heightPx);
    this.mask = { widthPx, heightPx, leftPx: 0, topPx: 0, coverage, rgba: null };
  }
  /** Whole pixels, right and bottom not included. */
  fill(left: number, top: number, right: number, bottom: number, alpha = 255): this {
    const { widthPx, heightPx, coverage } = this.mask;
    for (let y = Math.max(0, top); y < Math.min(heightPx, bottom); y++)
      for (let x = Math.max(0, left); x < Math.min(widthPx, right); x++) coverage[y * widthPx + x] = alpha;
    return this;
  }
}

function lightPx({ widthPx }: CellSize): number {
  return Math.max(1, Math.round(widthPx / 8));
}

/** The lines of one direction as pixels across it: a double line is two. */
function strokes(weight: BoxWeight, acrossPx: number, size: CellSize): [from: number, to: number][] {
  const light = lightPx(size);
  const at = (thick: number): [number, number] => {
    const from = Math.floor((acrossPx - thick) / 2);
    return [from, from + thick];
  };
  switch (weight) {
    case 0:
      return [];
    case 1:
      return [at(light)];
    case 2:
      return [at(2 * light)];
    case 3: {
      const [from, to] = at(3 * light);
      return [
        [from, from + light],
        [to - light, to],
      ];
    }
    default:
      return weight satisfies never;
  }
}

interface Arm {
  own: BoxWeight;
  opposite: BoxWeight;
  /** The two that cross it. */
  across: readonly [BoxWeight, BoxWeight];
  isUpright: boolean;
  /** It comes from the top or the left. */
  fromStart: boolean;
}

function junction([up, right, down, left]: BoxArms, size: CellSize): Mask {
  const canvas = new Canvas(size);
  const upright = { across: [left, right], isUpright: true } as const;
  const level = { across: [up, down], isUpright: false } as const;
  drawArm(canvas, { ...upright, own: up, opposite: down, fromStart: true }, size);
  drawArm(canvas, { ...upright, own: down, opposite: up, fromStart: false }, size);
  drawArm(canvas, { ...level, own: left, opposite: right, fromStart: true }, size);
  drawArm(canvas, { ...level, own: right, opposite: left, fromStart: false }, size);
  return openDouble(canvas.mask, { up, right, down, left }, size);
}

/** Each arm runs from its edge over what crosses it, so that corners are closed; at a double line it ends at the first. */
function drawArm(canvas: Canvas, { own, opposite, across, isUpright, fromStart }: Arm, size: CellSize): void {
  const lengthPx = isUpright ? size.heightPx : size.widthPx;
  const crossing = across.flatMap((weight) => strokes(weight, lengthPx, size));
  const middle = Math.floor(lengthPx / 2);
  const stops = own !== 3 && opposite === 0 && across[0] === 3 && across[1] === 3;
  const ends = crossing.map(([from, to]) => (fromStart ? to : from));
  const farthest = fromStart === stops ? Math.min(...ends) : Math.max(...ends);
  const end = crossing.length === 0 ? middle : farthest;
  for (const [from, to] of strokes(own, isUpright ? size.widthPx : size.heightPx, size)) {
    const [start, stop] = fromStart ? [0, end] : [end, lengthPx];
    if (isUpright) canvas.fill(from, start, to, stop);
    else canvas.fill(start, from, stop, to);
  }
}

/** Takes the lines out of the inside of a double line where a double arm leads on. */
function openDouble(
  mask: Mask,
  { up, right, down, left }: { up: BoxWeight; right: BoxWeight; down: BoxWeight; left: BoxWeight },
  size: CellSize,
): Mask {
  const { widthPx, heightPx } = size;
  const upright = up === 3 || down === 3 ? strokes(3, widthPx, size) : null;
  const level = left === 3 || right === 3 ? strokes(3, heightPx, size) : null;
  const clear = (x0: number, y0: number, x1: number, y1: number): void => {
    for (let y = Math.max(0, y0); y < Math.min(heightPx, y1); y++)
      for (let x = Math.max(0, x0); x < Math.min(widthPx, x1); x++) mask.coverage[y * widthPx + x] = 0;
  };
  if (upright && level) {
    const [x0, x1] = [upright[0]![1], upright[1]![0]];
    const [y0, y1] = [level[0]![1], level[1]![0]];
    clear(x0, y0, x1, y1);
    if (up === 3) clear(x0, 0, x1, y1);
    if (down === 3) clear(x0, y0, x1, heightPx);
    if (left === 3) clear(0, y0, x1, y1);
    if (right === 3) clear(x0, y0, widthPx, y1);
  }
  return mask;
}

/** U+2504 to U+250B and U+254C to U+254F: threes, fours and twos, light and heavy, level and upright in turn. */
function dashes(codePoint: number, size: CellSize): Mask | null {
  const isThreeOrFour = codePoint >= 0x2504 && codePoint <= 0x250b;
  if (!isThreeOrFour && !(codePoint >= 0x254c && codePoint <= 0x254f)) return null;
  const step = isThreeOrFour ? codePoint - 0x2504 : codePoint - 0x254c;
  const count = isThreeOrFour ? (step < 4 ? 3 : 4) : 2;
  const weight: BoxWeight = step % 2 === 0 ? 1 : 2;
  const isUpright = step % 4 >= 2;
  const lengthPx = isUpright ? size.heightPx : size.widthPx;
  const [[from, to]] = strokes(weight, isUpright ? size.widthPx : size.heightPx, size) as [[number, number]];
  const canvas = new Canvas(size);
  for (let dash = 0; dash < count; dash++) {
    const start = Math.round((dash * lengthPx) / count);
    const end = Math.max(start + 1, Math.round(((dash + 0.65) * lengthPx) / count));
    if (isUpright) canvas.fill(from, start, to, end);
    else canvas.fill(start, from, end, to);
  }
  return canvas.mask;
}

/** U+2596 to U+259F by bits: 1 upper left, 2 upper right, 4 lower left, 8 lower right. */
const QUADRANTS = [4, 8, 1, 13, 9, 7, 11, 2, 6, 14];

function blocks(codePoint: number, size: CellSize): Mask | null {
  const { widthPx: w, heightPx: h } = size;
  const x = (eighths: number): number => Math.round((eighths * w) / 8);
  const y = (eighths: number): number => Math.round((eighths * h) / 8);
  const canvas = new Canvas(size);
  if (codePoint === 0x2580) return canvas.fill(0, 0, w, y(4)).mask;
  if (codePoint >= 0x2581 && codePoint <= 0x2588) return canvas.fill(0, y(0x2588 - codePoint), w, h).mask;
  if (codePoint >= 0x2589 && codePoint <= 0x258f) return canvas.fill(0, 0, x(0x2590 - codePoint), h).mask;
  if (codePoint === 0x2590) return canvas.fill(x(4), 0, w, h).mask;
  // Shades as even tints: a raster of dots would beat against the pixels.
  if (codePoint >= 0x2591 && codePoint <= 0x2593)
    return canvas.fill(0, 0, w, h, (codePoint - 0x2590) * 64).mask;
  if (codePoint === 0x2594) return canvas.fill(0, 0, w, y(1)).mask;
  if (codePoint === 0x2595) return canvas.fill(x(7), 0, w, h).mask;
  const quadrants = QUADRANTS[codePoint - 0x2596];
  if (quadrants === undefined) return null;
  if (quadrants & 1) canvas.fill(0, 0, x(4), y(4));
  if (quadrants & 2) canvas.fill(x(4), 0, w, y(4));
  if (quadrants & 4) canvas.fill(0, y(4), x(4), h);
  if (quadrants & 8) canvas.fill(x(4), y(4), w, h);
  return canvas.mask;
}

/** Shapes whose edges are no whole pixels: arcs, diagonals, dots, and the marks that agents draw their transcripts with. */
function aslant(codePoint: number, size: CellSize): Inside | null {
  const { widthPx, heightPx } = size;
  const light = lightPx(size);
  if (codePoint >= 0x256d && codePoint <= 0x2570) return arc(codePoint, size);
  const near = (cx: number, cy: number, radiusPx: number): Inside => {
    return (x, y) => ((x - cx) * widthPx) ** 2 + ((y - cy) * heightPx) ** 2 <= radiusPx ** 2;
  };
  const slope = (rising: boolean): Inside => {
    return (x, y) => {
      const offPx = Math.abs((rising ? 1 - x : x) - y) * heightPx * widthPx;
      return offPx / Math.hypot(widthPx, heightPx) <= light * 0.6;
    };
  };
  if (codePoint === 0x2571) return slope(true);
  if (codePoint === 0x2572) return slope(false);
  if (codePoint === 0x2573) return (x, y) => slope(true)(x, y) || slope(false)(x, y);
  if (codePoint === 0x23fa || codePoint === 0x25cf) return near(0.5, 0.5, widthPx * 0.4);
  if (codePoint === 0x23bf) return corner(size);
  if (codePoint === 0xe0b0) return (x, y) => x <= 1 - Math.abs(2 * y - 1);
  if (codePoint === 0xe0b2) return (x, y) => 1 - x <= 1 - Math.abs(2 * y - 1);
  if (codePoint < 0x2800 || codePoint > 0x28ff) return null;
  const dots = BRAILLE_DOTS.filter((_, bit) => (codePoint - 0x2800) & (1 << bit)).map(([column, row]) =>
    near(0.28 + column * 0.44, 0.14 + row * 0.24, widthPx * 0.13),
  );
  return (x, y) => dots.some((dot) => dot(x, y));
}

/** ⎿, which agents put before the result of a tool: from the top down to the middle, then right. */
function corner({ widthPx, heightPx }: CellSize): Inside {
  const half = lightPx({ widthPx, heightPx }) / 2;
  return (x, y) => {
    const [px, py] = [(x - 0.5) * widthPx, (y - 0.5) * heightPx];
    return (Math.abs(px) <= half && py <= half) || (Math.abs(py) <= half && px >= -half);
  };
}

/** ╭ ╮ ╯ ╰: a quarter of a circle that goes over into the lines of the neighbours. */
function arc(codePoint: number, size: CellSize): Inside {
  const { widthPx, heightPx } = size;
  const light = lightPx(size);
  const toRight = codePoint === 0x256d || codePoint === 0x2570;
  const toBottom = codePoint === 0x256d || codePoint === 0x256e;
  // Where the straight lines of the neighbours run.
  const [[lineX]] = strokes(1, widthPx, size) as [[number, number]];
  const [[lineY]] = strokes(1, heightPx, size) as [[number, number]];
  const [cx, cy] = [lineX + light / 2, lineY + light / 2];
  const radius = Math.min(toRight ? widthPx - cx : cx, toBottom ? heightPx - cy : cy);
  const [ox, oy] = [cx + (toRight ? radius : -radius), cy + (toBottom ? radius : -radius)];
  return (x, y) => {
    const [px, py] = [x * widthPx, y * heightPx];
    const besideX = toRight ? px >= ox : px <= ox;
    const besideY = toBottom ? py >= oy : py <= oy;
    if (besideX) return Math.abs(py - cy) <= light / 2;
    if (besideY) return Math.abs(px - cx) <= light / 2;
    return Math.abs(Math.hypot(px - ox, py - oy) - radius) <= light / 2;
  };
}

function sampled(inside: Inside, size: CellSize): Mask {
  const { widthPx, heightPx } = size;
  const { mask } = new Canvas(size);
  for (let row = 0; row < heightPx; row++)
    for (let column = 0; column < widthPx; column++) {
      let hits = 0;
      for (let sample = 0; sample < SAMPLES * SAMPLES; sample++) {
        const x = (column + ((sample % SAMPLES) + 0.5) / SAMPLES) / widthPx;
        const y = (row + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES) / heightPx;
        if (inside(x, y)) hits++;
      }
      mask.coverage[row * widthPx + column] = Math.round((hits * 255) / (SAMPLES * SAMPLES));
    }
  return mask;
}
