// What a terminal on the page can be asked, whoever paints it. xterm.ts answers it with a live xterm.js; a painter in a
// worker can stand beside it because nothing else knows the engine.
import type { TerminalColorScheme } from "@kolu/contract/terminal-schemes.ts";
import type { LineTarget } from "./find-row.ts";
import type { Fit, Grid } from "./geometry.ts";

export interface ViewEvents {
  /** Bytes that a person caused: keys, paste, mouse reports, focus reports. Never an answer to a query. */
  onInput(bytes: Uint8Array): void;
  onFocus(focused: boolean): void;
  /** A program offers text for the clipboard (OSC 52). */
  onClipboardOffer(text: string): void;
  /** The person asked for a copy of the selection. */
  onCopy(): void;
  /** The person scrolled away from the newest line, or back. */
  onScroll(place: ScrollPlace): void;
  /** The grid of what has been parsed changed. */
  onGrid(grid: Grid): void;
}

export interface ScrollPlace {
  atBottom: boolean;
  atTop: boolean;
}

/** What a view begins with: each change afterwards would lay it out once more. */
export interface ViewStart {
  scheme: TerminalColorScheme;
  grid: Grid;
  fit: Fit;
}

export interface SearchManner {
  matchCase: boolean;
  /** The text is a regular expression. */
  isPattern: boolean;
}

export interface SearchResult {
  /** 1-based; 0 when nothing is found. */
  index: number;
  count: number;
}

/** A key that was not pressed on a keyboard: `code` is its `KeyboardEvent.keyCode`, by which the engine knows it. */
export interface SoftKey {
  key: string;
  code: number;
  ctrl?: boolean;
  shift?: boolean;
}

export interface TerminalView {
  /** Puts the terminal into an element of the page; moving it to another one keeps everything. */
  open(element: HTMLElement): void;
  /** Queues output. `onConsumed` runs when it has been parsed, in order. */
  write(bytes: Uint8Array, onConsumed: () => void): void;
  /** Queues a new beginning at a grid: what is queued and not parsed is dropped without its `onConsumed`. */
  reset(grid: Grid): void;
  /** Queues a change of grid, in order with output. */
  resize(grid: Grid): void;
  /** The grid of what has been parsed; null before the first beginning. */
  grid(): Grid | null;
  /** Whether output is parsed at once or gathered for up to this many milliseconds. */
  setPace(gatherMs: number): void;
  setFit(fit: Fit): void;
  /** Shows what the last fit laid out at another scale, until the next fit. For moments only: positions do not fit. */
  setStretch(scale: number): void;
  setColors(scheme: TerminalColorScheme): void;
  focus(): void;
  /** Types a key in the way that the program has asked for, without taking the keyboard. */
  press(key: SoftKey): void;
  /** Types text as one paste. */
  paste(text: string): void;
  selection(): string;
  clearSelection(): void;
  /**
   * Finds upwards or downwards from the last match, or stays at it while the text grows; "" ends the search. Answers through
   * `onResult`, also later.
   */
  search(
    text: string,
    direction: "next" | "previous" | "here",
    onResult: (result: SearchResult) => void,
    manner?: SearchManner,
  ): void;
  scrollToBottom(): void;
  /** Lines above the screen, and how many of them are scrolled back. */
  history(): { lines: number; scrolledBack: number };
  scrollBack(lines: number): void;
  /** Scrolls to a line and lights it up for a moment. False: it is not among the lines that are here. */
  showLine(target: LineTarget): boolean;
  dispose(): void;
}
