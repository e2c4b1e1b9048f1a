// Moving and resizing by the keyboard, step by step on the grid, also while a terminal has the keyboard.
import { type Point, snapMoved, snapResized } from "@kolu/contract/plane/geometry.ts";
import type { Layout } from "@kolu/contract/terminal.ts";
import { revealBox } from "./camera-store.ts";
import { boxOf, commitLayouts } from "./layouts.ts";
import { KEY_STEP_PX } from "./nodes.ts";
import { tilesMeant } from "./selection.ts";

/** Moves the selected tiles, or the active one. */
export function stepTiles({ x, y }: Point): void {
  change("move", (box) => snapMoved({ ...box, x: box.x + x * KEY_STEP_PX, y: box.y + y * KEY_STEP_PX }));
}

/** Moves the right or the lower edge. */
export function stepSizes({ x, y }: Point): void {
  change("resize", (box) =>
    snapResized(box, { ...box, w: box.w + x * KEY_STEP_PX, h: box.h + y * KEY_STEP_PX }),
  );
}

function change(act: string, moved: (box: Layout) => Layout): void {
  const ids = tilesMeant();
  const after = new Map(
    ids.flatMap((id) => {
      const box = boxOf(id);
      return box ? [[id, moved(box)] as const] : [];
    }),
  );
  if (after.size === 0) return;
  commitLayouts(after, `${act} ${[...after.keys()].sort().join(" ")}`);
  const [only] = after.values();
  if (after.size === 1 && only) revealBox(only);
}
