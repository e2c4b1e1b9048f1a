// The shapes of line drawing, blocks and braille, as polygons in a cell. Pure. Text fonts leave gaps between such
// characters of neighbouring cells; these reach a little over the edge of theirs, where the row cuts them off.
import { BOX_ARMS, type BoxArms, type BoxWeight, BRAILLE_DOTS } from "@kolu/contract/box-drawing.ts";
import type { Contour, FontPoint } from "./truetype.ts";

/** The cell of JetBrains Mono in its own units, so that both fonts lay out alike. */
export const CELL = { unitsPerEm: 1000, ascender: 1020, descender: -300, advance: 600 };

const MIDDLE = { x: CELL.advance / 2, y: (CELL.ascender + CELL.descender) / 2 };
const HALF = { w: CELL.advance / 2, h: (CELL.ascender - CELL.descender) / 2 };
/** How far lines reach into the next cell: downwards the row cuts them off, aside they overlap by a hair. */
const OVER = 40;
const OVER_ASIDE = 20;
const LIGHT = 84;
const HEAVY = 168;
/** From the middle to each line of a double one. */
const DOUBLE_GAP = 90;

function box(x0: number, y0: number, x1: number, y1: number): Contour {
  return [
    { x: x0, y: y0 },
    { x: x0, y: y1 },
    { x: x1, y: y1 },
    { x: x1, y: y0 },
  ];
}

function thickness(weight: BoxWeight): number {
  return weight === 2 ? HEAVY : LIGHT;
}

/** The contours of all arms that meet in the middle. Each is worked out as if it went to the right, then turned. */
function junction(arms: BoxArms): Contour[] {
  return [0, 1, 2, 3].flatMap((turn) => {
    const at = (step: number): BoxWeight => arms[(turn + step + 4) % 4]!;
    const own = at(0);
    if (own === 0) return [];
    // Turned so that this arm points right: what was next clockwise is below, what was before is above.
    const sides = { above: at(-1), below: at(1), opposite: at(2) };
    return armStrokes(own, sides).map((stroke) => turned(stroke, turn));
  });
}

interface Sides {
  above: BoxWeight;
  below: BoxWeight;
  opposite: BoxWeight;
}

interface Stroke {
  /** Along the arm from the middle (negative: behind it), and across it. */
  from: number;
  across: number;
  thick: number;
}

function armStrokes(own: BoxWeight, sides: Sides): Stroke[] {
  if (own !== 3) return [{ from: singleStart(own, sides), across: 0, thick: thickness(own) }];
  return [
    { from: doubleStart(sides.above, sides.below, sides.opposite), across: DOUBLE_GAP, thick: LIGHT },
    { from: doubleStart(sides.below, sides.above, sides.opposite), across: -DOUBLE_GAP, thick: LIGHT },
  ];
}

/** Where a single line begins: covering the line that it joins, at the near or far stroke of a double one. */
function singleStart(own: BoxWeight, { above, below, opposite }: Sides): number {
  const near = DOUBLE_GAP - LIGHT / 2;
  const far = -DOUBLE_GAP - LIGHT / 2;
  if (above === 3 || below === 3) {
    if (opposite !== 0) return 0;
    return above === 3 && below === 3 ? near : far;
  }
  if (above === 0 && below === 0) return opposite === 0 ? 0 : -thickness(own) / 4;
  return -Math.max(above === 0 ? 0 : thickness(above), below === 0 ? 0 : thickness(below)) / 2;
}

/** Where one line of a double arm begins: `same` is the arm on its own side of the middle. */
function doubleStart(same: BoxWeight, other: BoxWeight, opposite: BoxWeight): number {
  if (same === 3) return DOUBLE_GAP - LIGHT / 2;
  if (same !== 0) return 0;
  if (other === 3) return -DOUBLE_GAP - LIGHT / 2;
  if (other !== 0) return -LIGHT / 2;
  return opposite === 0 ? 0 : -LIGHT / 4;
}

/** Turn 0 up, 1 right, 2 down, 3 left. */
function turned({ from, across, thick }: Stroke, turn: number): Contour {
  const { x, y } = MIDDLE;
  const low = across - thick / 2;
  const high = across + thick / 2;
  const length = turn % 2 === 0 ? HALF.h + OVER : HALF.w + OVER_ASIDE;
  switch (turn) {
    case 0:
      return box(x - high, y + from, x - low, y + length);
    case 1:
      return box(x + from, y + low, x + length, y + high);
    case 2:
      return box(x + low, y - length, x + high, y - from);
    default:
      return box(x - length, y - high, x - from, y - low);
  }
}

