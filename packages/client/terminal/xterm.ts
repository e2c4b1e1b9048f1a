// A terminal painted by xterm.js: the only file of the page that knows it. Whatever a program asks a terminal about
// itself is answered by kaval, once, for all viewers: the engine's own answers are turned off here.
import "@xterm/xterm/css/xterm.css";
import { SCROLLBACK_LINES } from "@kolu/contract/limits.ts";
import type { TerminalColorScheme } from "@kolu/contract/terminal-schemes.ts";
import { type EmulatorCore, repair } from "@kolu/emulator/repairs.ts";
import { SearchAddon } from "@xterm/addon-search";
import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import { type IMarker, type ITheme, Terminal } from "@xterm/xterm";
import { platform } from "../keys/platform.ts";
import { parseClipboardOffer } from "./clipboard.ts";
import { guardComposition } from "./composition.ts";
import { findRow, type LineTarget } from "./find-row.ts";
import { TERMINAL_FONT } from "./font-names.ts";
import type { Fit, Grid } from "./geometry.ts";
import { placeHost, stretchHost } from "./host.ts";
import { meaningOf } from "./keyboard.ts";
import { createLinkProvider, type PathLinks } from "./link-provider.ts";
import { openableUrl } from "./links.ts";
import { OutputQueue } from "./output-queue.ts";
import type { SearchResult, TerminalView, ViewEvents, ViewStart } from "./view.ts";

/** Every foreground is lifted to this contrast on every background: a diff must read on any scheme. */
const MINIMUM_CONTRAST = 4.5;
const FOCUS_IN = "\x1b[I";
const FOCUS_OUT = "\x1b[O";
const utf8 = new TextEncoder();

