// One terminal's stream over a WebSocket that comes back by itself: carries out what attach-state.ts decides.
import { AttachCloseCode, attachPath, decodeServerFrame, encodeViewerFrame } from "@kolu/contract/attach.ts";
import { retryDelayMs } from "../store/link.ts";
import {
  type AttachEffect,
  type AttachEvent,
  type AttachState,
  attachQuery,
  attachStep,
  FIRST_ATTACH,
} from "./attach-state.ts";
import type { Grid } from "./geometry.ts";

/** What shows the stream. `onConsumed` tells when bytes have been parsed. */
export interface AttachSink {
  begin(grid: Grid, vt: Uint8Array, onConsumed: () => void): void;
  write(bytes: Uint8Array, onConsumed: () => void): void;
  grid(grid: Grid): void;
}

export interface Attachment {
  state(): AttachState;
  /** Dials until stopped. The stream begins with a snapshot that carries this much history. */
  start(options: { scrollbackLines: number }): void;
  /** Ends the stream. Input that waits is kept for the next start. */
  stop(): void;
  /** Dials at once, also when a socket seems open: the network or the page was away. */
  redial(): void;
  type(bytes: Uint8Array): void;
  setRoom(grid: Grid): void;
  setFocused(focused: boolean): void;
  forgetLoss(): void;
}

export interface AttachOptions {
  id: string;
  sink: AttachSink;
  openSocket(url: string): WebSocket;
  onState(state: AttachState): void;
  /** There is no such terminal, nor a saved screen of one. */
  onGone(): void;
}

/** A dial that has not begun by then is given up. */
const BEGIN_LIMIT_MS = 10_000;
/** How long a small rest of consumed output may wait for more before it is acknowledged. */
const ACK_DELAY_MS = 100;
/** The pause before input that was refused is offered again. */
const REFUSED_RETRY_MS = 250;

export function createAttachment({ id, sink, openSocket, onState, onGone }: AttachOptions): Attachment {
  // Names this viewer over its reconnects, so that input sent twice is written once.
  const viewer = crypto.randomUUID();
  let state = FIRST_ATTACH;
  let socket: WebSocket | null = null;
  let running = false;
  let attempt = 0;
  let scrollback = 0;
  /** The server has no such terminal: only a new start may find one. */
  let ended = false;
  let redialTimer: ReturnType<typeof setTimeout> | undefined;
  let beginTimer: ReturnType<typeof setTimeout> | undefined;
  let inputTimer: ReturnType<typeof setTimeout> | undefined;

  function apply(event: AttachEvent): void {
    const step = attachStep(state, event);
    const changed = step.state !== state;
    state = step.state;
    for (const effect of step.effects) perform(effect);
    if (changed) onState(state);
  }

  function perform(effect: AttachEffect): void {
    switch (effect.kind) {
      case "send":
        // A socket that is closing takes nothing more; what counts is sent again on the next one.
        if (socket?.readyState === WebSocket.OPEN)
          socket.send(encodeViewerFrame(effect.frame) as Uint8Array<ArrayBuffer>);
        break;
      case "begin":
        sink.begin(effect.grid, effect.vt, consumedAt(effect.endOffset));
        break;
      case "write":
        sink.write(effect.bytes, consumedAt(effect.endOffset));
        break;
      case "grid":
        sink.grid(effect.grid);
        break;
      case "ack-later":
        setTimeout(() => apply({ kind: "ack-due" }), ACK_DELAY_MS);
        break;
      case "retry-later":
        clearTimeout(inputTimer);
        inputTimer = setTimeout(() => apply({ kind: "retry-input" }), REFUSED_RETRY_MS);
        break;
      case "drop":
        console.error(`The stream of terminal ${id} broke its protocol: ${effect.reason}`);
        hangUp();
        break;
      default:
        effect satisfies never;
    }
  }

  function consumedAt(offset: number): () => void {
    return () => apply({ kind: "consumed", offset });
  }

  function dial(): void {
    clearTimeout(redialTimer);
    if (!running || socket) return;
    apply({ kind: "dialling" });
    const dialled = openSocket(attachPath(id, attachQuery(state, viewer, scrollback)));
    dialled.binaryType = "arraybuffer";
    socket = dialled;
    beginTimer = setTimeout(hangUp, BEGIN_LIMIT_MS);
    dialled.onopen = () => apply({ kind: "opened" });
    dialled.onmessage = (event) => receive(event.data);
    dialled.onclose = ({ code }) => {
      if (code === AttachCloseCode.removed) ended = true;
      hangUp();
      if (ended) onGone();
    };
  }

  function receive(data: unknown): void {
    const frame = data instanceof ArrayBuffer ? decodeServerFrame(new Uint8Array(data)) : null;
    if (!frame) {
      perform({ kind: "drop", reason: "A frame is not one of the contract's." });
      return;
    }
    if (frame.kind === "snapshot" || frame.kind === "resume") {
      clearTimeout(beginTimer);
      attempt = 0;
    }
    apply({ kind: "frame", frame });
  }

  /** Lets go of the socket, in whatever condition, and dials again when the stream should go on. */
  function hangUp(): void {
    if (!socket) return;
    const left = socket;
    socket = null;
    left.onopen = left.onmessage = left.onclose = null;
    left.close();
    clearTimeout(beginTimer);
    clearTimeout(inputTimer);
    apply({ kind: "closed" });
    // After an exit there is nothing more to come until somebody starts the terminal anew.
    if (running && !state.exit && !ended) redialTimer = setTimeout(dial, retryDelayMs(attempt++));
  }

  return {
    state: () => state,
    start({ scrollbackLines }) {
      if (running) return;
      scrollback = scrollbackLines;
      running = true;
      ended = false;
      attempt = 0;
      state = { ...state, position: null, exit: null };
      dial();
    },
    stop() {
      running = false;
      clearTimeout(redialTimer);
      hangUp();
      state = { ...state, position: null };
    },
    redial() {
      if (!running || state.exit || ended) return;
      attempt = 0;
      hangUp();
      dial();
    },
    type: (bytes) => apply({ kind: "typed", bytes }),
    setRoom: (grid) => apply({ kind: "room", grid }),
    setFocused: (focused) => apply({ kind: "focus", focused }),
    forgetLoss: () => apply({ kind: "loss-seen" }),
  };
}
