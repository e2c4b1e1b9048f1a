// The favicon: the silhouette of the mark that wants a person most, with how many there are. Pure.
import type { AttentionCounts } from "./announcements.ts";
import { type ShapePart, shapeSvg } from "./shapes.ts";

const PLAIN_ICON = "/icon.svg";

/** A favicon has no scheme of ours, so its colours are fixed: they read on light and dark tab bars, and the count on them. */
const VIOLET = { fill: "#7c3aed", ink: "#ffffff" };
const AMBER = { fill: "#e6a23c", ink: "#221503" };

const filled = (element: ShapePart["element"], attributes: ShapePart["attributes"]): ShapePart => ({
  element,
  attributes: { ...attributes, fill: "currentColor" },
});
const DIAMOND = filled("path", { d: "M8 0 16 8 8 16 0 8Z" });
const DISC = filled("circle", { cx: 8, cy: 8, r: 7.5 });

export function iconFor({ needsYou, notSeen }: AttentionCounts): string {
  if (needsYou > 0) return icon(DIAMOND, VIOLET, needsYou);
  return notSeen > 0 ? icon(DISC, AMBER, notSeen) : PLAIN_ICON;
}

/** More than nine cannot be read at sixteen pixels. */
function icon(shape: ShapePart, { fill, ink }: typeof VIOLET, count: number): string {
  const words = count > 9 ? "9+" : String(count);
  const style = `text-anchor="middle" font-family="sans-serif" font-weight="800" font-size="${count > 9 ? 8 : 10}"`;
  const text = `<text x="8" y="${count > 9 ? 10.9 : 11.6}" fill="${ink}" ${style}>${words}</text>`;
  return `data:image/svg+xml,${encodeURIComponent(shapeSvg([shape], fill, text))}`;
}
