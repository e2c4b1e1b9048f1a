// A terminal as this page has it: its stream and its view, alive as far as somebody can see it. One for each terminal,
// whatever tile, tab or maximised frame shows it: moving between them keeps stream, scroll place and selection.
import { HOT_LINES, SCROLLBACK_LINES } from "@kolu/contract/limits.ts";
import type { TerminalColorScheme } from "@kolu/contract/terminal-schemes.ts";
import { type Attachment, createAttachment } from "./attach.ts";
import type { AttachState } from "./attach-state.ts";
import type { LineTarget } from "./find-row.ts";
import { measureCell } from "./fonts.ts";
import type { FrameQueue } from "./frame-queue.ts";
import { type Fit, fitGrid, type Grid, gridFor } from "./geometry.ts";
import type { Tier } from "./lifecycle.ts";
import { createStage, type ViewKind } from "./stage.ts";
import type { ScrollPlace, TerminalView, ViewEvents, ViewStart } from "./view.ts";

/** Where and how large a terminal is drawn. */
export interface Frame {
  /** The body of the tile in canvas pixels. */
  box: { w: number; h: number };
  zoom: number;
  fontPx: number;
}

/** What the tile says about its terminal. */
export interface SessionState {
  attach: AttachState;
  /** The stream has shown something since the view was made. */
  shown: boolean;
  /** The server has nothing to show of it. */
  gone: boolean;
  /** Another viewer's grid, drawn inside this larger frame. */
  letterboxed: boolean;
  scroll: ScrollPlace;
  /** Text that the program offers for the clipboard, until the person has answered. */
  offer: string | null;
  searching: boolean;
}

export interface SessionOptions {
  id: string;
  /** Where laying out waits its turn. */
  frames: FrameQueue;
  openSocket(url: string): WebSocket;
  /** What a view needs has come: fonts to measure, code to run. */
  ready: Promise<unknown>;
  createView(kind: ViewKind, events: ViewEvents, start: ViewStart): TerminalView;
  scheme: TerminalColorScheme;
  /** Puts text into the person's clipboard, and says so when it cannot. */
  copy(text: string): void;
  /** Whether it should be live may have another answer now. */
  onWish(): void;
  /** The keyboard came to this terminal. */
  onFocus(id: string): void;
  /** Whether the keyboard may go to this terminal now, although a while has passed since somebody asked for that. */
  mayFocus(id: string): boolean;
  /** The line that somebody wanted to see is not there any more. */
  onLineGone(): void;
  /** Whether the keyboard goes along with a person who goes to a terminal. */
  keyboardFollows(): boolean;
  /** What a modifier held on the page makes of typed bytes. */
  typed(bytes: Uint8Array): Uint8Array;
}

export interface Session {
  readonly id: string;
  state(): SessionState;
  subscribe(listener: () => void): () => void;
  setTier(tier: Tier, gatherMs: number): void;
  /** Shows the terminal in an element; the last one to ask has it. */
  mount(element: HTMLElement): void;
  unmount(element: HTMLElement): void;
  setFrame(frame: Frame): void;
  /** The pointer is over it: from now on a position must mean a cell, and soon the terminal is live. */
  pointerCame(): void;
  pointerLeft(): void;
  /** A press into it; a painted terminal turns live and takes the keyboard. */
  pressed(): void;
  /** The wheel over it; a painted terminal turns live and then scrolls. */
  wheeled(event: WheelEvent): void;
  /** Somebody does here what only a live terminal can: points, reads back, searches, has something selected. */
  wishesLive(): boolean;
  setColors(scheme: TerminalColorScheme): void;
  /** Dials again: the network was away, or the terminal has come back to life. */
  redial(options: { fresh: boolean }): void;
  view(): TerminalView | null;
  /** Gives the keyboard to the terminal, as soon as it is there. */
  focus(): void;
  /** Scrolls to a line that was found in this terminal, as soon as it is here; says so when it is gone. */
  reveal(target: LineTarget): void;
  /** The person wants it at the size of this page, without typing anything. */
  takeGrid(): void;
  startSearch(): void;
  endSearch(): void;
  answerOffer(taken: boolean): void;
  forgetLoss(): void;
  dispose(): void;
}

