// Fingers on a page, as the browser gets them from a touch screen.
import type { Visitor } from "./browser.ts";

export interface Point {
  x: number;
  y: number;
}

export interface Fingers {
  down(...at: Point[]): Promise<void>;
  move(...to: Point[]): Promise<void>;
  up(): Promise<void>;
  /** From one place to another in even steps, without letting go. */
  drag(from: Point, to: Point, steps?: number): Promise<void>;
}

export async function fingersOf({ page, context }: Visitor): Promise<Fingers> {
  const cdp = await context.newCDPSession(page);
  const send = (type: "touchStart" | "touchMove" | "touchEnd", points: Point[]): Promise<unknown> =>
    cdp.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: points.map(({ x, y }, id) => ({ x: Math.round(x), y: Math.round(y), id })),
    });
  const fingers: Fingers = {
    down: async (...at) => void (await send("touchStart", at)),
    move: async (...to) => void (await send("touchMove", to)),
    up: async () => void (await send("touchEnd", [])),
    async drag(from, to, steps = 6) {
      await fingers.down(from);
      for (let step = 1; step <= steps; step++)
        await fingers.move({
          x: from.x + ((to.x - from.x) * step) / steps,
          y: from.y + ((to.y - from.y) * step) / steps,
        });
    },
  };
  return fingers;
}
