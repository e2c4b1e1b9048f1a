// The silhouettes of all marks on a 16 x 16 grid, as SVG elements. Pure data: the page's component and the favicon draw
// the same ones. The outline alone tells a state, in grey and at the edge of sight; hue and motion repeat it.
import type { MarkKind } from "./mark-of.ts";

export interface ShapePart {
  element: "path" | "circle" | "rect";
  attributes: Readonly<Record<string, string | number>>;
}

export interface Shape {
  /** A colour token of theme/tokens.css. */
  hue: "accent" | "amber" | "teal" | "violet" | "danger" | "moonlit" | "text-3";
  /** Classes of marks.css; none where stillness is the message. */
  motion: "pulse" | "spin" | "call" | null;
  parts: readonly ShapePart[];
}

const filled = (d: string): ShapePart => ({ element: "path", attributes: { d, fill: "currentColor" } });
const stroked = (d: string, width: number): ShapePart => ({
  element: "path",
  attributes: {
    d,
    fill: "none",
    stroke: "currentColor",
    "stroke-width": width,
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
  },
});
const disc = (cx: number, cy: number, r: number): ShapePart => ({
  element: "circle",
  attributes: { cx, cy, r, fill: "currentColor" },
});
const ring = (r: number, width: number, dashes: string): ShapePart => ({
  element: "circle",
  attributes: {
    cx: 8,
    cy: 8,
    r,
    fill: "none",
    stroke: "currentColor",
    "stroke-width": width,
    "stroke-dasharray": dashes,
  },
});

export const SHAPES: Readonly<Record<MarkKind, Shape>> = {
  thinking: { hue: "accent", motion: "pulse", parts: [disc(8, 8, 5)] },
  tool_use: { hue: "amber", motion: "spin", parts: [filled("M8 8V2.2A5.8 5.8 0 1 1 2.2 8Z")] },
  // One gap of a quarter turn: the circumference at r 5 is 31.4.
  background: { hue: "teal", motion: "spin", parts: [ring(5, 2.2, "23.5 7.9")] },
  awaiting: {
    hue: "violet",
    motion: "call",
    parts: [
      filled(
        // A diamond with an exclamation mark cut out of it.
        "M8 .6 15.4 8 8 15.4 .6 8ZM7 4.1 7.3 8.9H8.7L9 4.1ZM7.05 10.3V12H8.95V10.3Z",
      ),
    ],
  },
  waiting: { hue: "text-3", motion: null, parts: [disc(8, 8, 2.5)] },
  error: {
    hue: "danger",
    motion: null,
    parts: [
      disc(8, 6, 2.5),
      { element: "rect", attributes: { x: 3.5, y: 11, width: 9, height: 2, rx: 1, fill: "currentColor" } },
    ],
  },
  exited: {
    hue: "danger",
    motion: null,
    parts: [
      {
        element: "rect",
        attributes: {
          x: 4,
          y: 4,
          width: 8,
          height: 8,
          rx: 1,
          fill: "none",
          stroke: "currentColor",
          "stroke-width": 1.8,
        },
      },
    ],
  },
  // Two wide gaps at r 5.
  parked: { hue: "moonlit", motion: null, parts: [ring(5, 1.8, "10.7 5")] },
  unknown: { hue: "text-3", motion: null, parts: [ring(5, 1.6, "1.9 2.02")] },
  sleeping: {
    hue: "moonlit",
    motion: null,
    parts: [filled("M13.4 10.2A6 6 0 1 1 5.8 2.6a5 5 0 0 0 7.6 7.6Z")],
  },
  shell: { hue: "text-3", motion: null, parts: [stroked("M5 3.8 9.6 8 5 12.2", 1.9)] },
};

const SVG_OPEN = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">';

/** A shape as SVG text in a given colour, for places that take no elements (the favicon). */
export function shapeSvg(parts: readonly ShapePart[], color: string, extra = ""): string {
  const body = parts
    .map(({ element, attributes }) => {
      const text = Object.entries(attributes)
        .map(([name, value]) => `${name}="${value === "currentColor" ? color : value}"`)
        .join(" ");
      return `<${element} ${text} fill-rule="evenodd"/>`;
    })
    .join("");
  return `${SVG_OPEN}${body}${extra}</svg>`;
}