/** A painted terminal does not scroll: it has only the rows that it takes back when it grows. */
const PAINTED_HISTORY_LINES = 200;
/** How long a tile keeps a size before the program in it is told. */
const ROOM_REST_MS = 60;
/** A terminal that is entered may get another grid: a line that was just shown is shown again then. */
const REVEAL_REST_MS = 1_500;
/** A pointer that rests this long means this terminal; one that passes over does not. */
const POINTER_REST_MS = 100;
const AT_END: ScrollPlace = { atBottom: true, atTop: false };

export function createSession(options: SessionOptions): Session {
  const { id } = options;
  const listeners = new Set<() => void>();
  let scheme = options.scheme;
  let tier: Tier = "off-screen";
  let gatherMs = 0;
  const stage = createStage((run) => requestAnimationFrame(run));
  let pointerOver = false;
  let pointerTimer: ReturnType<typeof setTimeout> | undefined;
  const heldWheel: WheelEvent[] = [];
  let frame: Frame | null = null;
  let wantsFocus = false;
  let hadFocus = false;
  let laidOut: Frame | null = null;
  let deep = false;
  let keptPlace: number | null = null;
  let wantedLine: { target: LineTarget; shownAtMs: number | null } | null = null;
  let disposed = false;
  let roomTimer: ReturnType<typeof setTimeout> | undefined;
  const attachment: Attachment = createAttachment({
    id,
    openSocket: options.openSocket,
    sink: {
      begin(grid, vt, onConsumed) {
        const place = keptPlace;
        keptPlace = null;
        const view = stage.view();
        view?.reset(grid);
        view?.write(vt, () => {
          onConsumed();
          // A new screen begins at its end, unless the person was somewhere in its history.
          if (place === null) view.scrollToBottom();
          else view.scrollBack(place);
          settleLine();
          stage.reveal(onRevealed);
        });
        update({ gone: false, scroll: AT_END });
      },
      write: (bytes, onConsumed) => stage.view()?.write(bytes, onConsumed),
      grid: (grid) => stage.view()?.resize(grid),
    },
    onState(attach) {
      update({ attach });
      settleTier();
    },
    onGone: () => update({ gone: true }),
  });
  let state: SessionState = {
    attach: attachment.state(),
    shown: false,
    gone: false,
    letterboxed: false,
    scroll: AT_END,
    offer: null,
    searching: false,
  };

  function update(changed: Partial<SessionState>): void {
    state = { ...state, ...changed };
    for (const listener of listeners) listener();
  }

  /** What a view tells; of one that another has taken the place of, only what a person still does in it counts. */
  function eventsOf(isCurrent: () => boolean): ViewEvents {
    return {
      onInput: (bytes) => attachment.type(options.typed(bytes)),
      onFocus(focused) {
        attachment.setFocused(focused);
        if (focused) options.onFocus(id);
      },
      onClipboardOffer: (offer) => update({ offer }),
      onCopy: copySelection,
      onScroll(scroll) {
        if (!isCurrent()) return;
        if (scroll.atTop) wantHistory();
        const { atBottom, atTop } = state.scroll;
        if (atBottom !== scroll.atBottom || atTop !== scroll.atTop) update({ scroll });
      },
      onGrid() {
        if (!isCurrent()) return;
        fitToFrame();
        // What is only just beginning has no lines yet.
        if (wantedLine?.shownAtMs != null) settleLine();
      },
    };
  }

  function onRevealed(): void {
    update({ shown: true });
    settleLine();
    for (const event of heldWheel.splice(0)) repeatWheel(event, stage.slot());
  }

  /** Alive while seen, and a little longer while something that was typed has not been delivered. */
  function settleTier(): void {
    const has = stage.view() !== null;
    const alive = tier !== "off-screen" || (has && state.attach.outboxBytes > 0 && !state.attach.exit);
    if (alive && !has && !disposed) wakeSoon();
    if (!alive && has) sleep();
    if (has && tier !== "off-screen") turn(kindAt(tier));
    stage.view()?.setPace(gatherMs);
  }

  /** The terminal with the keyboard at once, the others one a frame. */
  function wakeSoon(): void {
    void options.ready.then(() => {
      if (tier === "focused") wake();
      else options.frames.ask(id, wake);
    });
  }

  function wake(): void {
    if (stage.view() || disposed || tier === "off-screen" || !frame) return;
    show(kindAt(tier), null);
  }

  /** Gives the terminal the other kind of view, with a new beginning of its stream. */
  function turn(kind: ViewKind): void {
    if (stage.kind() === kind || !frame) return;
    attachment.stop();
    show(kind, stage.view()?.grid() ?? null);
  }

  function show(kind: ViewKind, grid: Grid | null): void {
    const { fit, room } = layOut(frame!, grid);
    if (grid === null) attachment.setRoom(room);
    laidOut = frame;
    const view: TerminalView = options.createView(
      kind,
      eventsOf(() => stage.view() === view),
      { scheme, grid: grid ?? room, fit },
    );
    stage.put(kind, view);
    view.setPace(gatherMs);
    deep = false;
    keptPlace = null;
    attachment.start({ scrollbackLines: kind === "live" ? HOT_LINES : PAINTED_HISTORY_LINES });
    settleLateFocus();
  }

  /** At once, ahead of the deciding for all terminals. */
  function goLive(): void {
    if (tier === "painted") tier = "visible";
    settleTier();
    options.onWish();
  }

  /** The person came to the top of what the first snapshot brought: all that is kept is fetched, the place stays. */
  function wantHistory(): void {
    const view = stage.view();
    if (deep || !view || !stage.isRevealed() || isAllHere(view)) return;
    const { lines, scrolledBack } = view.history();
    if (scrolledBack < lines) return;
    keptPlace = scrolledBack;
    fetchAll();
  }

  function fetchAll(): void {
    deep = true;
    attachment.stop();
    attachment.start({ scrollbackLines: SCROLLBACK_LINES });
  }

  /** Shows the line that somebody wants to see; further back than what is here, all that is kept is fetched first. */
  function settleLine(): void {
    const view = stage.view();
    if (!wantedLine || !view?.grid() || !state.shown || stage.kind() !== "live" || !stage.isRevealed())
      return;
    const { target, shownAtMs } = wantedLine;
    if (shownAtMs !== null && performance.now() - shownAtMs > REVEAL_REST_MS) {
      wantedLine = null;
      return;
    }
    if (view.showLine(target)) wantedLine = { target, shownAtMs: shownAtMs ?? performance.now() };
    else if (!deep && !isAllHere(view)) fetchAll();
    else {
      wantedLine = null;
      if (shownAtMs === null) options.onLineGone();
    }
  }

  function sleep(): void {
    options.frames.forget(id);
    attachment.stop();
    stage.clear();
    heldWheel.length = 0;
    laidOut = null;
    update({ shown: false, gone: false, searching: false, scroll: AT_END });
  }

  /** Lays the terminal out for its frame. */
  function fitToFrame(): void {
    const view = stage.view();
    if (!frame || !view) return; // What waits for its frame then is the waking itself.
    options.frames.forget(id);
    laidOut = frame;
    const { fit, room } = layOut(frame, view.grid());
    sayRoom(room);
    view.setFit(fit);
    if (fit.letterboxed !== state.letterboxed) update({ letterboxed: fit.letterboxed });
  }

  /** At once the first time; while a hand drags an edge, when it rests for a moment: each grid repaints the program. */
  function sayRoom(room: Grid): void {
    clearTimeout(roomTimer);
    if (state.attach.room === null) attachment.setRoom(room);
    else roomTimer = setTimeout(() => attachment.setRoom(room), ROOM_REST_MS);
  }

  function focus(): void {
    if (!options.keyboardFollows()) return;
    if (stage.kind() === "painted") goLive();
    wantsFocus = true;
    settleFocus();
  }

  /** Carries out a wish for the keyboard once there is something on the page to have it. */
  function settleFocus(): void {
    if (!wantsFocus || stage.kind() !== "live" || !stage.slot()) return;
    wantsFocus = false;
    stage.view()?.focus();
  }

  /** The same after a while in which the person may have gone elsewhere. */
  function settleLateFocus(): void {
    if (options.mayFocus(id)) settleFocus();
    else wantsFocus = false;
  }

  function copySelection(): void {
    const text = stage.view()?.selection() ?? "";
    if (text !== "") options.copy(text);
  }

  return {
    id,
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    setTier(next, gather) {
      if (next === tier && gather === gatherMs) return;
      tier = next;
      gatherMs = gather;
      settleTier();
    },
    mount(element) {
      hadFocus ||= stage.slot()?.contains(document.activeElement) === true;
      stage.mount(element);
      // Moving an element takes the keyboard from it.
      wantsFocus ||= hadFocus;
      hadFocus = false;
      settleLateFocus();
    },
    unmount(element) {
      hadFocus ||= element.contains(document.activeElement);
      if (stage.slot() === element) stage.mount(null);
    },
    setFrame(next) {
      const first = frame === null;
      frame = next;
      if (first) settleTier();
      else if (stage.view() && laidOut && tier !== "focused" && isZoomed(laidOut, next)) {
        stage.view()?.setStretch(next.zoom / laidOut.zoom);
        options.frames.ask(id, fitToFrame);
      } else fitToFrame();
    },
    pointerCame() {
      if (laidOut !== frame) fitToFrame();
      clearTimeout(pointerTimer);
      pointerTimer = setTimeout(() => {
        pointerOver = true;
        options.onWish();
      }, POINTER_REST_MS);
    },
    pointerLeft() {
      clearTimeout(pointerTimer);
      pointerOver = false;
    },
    pressed() {
      if (stage.kind() !== "painted") return;
      goLive();
      focus();
    },
    wheeled(event) {
      if (stage.isRevealed() && stage.kind() === "live") return;
      heldWheel.push(event);
      pointerOver = true;
      goLive();
    },
    wishesLive: () =>
      pointerOver ||
      wantedLine !== null ||
      state.searching ||
      !state.scroll.atBottom ||
      (stage.view()?.selection() ?? "") !== "",
    setColors(next) {
      if (next === scheme) return;
      scheme = next;
      stage.view()?.setColors(next);
    },
    redial({ fresh }) {
      if (!stage.view()) return;
      if (!fresh) return attachment.redial();
      attachment.stop();
      attachment.start({ scrollbackLines: deep ? SCROLLBACK_LINES : HOT_LINES });
    },
    view: stage.view,
    focus,
    reveal(target) {
      wantedLine = { target, shownAtMs: null };
      goLive();
      settleLine();
    },
    takeGrid() {
      attachment.setFocused(true);
      // Nothing has the keyboard: a page that dials again must not take the grid once more.
      attachment.setFocused(false);
    },
    startSearch() {
      update({ searching: true });
      goLive();
    },
    endSearch() {
      stage.view()?.search("", "next", () => {});
      update({ searching: false });
      stage.view()?.focus();
    },
    answerOffer(taken) {
      const { offer } = state;
      update({ offer: null });
      if (taken && offer !== null) options.copy(offer);
      focus();
    },
    forgetLoss: () => attachment.forgetLoss(),
    dispose() {
      disposed = true;
      clearTimeout(roomTimer);
      clearTimeout(pointerTimer);
      sleep();
      listeners.clear();
    },
  };
}