/** Lines cut into `count` dashes. */
function dashes(count: number, vertical: boolean, thick: number): Contour[] {
  const length = (vertical ? 2 * HALF.h : 2 * HALF.w) / count;
  const start = vertical ? CELL.descender : 0;
  return Array.from({ length: count }, (_, index) => {
    const from = start + index * length + length * 0.17;
    const to = start + (index + 1) * length - length * 0.17;
    return vertical
      ? box(MIDDLE.x - thick / 2, from, MIDDLE.x + thick / 2, to)
      : box(from, MIDDLE.y - thick / 2, to, MIDDLE.y + thick / 2);
  });
}

const ARC_RADIUS = 250;
const ARC_STEPS = 10;

/** A rounded corner from the middle of one side to the middle of another. */
function arc(toRight: boolean, toTop: boolean): Contour[] {
  const sx = toRight ? 1 : -1;
  const sy = toTop ? 1 : -1;
  const at = (radius: number, step: number): FontPoint => {
    const angle = (Math.PI / 2) * (step / ARC_STEPS);
    return {
      x: MIDDLE.x + sx * (ARC_RADIUS - radius * Math.cos(angle)),
      y: MIDDLE.y + sy * (ARC_RADIUS - radius * Math.sin(angle)),
    };
  };
  const steps = Array.from({ length: ARC_STEPS + 1 }, (_, step) => step);
  const bend = [
    ...steps.map((step) => at(ARC_RADIUS + LIGHT / 2, step)),
    ...steps.toReversed().map((step) => at(ARC_RADIUS - LIGHT / 2, step)),
  ];
  const { x, y } = MIDDLE;
  const across = box(
    Math.min(x + sx * ARC_RADIUS, x + sx * (HALF.w + OVER_ASIDE)),
    y - LIGHT / 2,
    Math.max(x + sx * ARC_RADIUS, x + sx * (HALF.w + OVER_ASIDE)),
    y + LIGHT / 2,
  );
  const upright = box(
    x - LIGHT / 2,
    Math.min(y + sy * ARC_RADIUS, y + sy * (HALF.h + OVER)),
    x + LIGHT / 2,
    Math.max(y + sy * ARC_RADIUS, y + sy * (HALF.h + OVER)),
  );
  return [clockwise(bend), across, upright];
}

/** Overlapping contours add up only when they turn the same way. */
function clockwise(contour: Contour): Contour {
  const area = contour.reduce((sum, point, index) => {
    const next = contour[(index + 1) % contour.length]!;
    return sum + point.x * next.y - next.x * point.y;
  }, 0);
  return area > 0 ? contour.toReversed() : contour;
}

function diagonal(rising: boolean): Contour {
  const { advance, ascender, descender } = CELL;
  const [from, to] = rising ? [descender, ascender] : [ascender, descender];
  const half = LIGHT * 0.55;
  return clockwise([
    { x: -half, y: from },
    { x: advance - half, y: to },
    { x: advance + half, y: to },
    { x: half, y: from },
  ]);
}

/** Part of the cell, in eighths from its lower left corner; edges of the cell reach over it. */
function eighths(left: number, bottom: number, right: number, top: number): Contour {
  const x = (eighth: number): number =>
    (eighth / 8) * CELL.advance + (eighth === 0 ? -OVER_ASIDE : eighth === 8 ? OVER_ASIDE : 0);
  const y = (eighth: number): number =>
    CELL.descender + (eighth / 8) * 2 * HALF.h + (eighth === 0 ? -OVER : eighth === 8 ? OVER : 0);
  return box(x(left), y(bottom), x(right), y(top));
}

const SHADE_PX = 60;

