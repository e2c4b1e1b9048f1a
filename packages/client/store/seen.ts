// Tells padi that somebody looks at a terminal, so that it stops counting as unread, here and on every other device.
import { useUi } from "./ui.ts";
import { padi, useWorkspace } from "./workspace.ts";

/** Looking means: it is the active terminal, and the page has the focus. Returns how to stop. */
export function startSeen(): () => void {
  /** What has been reported already: a record keeps its count until padi's answer comes back as a delta. */
  let reported = "";
  const report = (): void => {
    const { activeId } = useUi.getState();
    if (activeId === null || !document.hasFocus()) return;
    const record = useWorkspace.getState().records.get(activeId);
    if (!record || record.unread === 0) return;
    const mark = `${record.id} ${record.unread}`;
    if (mark === reported || useWorkspace.getState().link.kind !== "live") return;
    reported = mark;
    padi()
      .call("terminal.markSeen", { id: record.id })
      .catch(() => {
        reported = ""; // The next change or focus tries again: until then it stays marked, which is the safe side.
      });
  };
  const stops = [useUi.subscribe(report), useWorkspace.subscribe(report)];
  window.addEventListener("focus", report);
  return () => {
    for (const stop of stops) stop();
    window.removeEventListener("focus", report);
  };
}