/** Whether the first snapshot held all lines that there are. A screen that grew since has taken some of them. */
function isAllHere(view: TerminalView): boolean {
  return view.history().lines + (view.grid()?.rows ?? 0) < HOT_LINES;
}

function kindAt(tier: Tier): ViewKind {
  return tier === "painted" ? "painted" : "live";
}

/** What this page could show in a frame, and how it draws a grid there (its own, unless the PTY has another). */
function layOut({ box, fontPx, zoom }: Frame, grid: Grid | null): { fit: Fit; room: Grid } {
  const room = gridFor(box, measureCell(fontPx));
  return { room, fit: fitGrid({ grid: grid ?? room, box, fontPx, zoom, measure: measureCell }) };
}

/** Turns the wheel once more, for the view that lies there by now. */
function repeatWheel(event: WheelEvent, slot: HTMLElement | null): void {
  const target = document.elementFromPoint(event.clientX, event.clientY);
  if (target && slot?.contains(target)) target.dispatchEvent(new WheelEvent("wheel", event));
}

/** The same terminal in the same tile, seen from nearer or farther. */
function isZoomed(a: Frame, b: Frame): boolean {
  return a.zoom !== b.zoom && a.fontPx === b.fontPx && a.box.w === b.box.w && a.box.h === b.box.h;
}
