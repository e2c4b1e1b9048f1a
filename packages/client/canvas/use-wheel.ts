// Hands the wheel to the camera or leaves it to the terminal under the pointer; the deciding is in wheel.ts.
import { useEffect } from "react";
import { panCamera, zoomCamera } from "./camera-store.ts";
import { decideWheel, type WheelOwner } from "./wheel.ts";

/** What scrolls by itself when the pointer is over it. */
const SCROLLABLE = ".tile-body, .overview";

export function useWheel(frame: { current: HTMLDivElement | null }): void {
  useEffect(() => {
    const element = frame.current!;
    let owner: WheelOwner | null = null;
    const onWheel = (event: WheelEvent): void => {
      if (element.dataset.maximised !== undefined) return;
      const decided = decideWheel(
        {
          deltaX: event.deltaX,
          deltaY: event.deltaY,
          deltaMode: event.deltaMode,
          zooming: event.ctrlKey || event.metaKey,
          shift: event.shiftKey,
          overScrollable: (event.target as Element).closest(SCROLLABLE) !== null,
          atMs: event.timeStamp,
          pagePx: element.clientHeight,
        },
        owner,
      );
      owner = decided.owner;
      const { action } = decided;
      if (action.kind === "leave") return;
      // Before the terminal or React Flow see it, and instead of the browser's own zoom.
      event.preventDefault();
      event.stopPropagation();
      const floor = element.getBoundingClientRect();
      if (action.kind === "pan") panCamera(action.dx, action.dy);
      else zoomCamera({ x: event.clientX - floor.left, y: event.clientY - floor.top }, action.deltaYPx);
    };
    element.addEventListener("wheel", onWheel, { capture: true, passive: false });
    return () => element.removeEventListener("wheel", onWheel, { capture: true });
  }, [frame]);
}