export function createXtermView(
  events: ViewEvents,
  { scheme, grid, fit }: ViewStart,
  paths: PathLinks,
): TerminalView {
  const terminal = new Terminal({
    allowProposedApi: true,
    cols: grid.cols,
    rows: grid.rows,
    fontSize: fit.fontPx,
    lineHeight: fit.lineHeight,
    cursorBlink: true,
    cursorInactiveStyle: "outline",
    fontFamily: TERMINAL_FONT,
    fontWeightBold: "bold",
    linkHandler: { activate: (_event, uri) => openLink(uri), allowNonHttpProtocols: false },
    macOptionClickForcesSelection: true,
    minimumContrastRatio: MINIMUM_CONTRAST,
    rescaleOverlappingGlyphs: true,
    scrollback: SCROLLBACK_LINES,
    theme: themeOf(scheme),
  });
  const host = document.createElement("div");
  host.className = "terminal-host";
  applyFit(terminal, host, fit);
  const search = new SearchAddon();
  terminal.loadAddon(new UnicodeGraphemesAddon());
  terminal.unicode.activeVersion = "15-graphemes";
  terminal.registerLinkProvider(
    createLinkProvider({ buffer: () => terminal.buffer.active, openUrl: openLink, paths }),
  );
  terminal.loadAddon(search);

  let lit: IMarker | null = null;
  let begun = false;
  function show(grid: Grid): void {
    if (grid.cols !== terminal.cols || grid.rows !== terminal.rows) terminal.resize(grid.cols, grid.rows);
    begun = true;
    events.onGrid(grid);
  }
  const output = new OutputQueue({
    write: (bytes, done) => terminal.write(bytes, done),
    resize: show,
    reset(grid) {
      terminal.reset();
      show(grid);
    },
  });

  let onResult: (result: SearchResult) => void = () => {};
  search.onDidChangeResults(({ resultIndex, resultCount }) =>
    onResult({ index: resultIndex + 1, count: resultCount }),
  );
  // The engine shows no cursor before somebody has worked in the terminal, unless it is told to: where a program waits
  // is seen at once.
  terminal.write("\x1b[?25h");
  repair(terminal, (terminal as unknown as { _core: EmulatorCore })._core);
  silenceReplies(terminal);
  let disposed = false;
  void import("./images.ts").then(({ createImages }) => {
    if (disposed) return;
    terminal.loadAddon(createImages());
    // Whoever registers last is asked first, and this one would answer by itself.
    silenceReplies(terminal);
  });
  terminal.parser.registerOscHandler(52, (payload) => {
    const text = parseClipboardOffer(payload);
    if (text !== null) events.onClipboardOffer(text);
    return true;
  });
  terminal.onData((data) => {
    // The engine also reports focus the moment a program asks for it, from every page at once; ours go out below.
    if (data !== FOCUS_IN && data !== FOCUS_OUT) events.onInput(utf8.encode(data));
  });
  terminal.onBinary((data) => events.onInput(Uint8Array.from(data, (character) => character.charCodeAt(0))));
  terminal.onScroll(() => {
    const { viewportY, baseY } = terminal.buffer.active;
    events.onScroll({ atBottom: viewportY === baseY, atTop: viewportY === 0 });
  });
  const composition = guardComposition(host, (text) => events.onInput(utf8.encode(text)));
  terminal.attachCustomKeyEventHandler((event) => !composition.holds(event) && onKey(event, events));

  function openFirst(): void {
    terminal.open(host);
    host.addEventListener("mousedown", () => {
      if (document.activeElement === terminal.textarea) events.onFocus(true);
    });
    host.addEventListener("paste", (event) => onPaste(event, terminal), { capture: true });
    terminal.textarea!.autocomplete = "off";
    terminal.textarea!.addEventListener("focus", () => onFocus(true));
    terminal.textarea!.addEventListener("blur", () => onFocus(false));
  }
  function onFocus(focused: boolean): void {
    events.onFocus(focused);
    if (terminal.modes.sendFocusMode) events.onInput(utf8.encode(focused ? FOCUS_IN : FOCUS_OUT));
  }

  return {
    open(element) {
      element.append(host);
      if (!terminal.element) openFirst();
    },
    write: (bytes, onConsumed) => output.write(bytes, onConsumed),
    reset: (grid) => output.reset(grid),
    resize: (grid) => output.resize(grid),
    grid: () => (begun ? { cols: terminal.cols, rows: terminal.rows } : null),
    setPace: (gatherMs) => output.setGatherMs(gatherMs),
    setFit: (fit) => applyFit(terminal, host, fit),
    setStretch: (scale) => stretchHost(host, scale),
    setColors(next) {
      terminal.options.theme = themeOf(next);
    },
    focus: () => terminal.focus(),
    press({ key, code, ctrl = false, shift = false }) {
      const keys = { key, keyCode: code, ctrlKey: ctrl, shiftKey: shift };
      terminal.textarea?.dispatchEvent(new KeyboardEvent("keydown", { ...keys, cancelable: true }));
    },
    paste: (text) => terminal.paste(text),
    selection: () => terminal.getSelection(),
    clearSelection: () => terminal.clearSelection(),
    search(text, direction, listener, { matchCase, isPattern } = { matchCase: false, isPattern: false }) {
      onResult = listener;
      if (text === "") {
        search.clearDecorations();
        terminal.clearSelection();
        listener({ index: 0, count: 0 });
        return;
      }
      const options = {
        incremental: direction === "here",
        caseSensitive: matchCase,
        regex: isPattern,
        decorations: SEARCH_COLORS,
      };
      // The addon (0.16) marks all matches anew for another text, and forgets to for another manner.
      if (direction === "here") search.clearDecorations();
      if (direction === "previous") search.findPrevious(text, options);
      else search.findNext(text, options);
    },
    scrollToBottom: () => terminal.scrollToBottom(),
    history() {
      const { baseY, viewportY } = terminal.buffer.active;
      return { lines: baseY, scrolledBack: baseY - viewportY };
    },
    scrollBack: (lines) => terminal.scrollToLine(Math.max(0, terminal.buffer.active.baseY - lines)),
    showLine(target) {
      const { active } = terminal.buffer;
      const textOf = (row: number): string => active.getLine(row)?.translateToString(true) ?? "";
      const row = findRow(active.length, textOf, target);
      if (row === null) return false;
      terminal.scrollToLine(Math.max(0, row - Math.floor(terminal.rows / 2)));
      lit?.dispose();
      lit = lightUp(terminal, row, target);
      return true;
    },
    dispose() {
      disposed = true;
      output.end();
      terminal.dispose();
      host.remove();
    },
  };
}

const SEARCH_COLORS = {
  matchBackground: "#5b4a1c",
  matchOverviewRuler: "#e6a23c",
  activeMatchBackground: "#8a6a1f",
  activeMatchColorOverviewRuler: "#e6a23c",
};

