// A terminal as this page has it: its stream and its view, alive as far as somebody can see it. One for each terminal,
// whatever tile, tab or maximised frame shows it: moving between them keeps stream, scroll place and selection.
import { type Attachment, createAttachment } from "./attach.ts";
import type { AttachState } from "./attach-state.ts";
import { FONT_MAX_PX, FONT_MIN_PX, fontsReady, measureCell } from "./fonts.ts";
import { fitGrid, type Grid, gridFor } from "./geometry.ts";
import type { Tier } from "./lifecycle.ts";
import type { ScrollPlace, TerminalAction, TerminalColorScheme, TerminalView, ViewEvents } from "./view.ts";

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
  /** Another viewer's grid, drawn inside this larger frame. */
  letterboxed: boolean;
  scroll: ScrollPlace;
  hasSelection: boolean;
  /** Text that the program offers for the clipboard, until the person has answered. */
  offer: string | null;
  searching: boolean;
}

export interface SessionOptions {
  id: string;
  openSocket(url: string): WebSocket;
  createView(events: ViewEvents, scheme: TerminalColorScheme): TerminalView;
  scheme: TerminalColorScheme;
  /** The keyboard came to this terminal. */
  onFocus(id: string): void;
  onFont(id: string, fontPx: number | null): void;
}

export interface Session {
  readonly id: string;
  state(): SessionState;
  subscribe(listener: () => void): () => void;
  setTier(tier: Tier): void;
  /** Shows the terminal in an element; the last one to ask has it. */
  mount(element: HTMLElement): void;
  unmount(element: HTMLElement): void;
  setFrame(frame: Frame): void;
  setColors(scheme: TerminalColorScheme): void;
  /** Dials again: the network was away, or the terminal has come back to life. */
  redial(options: { fresh: boolean }): void;
  view(): TerminalView | null;
  /** Gives the keyboard to the terminal, as soon as it is there. */
  focus(): void;
  act(action: TerminalAction): void;
  endSearch(): void;
  answerOffer(taken: boolean): void;
  forgetLoss(): void;
  dispose(): void;
}

/** Output of terminals without the keyboard is shown in steps of this: the eye does not miss it, the processor does. */
const GATHER_MS = 100;
const AT_END: ScrollPlace = { atBottom: true, atTop: false };

export function createSession(options: SessionOptions): Session {
  const { id } = options;
  const listeners = new Set<() => void>();
  let scheme = options.scheme;
  let tier: Tier = "off-screen";
  let view: TerminalView | null = null;
  let slot: HTMLElement | null = null;
  let frame: Frame | null = null;
  let wantsFocus = false;
  let disposed = false;
  const attachment: Attachment = createAttachment({
    id,
    openSocket: options.openSocket,
    sink: {
      begin(grid, vt, onConsumed) {
        view?.reset(grid);
        view?.write(vt, onConsumed);
        update({ shown: true, scroll: AT_END });
      },
      write: (bytes, onConsumed) => view?.write(bytes, onConsumed),
      grid: (grid) => view?.resize(grid),
    },
    onState(attach) {
      update({ attach });
      settleTier();
    },
  });
  let state: SessionState = {
    attach: attachment.state(),
    shown: false,
    letterboxed: false,
    scroll: AT_END,
    hasSelection: false,
    offer: null,
    searching: false,
  };

  function update(changed: Partial<SessionState>): void {
    state = { ...state, ...changed };
    for (const listener of listeners) listener();
  }

  const events: ViewEvents = {
    onInput: (bytes) => attachment.type(bytes),
    onFocus(focused) {
      attachment.setFocused(focused);
      if (focused) options.onFocus(id);
    },
    onClipboardOffer: (offer) => update({ offer }),
    onAction: act,
    onSelection: (hasSelection) => update({ hasSelection }),
    onScroll(scroll) {
      const { atBottom, atTop } = state.scroll;
      if (atBottom !== scroll.atBottom || atTop !== scroll.atTop) update({ scroll });
    },
    onGrid: () => fitToFrame(),
  };

  /** Alive while seen, and a little longer while something that was typed has not been delivered. */
  function settleTier(): void {
    const alive =
      tier !== "off-screen" || (view !== null && state.attach.outboxBytes > 0 && !state.attach.exit);
    if (alive && !view && !disposed) void wake();
    if (!alive && view) sleep();
    view?.setPace(tier === "focused" ? 0 : GATHER_MS);
  }

  async function wake(): Promise<void> {
    await fontsReady;
    if (view || disposed || tier === "off-screen") return;
    view = options.createView(events, scheme);
    if (slot) view.open(slot);
    fitToFrame();
    view.setPace(tier === "focused" ? 0 : GATHER_MS);
    attachment.start();
    if (wantsFocus) focus();
  }

  function sleep(): void {
    attachment.stop();
    view?.dispose();
    view = null;
    update({ shown: false, hasSelection: false, searching: false, scroll: AT_END });
  }

  function fitToFrame(): void {
    if (!frame || !view) return;
    const { box, fontPx, zoom } = frame;
    const room = gridFor(box, measureCell(fontPx));
    attachment.setRoom(room);
    const grid: Grid = view.grid() ?? room;
    const fit = fitGrid({ grid, box, fontPx, zoom, measure: measureCell });
    view.setFit(fit);
    if (fit.letterboxed !== state.letterboxed) update({ letterboxed: fit.letterboxed });
  }

  function focus(): void {
    wantsFocus = view === null;
    view?.focus();
  }

  function act(action: TerminalAction): void {
    switch (action) {
      case "copy":
        void copySelection();
        break;
      case "paste":
        void navigator.clipboard.readText().then((text) => view?.paste(text));
        break;
      case "search":
        update({ searching: true });
        break;
      case "font-larger":
      case "font-smaller": {
        const step = action === "font-larger" ? 1 : -1;
        const fontPx = (frame?.fontPx ?? 14) + step;
        options.onFont(id, Math.max(FONT_MIN_PX, Math.min(FONT_MAX_PX, fontPx)));
        break;
      }
      case "font-reset":
        options.onFont(id, null);
        break;
      default:
        action satisfies never;
    }
  }

  async function copySelection(): Promise<void> {
    const text = view?.selection() ?? "";
    if (text === "") return;
    await navigator.clipboard.writeText(text);
  }

  return {
    id,
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    setTier(next) {
      if (next === tier) return;
      tier = next;
      settleTier();
    },
    mount(element) {
      slot = element;
      view?.open(element);
    },
    unmount(element) {
      if (slot === element) slot = null;
    },
    setFrame(next) {
      frame = next;
      fitToFrame();
    },
    setColors(next) {
      scheme = next;
      view?.setColors(next);
    },
    redial({ fresh }) {
      if (!view) return;
      if (!fresh) return attachment.redial();
      attachment.stop();
      attachment.start();
    },
    view: () => view,
    focus,
    act,
    endSearch() {
      view?.search("", "next", () => {});
      update({ searching: false });
      view?.focus();
    },
    answerOffer(taken) {
      const { offer } = state;
      update({ offer: null });
      if (taken && offer !== null) void navigator.clipboard.writeText(offer);
      view?.focus();
    },
    forgetLoss: () => attachment.forgetLoss(),
    dispose() {
      disposed = true;
      sleep();
      listeners.clear();
    },
  };
}
