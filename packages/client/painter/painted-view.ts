// A terminal that the worker paints: what the page has of it is a canvas, and its text for whoever reads the page. It
// takes no input; whoever works in a terminal gets the live one in its place.
import { measureCell } from "../terminal/fonts.ts";
import type { Fit } from "../terminal/geometry.ts";
import { placeHost, stretchHost } from "../terminal/host.ts";
import type { TerminalView, ViewEvents, ViewStart } from "../terminal/view.ts";
import type { Drawing } from "./cell-box.ts";
import type { ScreenNews } from "./messages.ts";
import { joinPainter, leavePainter, tellPainter } from "./painter.ts";

export function createPaintedView(events: ViewEvents, { scheme, grid, fit }: ViewStart): TerminalView {
  const host = document.createElement("div");
  host.className = "terminal-host painted";
  const canvas = document.createElement("canvas");
  canvas.setAttribute("aria-hidden", "true");
  const text = document.createElement("pre");
  text.className = "painted-text";
  host.append(canvas, text);

  let begun = false;
  let shownGrid = grid;
  let beginnings = 0;
  let consumed = 0;
  /** Of the last beginning, by the order of writing. */
  let waiting: (() => void)[] = [];

  const id = joinPainter({
    onNews(news: ScreenNews) {
      if (news.text !== null) text.textContent = news.text;
      if (news.beginnings !== beginnings) return;
      begun ||= beginnings > 0;
      if (
        news.grid.cols !== shownGrid.cols ||
        news.grid.rows !== shownGrid.rows ||
        news.consumed > 0 !== consumed > 0
      ) {
        shownGrid = news.grid;
        events.onGrid(shownGrid);
      }
      const done = waiting.splice(0, news.consumed - consumed);
      consumed = news.consumed;
      for (const onConsumed of done) onConsumed();
    },
    onClipboardOffer: events.onClipboardOffer,
  });
  const offscreen = canvas.transferControlToOffscreen();
  tellPainter({ kind: "open", id, canvas: offscreen, scheme, grid, drawing: drawingOf(fit) }, [offscreen]);
  place(fit);

  function place(fit: Fit): void {
    placeHost(host, fit);
    // The last picture stands in for the next one until it comes.
    canvas.style.width = `${Math.round(fit.width)}px`;
    canvas.style.height = `${fit.height}px`;
  }

  return {
    open(element) {
      element.append(host);
    },
    write(bytes, onConsumed) {
      waiting.push(onConsumed);
      tellPainter({ kind: "write", id, bytes });
    },
    reset(next) {
      beginnings += 1;
      consumed = 0;
      waiting = [];
      tellPainter({ kind: "reset", id, grid: next });
    },
    resize: (next) => tellPainter({ kind: "resize", id, grid: next }),
    grid: () => (begun ? shownGrid : null),
    // The worker has one pace for all.
    setPace() {},
    setFit(next) {
      place(next);
      tellPainter({ kind: "draw", id, drawing: drawingOf(next) });
    },
    setStretch: (scale) => stretchHost(host, scale),
    setColors: (next) => tellPainter({ kind: "colors", id, scheme: next }),
    focus() {},
    press() {},
    paste() {},
    selection: () => "",
    clearSelection() {},
    search: (_text, _direction, onResult) => onResult({ index: 0, count: 0 }),
    scrollToBottom() {},
    history: () => ({ lines: 0, scrolledBack: 0 }),
    scrollBack() {},
    showLine: () => false,
    dispose() {
      leavePainter(id);
      host.remove();
    },
  };
}

function drawingOf({ fontPx, lineHeight }: Fit): Drawing {
  const { widthPx, ascentPx, descentPx } = measureCell(fontPx);
  return { fontPx, lineHeight, advancePx: widthPx, ascentPx, descentPx, ratio: window.devicePixelRatio };
}
