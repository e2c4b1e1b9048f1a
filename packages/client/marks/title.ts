// The tab's title, favicon and badge: how many need a person, how many are not seen. Drawn from the same shapes as every mark.
import { useWorkspace } from "../store/workspace.ts";
import { type AttentionCounts, countAttention, pageTitle } from "./announcements.ts";
import { SHAPES, shapeSvg } from "./shapes.ts";

const PLAIN_ICON = "/icon.svg";

/** A favicon has no scheme of ours, so its colours are fixed: they read on light and dark tab bars. */
const VIOLET = "#8b5cf6";
const AMBER = "#e6a23c";

function iconFor({ needsYou, notSeen }: AttentionCounts): string {
  if (needsYou > 0) return dataUrl(shapeSvg(SHAPES.awaiting.parts, VIOLET));
  if (notSeen > 0)
    return dataUrl(
      shapeSvg([{ element: "circle", attributes: { cx: 8, cy: 8, r: 6, fill: "currentColor" } }], AMBER),
    );
  return PLAIN_ICON;
}

function dataUrl(svg: string): string {
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** Returns how to stop. */
export function startTitle(): () => void {
  let shown = "";
  const show = (): void => {
    const counts = countAttention(useWorkspace.getState().records);
    const wanted = `${counts.needsYou} ${counts.notSeen}`;
    if (wanted === shown) return;
    shown = wanted;
    document.title = pageTitle(counts);
    document.querySelector('link[rel="icon"]')?.setAttribute("href", iconFor(counts));
    // Only an installed page has a badge; elsewhere the call is absent or refused, and the title says the same.
    navigator.setAppBadge?.(counts.needsYou).catch(() => {});
  };
  show();
  return useWorkspace.subscribe((now, before) => {
    if (now.records !== before.records) show();
  });
}
