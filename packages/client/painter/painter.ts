// The page's end of the painting worker: one worker for all terminals, started with the first.

import { TEXT_FONT } from "../terminal/font-names.ts";
import type { FaceRule, FromPainter, ScreenNews, ToPainter } from "./messages.ts";
import { PAINT_EVERY_MS, PAINT_MOVING_MS, TYPING_REST_MS } from "./pace.ts";

interface Listener {
  onNews(news: ScreenNews): void;
  onClipboardOffer(text: string): void;
}

let worker: Worker | null = null;
let lastId = 0;
const listeners = new Map<number, Listener>();

/** A number for a new terminal of the worker, and who hears of it. */
export function joinPainter(listener: Listener): number {
  lastId += 1;
  listeners.set(lastId, listener);
  return lastId;
}

export function leavePainter(id: number): void {
  listeners.delete(id);
  tellPainter({ kind: "close", id });
}

let moving = false;
let typing: ReturnType<typeof setTimeout> | undefined;

/** While the plane moves, painting steps back. */
export function setPainterMoving(next: boolean): void {
  moving = next;
  tellPace();
}

/** A key went to a terminal: its echo comes before other pictures. */
export function painterStepsBack(): void {
  const first = typing === undefined;
  clearTimeout(typing);
  typing = setTimeout(() => {
    typing = undefined;
    tellPace();
  }, TYPING_REST_MS);
  if (first) tellPace();
}

function tellPace(): void {
  const everyMs = moving || typing !== undefined ? PAINT_MOVING_MS : PAINT_EVERY_MS;
  if (worker) tellPainter({ kind: "pace", everyMs });
}

export function tellPainter(message: ToPainter, transfer: Transferable[] = []): void {
  worker ??= startWorker();
  worker.postMessage(message, transfer);
}

function startWorker(): Worker {
  const started = new Worker(new URL("./painter-worker.ts", import.meta.url), { type: "module" });
  started.onmessage = ({ data }: MessageEvent<FromPainter>) => {
    if (data.kind === "clipboard-offer") listeners.get(data.id)?.onClipboardOffer(data.text);
    else for (const news of data.screens) listeners.get(news.id)?.onNews(news);
  };
  started.postMessage({ kind: "begin", faces: faceRules() } satisfies ToPainter);
  return started;
}

/** The text font as the page's style sheets bring it: a worker has none. */
function faceRules(): FaceRule[] {
  return [...document.styleSheets].flatMap((sheet) =>
    [...sheet.cssRules].flatMap((rule) => {
      if (!(rule instanceof CSSFontFaceRule)) return [];
      const value = (name: string): string => rule.style.getPropertyValue(name);
      const family = value("font-family").replaceAll(/["']/g, "");
      if (family !== TEXT_FONT) return [];
      // Places in a style sheet count from the sheet.
      const base = sheet.href ?? location.href;
      const src = value("src").replaceAll(
        /url\("?([^")]+)"?\)/g,
        (_, place) => `url("${new URL(place, base).href}")`,
      );
      return [
        {
          family,
          src,
          weight: value("font-weight") || "400",
          style: value("font-style") || "normal",
          unicodeRange: value("unicode-range"),
        },
      ];
    }),
  );
}
