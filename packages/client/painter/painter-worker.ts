// The painting worker: every terminal that is seen and not worked in is parsed and painted here, so that the page's own
// thread is free for the hand and the one terminal that has the keyboard.
import { addBoxFont } from "../terminal/box-font.ts";
import { parseClipboardOffer } from "../terminal/clipboard.ts";
import { TEXT_FACES } from "../terminal/font-names.ts";
import { forgetGlyphs } from "./glyph-shelf.ts";
import type { FaceRule, FromPainter, ScreenNews, ToPainter } from "./messages.ts";
import { PAINT_EVERY_MS, SHARE_OF_TIME } from "./pace.ts";
import { createPaintedScreen, type PaintedScreen } from "./painted-screen.ts";

/** The part of a worker's global scope that this file uses; the types at hand are those of a window. */
const scope = globalThis as unknown as {
  fonts: FontFaceSet;
  postMessage(message: FromPainter): void;
  onmessage: ((event: MessageEvent<ToPainter>) => void) | null;
};

const screens = new Map<number, PaintedScreen>();
let everyMs = PAINT_EVERY_MS;
let fontsThere = false;
let timer: ReturnType<typeof setTimeout> | undefined;
let timerAtMs = Infinity;
let paintedAtMs = -Infinity;
/** How long the last painting took. */
let paintedForMs = 0;

function ask(atMs: number): void {
  const dueMs = Math.max(atMs, paintedAtMs + Math.max(everyMs, paintedForMs * SHARE_OF_TIME));
  // Text drawn without its fonts would have to be drawn again.
  if (!fontsThere || dueMs >= timerAtMs) return;
  clearTimeout(timer);
  timerAtMs = dueMs;
  timer = setTimeout(paint, Math.max(0, dueMs - performance.now()));
}

function paint(): void {
  timerAtMs = Infinity;
  const nowMs = performance.now();
  paintedAtMs = nowMs;
  const news: ScreenNews[] = [];
  for (const screen of screens.values()) {
    const told = screen.paint(nowMs);
    if (told) news.push(told);
  }
  paintedForMs = performance.now() - nowMs;
  if (news.length > 0) scope.postMessage({ kind: "news", screens: news });
  for (const screen of screens.values()) {
    const dueMs = screen.dueAtMs(nowMs);
    if (dueMs !== null) ask(dueMs);
  }
}

async function loadFonts(faces: FaceRule[]): Promise<void> {
  addBoxFont(scope.fonts);
  for (const { family, src, weight, style, unicodeRange } of faces)
    scope.fonts.add(new FontFace(family, src, { weight, style, unicodeRange: unicodeRange || "U+0-10FFFF" }));
  await Promise.allSettled(TEXT_FACES.map((face) => scope.fonts.load(face)));
  fontsThere = true;
  ask(performance.now());
}

// Faces of other scripts arrive when the first such character is painted.
scope.fonts.addEventListener("loadingdone", () => {
  forgetGlyphs();
  for (const screen of screens.values()) screen.forgetPainted();
});

scope.onmessage = ({ data }) => {
  switch (data.kind) {
    case "begin":
      void loadFonts(data.faces);
      break;
    case "open":
      screens.set(
        data.id,
        createPaintedScreen(data, {
          onDue: () => ask(performance.now()),
          onOsc52(payload) {
            const text = parseClipboardOffer(payload);
            if (text !== null) scope.postMessage({ kind: "clipboard-offer", id: data.id, text });
          },
        }),
      );
      break;
    case "write":
      screens.get(data.id)?.write(data.bytes);
      break;
    case "reset":
      screens.get(data.id)?.reset(data.grid);
      break;
    case "resize":
      screens.get(data.id)?.resize(data.grid);
      break;
    case "draw":
      screens.get(data.id)?.draw(data.drawing);
      break;
    case "colors":
      screens.get(data.id)?.setColors(data.scheme);
      break;
    case "close":
      screens.get(data.id)?.dispose();
      screens.delete(data.id);
      break;
    case "pace":
      everyMs = data.everyMs;
      break;
    default:
      data satisfies never;
  }
};
