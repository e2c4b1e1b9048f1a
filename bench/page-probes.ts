// What is measured inside of the page, in its own clock. The functions run in the browser: each stands by itself.
import type { Page } from "playwright-core";
import { percentile } from "./figures.ts";

export interface Frames {
  /** Frames a second that the page began. */
  perSecond: number;
  /** The longest time without a frame. */
  longestMs: number;
}

/** Sideways there and back again, or nearer and farther again: one step a frame, as a hand that never rests. */
export type Gesture = "rest" | "pan" | "zoom";

/** Moves the camera through wheel events on the floor, as a hand does, and counts frames meanwhile. */
export async function countFrames(page: Page, gesture: Gesture, forMs: number): Promise<Frames> {
  return page.evaluate(
    ({ gesture, forMs }) =>
      new Promise<{ perSecond: number; longestMs: number }>((resolve) => {
        const floor = document.querySelector(".react-flow__pane")!;
        const { left, top, width, height } = floor.getBoundingClientRect();
        const at = { clientX: left + width / 2, clientY: top + height / 2 };
        const stepsOneWay = 20;
        let startedAtMs = 0;
        let lastMs = 0;
        let frames = 0;
        let longestMs = 0;
        const step = (nowMs: number): void => {
          if (startedAtMs === 0) startedAtMs = nowMs;
          else {
            frames += 1;
            longestMs = Math.max(longestMs, nowMs - lastMs);
          }
          lastMs = nowMs;
          const passedMs = nowMs - startedAtMs;
          if (passedMs >= forMs) {
            resolve({ perSecond: (frames / passedMs) * 1000, longestMs: Math.round(longestMs) });
            return;
          }
          const sign = Math.floor(frames / stepsOneWay) % 2 === 0 ? 1 : -1;
          const wheel =
            gesture === "pan"
              ? { deltaX: 12 * sign, deltaY: 8 * sign }
              : { deltaY: -10 * sign, ctrlKey: true };
          if (gesture !== "rest")
            floor.dispatchEvent(
              new WheelEvent("wheel", { bubbles: true, cancelable: true, ...at, ...wheel }),
            );
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
    { gesture, forMs },
  );
}

/** Keys typed into the terminal that has the keyboard: from the browser's own time of each to the frame that shows it. */
export async function timeKeys(page: Page, count: number): Promise<{ p50: number; p95: number }> {
  await page.evaluate(() => {
    const rows = document.querySelector(".xterm.focus .xterm-rows")!;
    const times: number[] = [];
    let pressedAtMs = 0;
    window.addEventListener("keydown", (event) => (pressedAtMs = event.timeStamp), { capture: true });
    new MutationObserver(() => {
      if (pressedAtMs === 0) return;
      const from = pressedAtMs;
      pressedAtMs = 0;
      // The engine writes its rows inside of a frame: what is posted from there runs when that frame is painted.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => times.push(performance.now() - from);
      port2.postMessage(null);
    }).observe(rows, { subtree: true, childList: true, characterData: true });
    Object.assign(window, { keyTimes: times });
  });
  for (let key = 0; key < count; key++) {
    await page.keyboard.press("abcdefghij"[key % 10]!);
    await page.waitForFunction(
      (seen) => (window as unknown as { keyTimes: number[] }).keyTimes.length > seen,
      key,
    );
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  const times = await page.evaluate(() => (window as unknown as { keyTimes: number[] }).keyTimes);
  const sorted = [...times].sort((a, b) => a - b);
  return { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95) };
}

/** Tiles that show one colour only, looked at in a picture of the screen: a terminal that was never painted. */
export async function blankTiles(page: Page): Promise<number> {
  const picture = (await page.screenshot()).toString("base64");
  return page.evaluate(async (base64) => {
    const image = await createImageBitmap(
      new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], { type: "image/png" }),
    );
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d")!;
    context.drawImage(image, 0, 0);
    let blank = 0;
    for (const screen of document.querySelectorAll(".tile-screen")) {
      const box = screen.getBoundingClientRect();
      const [x, y] = [Math.max(0, Math.ceil(box.left)), Math.max(0, Math.ceil(box.top))];
      const w = Math.min(image.width, Math.floor(box.right)) - x;
      const h = Math.min(image.height, Math.floor(box.bottom)) - y;
      if (w < 20 || h < 20) continue;
      const pixels = new Uint32Array(context.getImageData(x, y, w, h).data.buffer);
      if (new Set(pixels).size < 4) blank += 1;
    }
    return blank;
  }, picture);
}