/** A raster of small squares that covers a quarter, a half or three quarters. */
function shade(quarters: number): Contour[] {
  const { advance, ascender, descender } = CELL;
  const contours: Contour[] = [];
  for (let row = 0; descender + row * SHADE_PX < ascender; row++)
    for (let column = 0; column * SHADE_PX < advance; column++) {
      const phase = (row % 2) * 2 + (column % 2);
      const filled = quarters === 1 ? phase === 0 : quarters === 2 ? phase === 0 || phase === 3 : phase !== 3;
      const x = column * SHADE_PX;
      const y = descender + row * SHADE_PX;
      if (filled) contours.push(box(x, y, x + SHADE_PX, y + SHADE_PX));
    }
  return contours;
}

/** Quadrants by bits: 1 upper left, 2 upper right, 4 lower left, 8 lower right. */
const QUADRANTS = [4, 8, 1, 13, 9, 7, 11, 2, 6, 14];

function quadrants(bits: number): Contour[] {
  const parts = [eighths(0, 4, 4, 8), eighths(4, 4, 8, 8), eighths(0, 0, 4, 4), eighths(4, 0, 8, 4)];
  return parts.filter((_, index) => bits & (1 << index));
}

function disc(cx: number, cy: number, radius: number, corners: number): Contour {
  return clockwise(
    Array.from({ length: corners }, (_, corner) => {
      const angle = (2 * Math.PI * corner) / corners;
      return { x: cx + radius * Math.cos(angle), y: cy + radius * Math.sin(angle) };
    }),
  );
}

function braille(bits: number): Contour[] {
  return BRAILLE_DOTS.filter((_, bit) => bits & (1 << bit)).map(([column, row]) =>
    disc(MIDDLE.x + (column - 0.5) * 250, MIDDLE.y + (1.5 - row) * 250, 66, 10),
  );
}

function lineGlyphs(): [number, Contour[]][] {
  const joined = [...BOX_ARMS].map(([code, arms]): [number, Contour[]] => [code, junction(arms)]);
  const dashed = [3, 4].flatMap((count, index): [number, Contour[]][] => {
    const first = 0x2504 + index * 4;
    return [
      [first, dashes(count, false, LIGHT)],
      [first + 1, dashes(count, false, HEAVY)],
      [first + 2, dashes(count, true, LIGHT)],
      [first + 3, dashes(count, true, HEAVY)],
    ];
  });
  return [
    ...joined,
    ...dashed,
    [0x254c, dashes(2, false, LIGHT)],
    [0x254d, dashes(2, false, HEAVY)],
    [0x254e, dashes(2, true, LIGHT)],
    [0x254f, dashes(2, true, HEAVY)],
    [0x256d, arc(true, false)],
    [0x256e, arc(false, false)],
    [0x256f, arc(false, true)],
    [0x2570, arc(true, true)],
    [0x2571, [diagonal(true)]],
    [0x2572, [diagonal(false)]],
    [0x2573, [diagonal(true), diagonal(false)]],
  ];
}

function blockGlyphs(): [number, Contour[]][] {
  const upTo = Array.from({ length: 8 }, (_, index): [number, Contour[]] => [
    0x2581 + index,
    [eighths(0, 0, 8, index + 1)],
  ]);
  const fromLeft = Array.from({ length: 7 }, (_, index): [number, Contour[]] => [
    0x2589 + index,
    [eighths(0, 0, 7 - index, 8)],
  ]);
  const shades = [1, 2, 3].map((quarters): [number, Contour[]] => [0x2590 + quarters, shade(quarters)]);
  const quads = QUADRANTS.map((bits, index): [number, Contour[]] => [0x2596 + index, quadrants(bits)]);
  return [
    [0x2580, [eighths(0, 4, 8, 8)]],
    ...upTo,
    ...fromLeft,
    [0x2590, [eighths(4, 0, 8, 8)]],
    ...shades,
    [0x2594, [eighths(0, 7, 8, 8)]],
    [0x2595, [eighths(7, 0, 8, 8)]],
    ...quads,
  ];
}

/** All shapes by code point; besides the three blocks the two marks that agents draw their transcripts with. */
export function boxGlyphs(): ReadonlyMap<number, readonly Contour[]> {
  const dots = Array.from({ length: 256 }, (_, bits): [number, Contour[]] => [0x2800 + bits, braille(bits)]);
  return new Map<number, readonly Contour[]>([
    [0x23bf, junction([1, 1, 0, 0])],
    [0x23fa, [disc(MIDDLE.x, MIDDLE.y, 240, 24)]],
    ...lineGlyphs(),
    ...blockGlyphs(),
    ...dots,
  ]);
}
