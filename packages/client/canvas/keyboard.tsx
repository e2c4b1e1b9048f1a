// Keys on the plane itself, while no terminal has the keyboard: a focused tile moves and grows by the arrow keys,
// Ctrl+Z takes a change of the layout back.

import { snapResized } from "@kolu/contract/plane/geometry.ts";
import { useEffect } from "react";
import { activate } from "../tile/actions.ts";
import { boxOf, commitLayouts, redoLayout, undoLayout } from "./layouts.ts";
import { KEY_STEP_PX } from "./nodes.ts";

const ARROWS = new Map([
  ["ArrowLeft", { x: -1, y: 0 }],
  ["ArrowRight", { x: 1, y: 0 }],
  ["ArrowUp", { x: 0, y: -1 }],
  ["ArrowDown", { x: 0, y: 1 }],
]);

export function CanvasKeys({ frame }: { frame: { current: HTMLDivElement | null } }): null {
  useEffect(() => {
    const element = frame.current!;
    const onKeyDown = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement;
      if (target.matches("input, textarea, [contenteditable]")) return;
      if (onUndo(event) || onTileKey(event, target)) event.preventDefault();
    };
    element.addEventListener("keydown", onKeyDown);
    return () => element.removeEventListener("keydown", onKeyDown);
  }, [frame]);
  return null;
}

function onUndo(event: KeyboardEvent): boolean {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return false;
  const key = event.key.toLowerCase();
  if (event.shiftKey) return false;
  if (key === "z") undoLayout();
  else if (key === "y") redoLayout();
  else return false;
  return true;
}

function onTileKey(event: KeyboardEvent, target: HTMLElement): boolean {
  const id = target.closest<HTMLElement>(".react-flow__node")?.dataset.id;
  if (id === undefined || event.ctrlKey || event.metaKey || event.altKey) return false;
  const box = boxOf(id);
  const arrow = ARROWS.get(event.key);
  if (event.key === "Enter" && target.matches(".react-flow__node")) {
    activate(id);
    return true;
  }
  if (!box || !arrow) return false;
  const dx = arrow.x * KEY_STEP_PX;
  const dy = arrow.y * KEY_STEP_PX;
  const after = event.shiftKey
    ? snapResized(box, { ...box, w: box.w + dx, h: box.h + dy })
    : { ...box, x: box.x + dx, y: box.y + dy };
  commitLayouts(new Map([[id, after]]));
  return true;
}
