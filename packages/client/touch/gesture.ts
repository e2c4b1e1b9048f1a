// What fingers on a terminal mean: scroll it, go to the next one, change the size of its text, select. Pure: times come in,
// what to do comes out. A tap is left to the browser, which makes a click of it.

export interface Finger {
  x: number;
  y: number;
}

export type Gesture =
  | { kind: "none" }
  /** One finger lies still so far. */
  | { kind: "down"; at: Finger }
  | { kind: "scroll"; last: Finger; lastMs: number; speed: number }
  | { kind: "swipe"; from: Finger; last: Finger }
  | { kind: "pinch"; startGap: number }
  | { kind: "select" }
  /** Something is over while a finger is still there. */
  | { kind: "spent" };

export type TouchEventKind =
  | { kind: "start"; fingers: readonly Finger[] }
  | { kind: "move"; fingers: readonly Finger[]; atMs: number }
  | { kind: "end"; fingers: readonly Finger[]; atMs: number }
  /** One finger has lain still for HOLD_MS. */
  | { kind: "held" }
  | { kind: "cancel" };

export type Deed =
  /** Content follows the finger: `dy` > 0 moves it down, which shows what is older. */
  | { kind: "scroll"; dy: number; at: Finger }
  /** The finger let go while moving, in pixels a millisecond. */
  | { kind: "fling"; speed: number; at: Finger }
  /** How far a swipe has come, to show it. */
  | { kind: "drag"; dx: number }
  | { kind: "next" }
  | { kind: "previous" }
  | { kind: "pinch-start"; centre: Finger }
  | { kind: "pinch"; ratio: number; centre: Finger }
  | { kind: "select-start"; at: Finger }
  | { kind: "select-move"; at: Finger }
  | { kind: "select-end" };

export interface GestureStep {
  gesture: Gesture;
  deeds: readonly Deed[];
}

/** A finger that trembles less than this lies still. */
export const SLOP_PX = 10;
/** A finger that lies still for this long selects. */
export const HOLD_MS = 450;
/** A swipe shorter than this was none. */
export const SWIPE_PX = 70;
/** A finger that rested for this long before it let go throws nothing. */
const FLING_REST_MS = 60;
const FLING_LEAST = 0.15;
/** How much the newest move counts in the speed. */
const SPEED_WEIGHT = 0.6;

export const NO_GESTURE: Gesture = { kind: "none" };

export function gestureStep(
  gesture: Gesture,
  event: TouchEventKind,
  options: { swipes: boolean },
): GestureStep {
  switch (event.kind) {
    case "start":
      return start(gesture, event.fingers);
    case "move":
      return move(gesture, event.fingers, event.atMs, options);
    case "end":
      return end(gesture, event.fingers, event.atMs);
    case "held":
      return gesture.kind === "down"
        ? to({ kind: "select" }, { kind: "select-start", at: gesture.at })
        : to(gesture);
    case "cancel":
      return to(NO_GESTURE, ...whenCancelled(gesture));
    default:
      return event satisfies never;
  }
}

/** The browser took the fingers away, as it also does when the page was slow to answer: what is selected stays selected. */
function whenCancelled({ kind }: Gesture): Deed[] {
  if (kind === "swipe") return [{ kind: "drag", dx: 0 }];
  return kind === "select" ? [{ kind: "select-end" }] : [];
}

function to(gesture: Gesture, ...deeds: Deed[]): GestureStep {
  return { gesture, deeds };
}

function start(gesture: Gesture, fingers: readonly Finger[]): GestureStep {
  if (fingers.length === 1) return to({ kind: "down", at: fingers[0]! });
  if (fingers.length === 2 && gesture.kind !== "select")
    return to({ kind: "pinch", startGap: gap(fingers) }, { kind: "pinch-start", centre: middle(fingers) });
  return to({ kind: "spent" });
}

function move(
  gesture: Gesture,
  fingers: readonly Finger[],
  atMs: number,
  options: { swipes: boolean },
): GestureStep {
  const at = fingers[0]!;
  switch (gesture.kind) {
    case "down": {
      const dx = at.x - gesture.at.x;
      const dy = at.y - gesture.at.y;
      if (Math.hypot(dx, dy) < SLOP_PX) return to(gesture);
      if (options.swipes && Math.abs(dx) > 1.5 * Math.abs(dy))
        return to({ kind: "swipe", from: gesture.at, last: at }, { kind: "drag", dx });
      return to({ kind: "scroll", last: at, lastMs: atMs, speed: 0 }, { kind: "scroll", dy, at });
    }
    case "scroll": {
      const dy = at.y - gesture.last.y;
      const newest = dy / Math.max(1, atMs - gesture.lastMs);
      const speed = newest * SPEED_WEIGHT + gesture.speed * (1 - SPEED_WEIGHT);
      return to({ kind: "scroll", last: at, lastMs: atMs, speed }, { kind: "scroll", dy, at });
    }
    case "swipe":
      return to({ ...gesture, last: at }, { kind: "drag", dx: at.x - gesture.from.x });
    case "pinch":
      if (fingers.length < 2) return to({ kind: "spent" });
      return to(gesture, {
        kind: "pinch",
        ratio: gap(fingers) / gesture.startGap,
        centre: middle(fingers),
      });
    case "select":
      return to(gesture, { kind: "select-move", at });
    case "none":
    case "spent":
      return to(gesture);
    default:
      return gesture satisfies never;
  }
}

function end(gesture: Gesture, left: readonly Finger[], atMs: number): GestureStep {
  const after: Gesture = left.length === 0 ? NO_GESTURE : { kind: "spent" };
  switch (gesture.kind) {
    case "scroll": {
      const rested = atMs - gesture.lastMs > FLING_REST_MS;
      if (rested || Math.abs(gesture.speed) < FLING_LEAST) return to(after);
      return to(after, { kind: "fling", speed: gesture.speed, at: gesture.last });
    }
    case "swipe": {
      const dx = gesture.last.x - gesture.from.x;
      const back: Deed = { kind: "drag", dx: 0 };
      if (Math.abs(dx) < SWIPE_PX) return to(after, back);
      return to(after, back, { kind: dx < 0 ? "next" : "previous" });
    }
    case "select":
      return left.length === 0 ? to(after, { kind: "select-end" }) : to(gesture);
    case "none":
    case "down":
    case "pinch":
    case "spent":
      return to(after);
    default:
      return gesture satisfies never;
  }
}

function gap([a, b]: readonly Finger[]): number {
  return Math.max(1, Math.hypot(a!.x - b!.x, a!.y - b!.y));
}

function middle([a, b]: readonly Finger[]): Finger {
  return { x: (a!.x + b!.x) / 2, y: (a!.y + b!.y) / 2 };
}

/** How long a throw takes to lose two thirds of its speed. */
const SLOWING_MS = 325;
const STILL = 0.02;

/** How far a throw goes in the next `forMs`, and how fast it is then; null speed: it has come to rest. */
export function flingOn(speed: number, forMs: number): { dy: number; speed: number | null } {
  const kept = Math.exp(-forMs / SLOWING_MS);
  const dy = speed * SLOWING_MS * (1 - kept);
  const after = speed * kept;
  return { dy, speed: Math.abs(after) < STILL ? null : after };
}

/** Whole lines of a distance in pixels, and what is left for the next move. */
export function linesOf(px: number, linePx: number): { lines: number; restPx: number } {
  const lines = Math.trunc(px / linePx);
  return { lines, restPx: px - lines * linePx };
}
