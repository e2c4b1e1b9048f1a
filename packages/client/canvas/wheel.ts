// Who gets the wheel: the terminal under the pointer, or the camera. Pure.

export interface WheelInput {
  deltaX: number;
  deltaY: number;
  /** WheelEvent.deltaMode: 0 pixels, 1 lines, 2 pages. */
  deltaMode: number;
  /** Ctrl or Cmd; a pinch on a touchpad arrives as Ctrl too. */
  zooming: boolean;
  shift: boolean;
  /** Whether the pointer is over something that scrolls by itself. */
  overScrollable: boolean;
  atMs: number;
  /** Height of the canvas on the screen, for deltas in pages. */
  pagePx: number;
}

/** Who owns the gesture that is going on. */
export interface WheelOwner {
  owner: "camera" | "content";
  lastMs: number;
}

export type WheelAction =
  | { kind: "pan"; dx: number; dy: number }
  | { kind: "zoom"; deltaYPx: number }
  | { kind: "leave" };

/** A wheel quiet for this long has ended; until then its owner keeps it, whatever comes under the pointer. */
export const WHEEL_IDLE_MS = 150;
/** A line in pixels, for mice that count lines (Firefox). */
const LINE_PX = 20;

export function decideWheel(
  input: WheelInput,
  previous: WheelOwner | null,
): { action: WheelAction; owner: WheelOwner } {
  const scale = input.deltaMode === 1 ? LINE_PX : input.deltaMode === 2 ? input.pagePx : 1;
  const dx = input.deltaX * scale;
  const dy = input.deltaY * scale;
  if (input.zooming)
    return { action: { kind: "zoom", deltaYPx: dy }, owner: { owner: "camera", lastMs: input.atMs } };
  const going = previous !== null && input.atMs - previous.lastMs < WHEEL_IDLE_MS ? previous.owner : null;
  const owner = input.shift ? "camera" : (going ?? (input.overScrollable ? "content" : "camera"));
  const next = { owner, lastMs: input.atMs } as const;
  if (owner === "content") return { action: { kind: "leave" }, owner: next };
  // Browsers other than Safari turn Shift + wheel into a sideways wheel by themselves; here Shift only says "the
  // plane", so a purely sideways notch is turned back.
  if (input.shift && dy === 0) return { action: { kind: "pan", dx: 0, dy: -dx }, owner: next };
  return { action: { kind: "pan", dx: -dx, dy: -dy }, owner: next };
}