/**
 * Queries that xterm.js 6.0 would answer by itself (its InputHandler's calls of triggerDataEvent): device attributes,
 * status and cursor reports, mode and setting requests, palette and colour queries. Each is taken as handled.
 */
function silenceReplies({ parser }: Terminal): void {
  const handled = (): boolean => true;
  for (const id of [
    { final: "c" },
    { prefix: ">", final: "c" },
    { final: "n" },
    { prefix: "?", final: "n" },
    { intermediates: "$", final: "p" },
    { prefix: "?", intermediates: "$", final: "p" },
    { prefix: "?", final: "S" },
  ])
    parser.registerCsiHandler(id, handled);
  parser.registerDcsHandler({ intermediates: "$", final: "q" }, handled);
  // Setting a colour stays the engine's business; a payload with a question in it does not.
  for (const ident of [4, 10, 11, 12]) parser.registerOscHandler(ident, (payload) => payload.includes("?"));
}

function onKey(event: KeyboardEvent, events: ViewEvents): boolean {
  if (event.isComposing) return true;
  const { key, ctrlKey: ctrl, shiftKey: shift, altKey: alt, metaKey: meta } = event;
  const meaning = meaningOf({ key, ctrl, shift, alt, meta }, platform === "mac");
  if (meaning.kind === "program") return true;
  if (meaning.kind === "browser") return false;
  event.preventDefault();
  if (event.type !== "keydown") return false;
  if (meaning.kind === "bytes") events.onInput(utf8.encode(meaning.text));
  else events.onCopy();
  return false;
}

/** Before the engine sees it: left to the browser, a large text is also laid out in the hidden textarea, for seconds. */
function onPaste(event: ClipboardEvent, terminal: Terminal): void {
  const text = event.clipboardData?.getData("text/plain") ?? "";
  if (text === "") return;
  event.preventDefault();
  event.stopPropagation();
  terminal.paste(text);
}

function openLink(uri: string): void {
  const url = openableUrl(uri);
  if (url !== null) window.open(url, "_blank", "noopener,noreferrer");
}

/** How long a line that somebody was taken to stands out. */
const LIGHT_MS = 2_400;

/** Until what it returns is disposed, or for a moment. */
function lightUp(terminal: Terminal, row: number, target: LineTarget): IMarker | null {
  const { baseY, cursorY } = terminal.buffer.active;
  const marker = terminal.registerMarker(row - baseY - cursorY);
  const line = terminal.buffer.active.getLine(row);
  if (!marker || !line) return null;
  // Columns are not characters: wide ones take two.
  const start = line
    .translateToString(true)
    .indexOf(target.text.slice(target.matchStart, target.matchStart + target.matchLength));
  let x = 0;
  while (x < terminal.cols && line.translateToString(false, 0, x).length < start) x++;
  const boxes = [
    { x: 0, width: terminal.cols, className: "lit-line" },
    { x, width: Math.min(target.matchLength, terminal.cols - x), className: "lit-match" },
  ];
  for (const { className, ...box } of boxes)
    if (box.width > 0)
      terminal
        .registerDecoration({ marker, ...box, layer: "top" })
        ?.onRender((element) => element.classList.add(className));
  setTimeout(() => marker.dispose(), LIGHT_MS);
  return marker;
}

function applyFit(terminal: Terminal, host: HTMLElement, fit: Fit): void {
  placeHost(host, fit);
  if (terminal.options.fontSize !== fit.fontPx) terminal.options.fontSize = fit.fontPx;
  if (terminal.options.lineHeight !== fit.lineHeight) terminal.options.lineHeight = fit.lineHeight;
}

function themeOf(scheme: TerminalColorScheme): ITheme {
  const [black, red, green, yellow, blue, magenta, cyan, white] = scheme.ansi;
  const [
    brightBlack,
    brightRed,
    brightGreen,
    brightYellow,
    brightBlue,
    brightMagenta,
    brightCyan,
    brightWhite,
  ] = scheme.ansi.slice(8);
  const { background, foreground, cursor, cursorAccent, selectionBackground } = scheme;
  const named = { background, foreground, cursor, cursorAccent, selectionBackground };
  const normal = { black, red, green, yellow, blue, magenta, cyan, white };
  const bright = {
    brightBlack,
    brightRed,
    brightGreen,
    brightYellow,
    brightBlue,
    brightMagenta,
    brightCyan,
    brightWhite,
  };
  return { ...named, ...normal, ...bright } as ITheme;
}
