// The tab's title, favicon and badge: how many need a person, how many are not seen. Drawn from the same shapes as every mark.
import { useWorkspace } from "../store/workspace.ts";
import { type AttentionCounts, countBadges, pageTitle } from "./announcements.ts";
import { iconFor } from "./favicon.ts";

/** Returns how to stop. */
export function startTitle(): () => void {
  let shown = "";
  const show = (): void => {
    const { records, preferences } = useWorkspace.getState();
    const counts = countBadges(records, preferences.alerts);
    const wanted = `${counts.needsYou} ${counts.notSeen}`;
    if (wanted === shown) return;
    shown = wanted;
    document.title = pageTitle(counts);
    document.querySelector('link[rel="icon"]')?.setAttribute("href", iconFor(counts));
    showBadge(counts);
  };
  show();
  return useWorkspace.subscribe((now, before) => {
    if (now.records !== before.records || now.preferences !== before.preferences) show();
  });
}

/** Only an installed page has a badge; elsewhere the call is absent or refused, and the title says the same. */
function showBadge({ needsYou, notSeen }: AttentionCounts): void {
  navigator.setAppBadge?.(needsYou + notSeen).catch(() => {});
}
