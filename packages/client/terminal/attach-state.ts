// One viewer's side of /attach, decided without sockets, screens or timers: events in, the next state and what to do
// out. Promises, whatever the connection does: output is shown once and without a gap, input is delivered once and in
// order or is still counted as waiting, and nothing that was typed vanishes without being said.
import type { AttachQuery, ServerFrame, ViewerFrame } from "@kolu/contract/attach.ts";
import { INPUT_QUEUE_MAX_BYTES } from "@kolu/contract/limits.ts";
import type { Grid } from "./geometry.ts";

export interface PendingInput {
  seq: number;
  bytes: Uint8Array;
}

export interface AttachState {
  /** dialling: a socket is on its way. opened: it is open, and the server has not said yet where it begins. */
  phase: "closed" | "dialling" | "opened" | "live";
  /** Which kaval these bytes came from, and the next one wanted. */
  position: { boot: string; offset: number } | null;
  /** Everything before it has been parsed by the view. */
  consumedOffset: number;
  ackedOffset: number;
  /** `ack-later` is on its way. */
  ackAsked: boolean;
  nextSeq: number;
  /** Input that the server has not acknowledged, oldest first. */
  outbox: readonly PendingInput[];
  outboxBytes: number;
  /** How many of the outbox were sent on this connection. */
  sentCount: number;
  /** The kaval that the outbox was typed at: null before the first frame ever. */
  outboxBoot: string | null;
  /** The program does not read: the server sent this input back, and it is offered again after a pause. */
  refused: { queuedBytes: number } | null;
  /** Input that can no longer be delivered, until a person has seen it. */
  lost: { bytes: number; why: "too-much" | "restarted" | "ended" } | null;
  /** What this viewer could show, and whether it has the keyboard. */
  room: Grid | null;
  focused: boolean;
  /** The grid of the PTY. */
  grid: Grid | null;
  exit: { code: number; signal: number } | null;
}

export type AttachEvent =
  | { kind: "dialling" }
  | { kind: "opened" }
  | { kind: "frame"; frame: ServerFrame }
  | { kind: "closed" }
  | { kind: "typed"; bytes: Uint8Array }
  | { kind: "retry-input" }
  | { kind: "room"; grid: Grid }
  | { kind: "focus"; focused: boolean }
  | { kind: "consumed"; offset: number }
  | { kind: "ack-due" }
  | { kind: "loss-seen" };

export type AttachEffect =
  | { kind: "send"; frame: ViewerFrame }
  /** A new beginning: the view is emptied, takes this grid, and then `vt`. */
  | { kind: "begin"; grid: Grid; vt: Uint8Array; endOffset: number }
  /** `endOffset` comes back as `consumed` when the view has parsed the bytes. */
  | { kind: "write"; bytes: Uint8Array; endOffset: number }
  | { kind: "grid"; grid: Grid }
  /** Ask for `ack-due` after a moment. */
  | { kind: "ack-later" }
  /** Ask for `retry-input` after a pause. */
  | { kind: "retry-later" }
  /** The other side does not keep to the protocol: drop the connection and dial again. */
  | { kind: "drop"; reason: string };

export interface AttachStep {
  state: AttachState;
  effects: AttachEffect[];
}

/** Consumed output is acknowledged at once when this much has gathered, and a smaller rest after a moment: a server that
 * paused this viewer goes on only when it knows that everything it sent was consumed. */
export const ACK_EVERY_BYTES = 64 * 1024;
/** Long input travels in frames of at most this size, so that a refusal concerns little. */
export const INPUT_FRAME_MAX_BYTES = 64 * 1024;
/** Up to this much input travels unacknowledged; more waits for acknowledgements, so that a program that reads slowly
 * is fed as it reads. */
export const INPUT_IN_FLIGHT_BYTES = 64 * 1024;
/** Input that waits in the page; what comes beyond is not taken, and said so. */
export const OUTBOX_MAX_BYTES = INPUT_QUEUE_MAX_BYTES;

export const FIRST_ATTACH: AttachState = {
  phase: "closed",
  position: null,
  consumedOffset: 0,
  ackedOffset: 0,
  ackAsked: false,
  nextSeq: 1,
  outbox: [],
  outboxBytes: 0,
  sentCount: 0,
  outboxBoot: null,
  refused: null,
  lost: null,
  room: null,
  focused: false,
  grid: null,
  exit: null,
};

/** Where the next connection should begin. */
export function attachQuery(state: AttachState, viewer: string, scrollbackLines: number): AttachQuery {
  const base: AttachQuery = { viewer, scrollback: scrollbackLines, role: "viewer" };
  return state.position ? { ...base, boot: state.position.boot, offset: state.position.offset } : base;
}

export function attachStep(state: AttachState, event: AttachEvent): AttachStep {
  switch (event.kind) {
    case "dialling":
      return quiet({ ...state, phase: "dialling", sentCount: 0, refused: null });
    case "opened":
      return greet(state);
    case "frame":
      return receive(state, event.frame);
    case "closed":
      return quiet({ ...state, phase: "closed", sentCount: 0, refused: null });
    case "typed":
      return typed(state, event.bytes);
    case "retry-input":
      return state.refused ? sendInput({ ...state, refused: null }) : quiet(state);
    case "room":
      return changeRoom(state, event.grid);
    case "focus":
      return changeFocus(state, event.focused);
    case "consumed":
      return consumed(state, event.offset);
    case "ack-due":
      return acknowledge({ ...state, ackAsked: false });
    case "loss-seen":
      return quiet({ ...state, lost: null });
    default:
      return event satisfies never;
  }
}

function quiet(state: AttachState): AttachStep {
  return { state, effects: [] };
}

/** Room and focus go first: the server chooses the grid by them. */
function greet(before: AttachState): AttachStep {
  const state = { ...before, phase: "opened" as const };
  const effects: AttachEffect[] = [];
  if (state.room) effects.push({ kind: "send", frame: { kind: "resize", ...state.room } });
  if (state.focused) effects.push({ kind: "send", frame: { kind: "focus", focused: true } });
  return { state, effects };
}

function isOpen(state: AttachState): boolean {
  return state.phase === "opened" || state.phase === "live";
}

function changeRoom(state: AttachState, grid: Grid): AttachStep {
  if (sameGrid(grid, state.room)) return quiet(state);
  const next = { ...state, room: grid };
  return isOpen(state)
    ? { state: next, effects: [{ kind: "send", frame: { kind: "resize", ...grid } }] }
    : quiet(next);
}

function sameGrid(a: Grid, b: Grid | null): boolean {
  return a.cols === b?.cols && a.rows === b.rows;
}

function changeFocus(state: AttachState, focused: boolean): AttachStep {
  // Said once more where it matters: the grid follows whoever had the focus last, and another viewer took it meanwhile.
  const again = focused && state.grid !== null && !sameGrid(state.grid, state.room);
  if (state.focused === focused && !again) return quiet(state);
  const next = { ...state, focused };
  return isOpen(state)
    ? { state: next, effects: [{ kind: "send", frame: { kind: "focus", focused } }] }
    : quiet(next);
}

function receive(state: AttachState, frame: ServerFrame): AttachStep {
  switch (frame.kind) {
    case "snapshot": {
      const grid = { cols: frame.cols, rows: frame.rows };
      const next = {
        ...state,
        position: { boot: frame.boot, offset: frame.offset },
        consumedOffset: frame.offset,
        ackedOffset: frame.offset,
        grid,
        exit: null,
      };
      const begun = begin(next, frame.boot);
      // The bytes are a view into the socket's buffer, which nobody else keeps: no copy is needed.
      const effect: AttachEffect = { kind: "begin", grid, vt: frame.vt, endOffset: frame.offset };
      return { state: begun.state, effects: [effect, ...begun.effects] };
    }
    case "resume":
      if (state.position?.boot !== frame.boot || state.position.offset !== frame.offset)
        return drop(state, "It resumes where nobody asked it to.");
      return begin(state, frame.boot);
    case "output":
      return output(state, frame);
    case "grid":
      return {
        state: { ...state, grid: { cols: frame.cols, rows: frame.rows } },
        effects: [{ kind: "grid", grid: { cols: frame.cols, rows: frame.rows } }],
      };
    case "exit":
      return quiet(lose({ ...state, exit: { code: frame.code, signal: frame.signal } }, "ended"));
    case "input-ack":
      return acknowledged(state, frame.seq);
    case "input-refused":
      return refused(state, frame);
    default:
      return frame satisfies never;
  }
}

/** The server has said where it begins. What was typed at another kaval's process must not reach this one's. */
function begin(state: AttachState, boot: string): AttachStep {
  const stale = state.outboxBoot !== null && state.outboxBoot !== boot;
  const kept = stale ? lose(state, "restarted") : state;
  return sendInput({ ...kept, phase: "live", outboxBoot: boot });
}

function lose(state: AttachState, why: "restarted" | "ended"): AttachState {
  if (state.outboxBytes === 0) return state;
  const lost = { bytes: (state.lost?.bytes ?? 0) + state.outboxBytes, why };
  return { ...state, outbox: [], outboxBytes: 0, sentCount: 0, refused: null, lost };
}

function output(state: AttachState, frame: { offset: number; bytes: Uint8Array }): AttachStep {
  if (state.phase !== "live" || !state.position) return drop(state, "Output came before its beginning.");
  const wanted = state.position.offset;
  const end = frame.offset + frame.bytes.length;
  if (frame.offset > wanted) return drop(state, "Output is missing.");
  if (end <= wanted) return quiet(state);
  const bytes = frame.bytes.subarray(wanted - frame.offset);
  return {
    state: { ...state, position: { ...state.position, offset: end } },
    effects: [{ kind: "write", bytes, endOffset: end }],
  };
}

/** After a broken promise nothing of this connection counts: the next one begins with a snapshot. */
function drop(state: AttachState, reason: string): AttachStep {
  return { state: { ...state, position: null }, effects: [{ kind: "drop", reason }] };
}

function consumed(state: AttachState, offset: number): AttachStep {
  const next = { ...state, consumedOffset: Math.max(state.consumedOffset, offset) };
  if (next.consumedOffset - next.ackedOffset >= ACK_EVERY_BYTES) return acknowledge(next);
  if (next.ackAsked || next.consumedOffset === next.ackedOffset) return quiet(next);
  return { state: { ...next, ackAsked: true }, effects: [{ kind: "ack-later" }] };
}

function acknowledge(state: AttachState): AttachStep {
  const offset = state.consumedOffset;
  if (state.phase !== "live" || offset <= state.ackedOffset) return quiet(state);
  return {
    state: { ...state, ackedOffset: offset },
    effects: [{ kind: "send", frame: { kind: "ack", offset } }],
  };
}

function typed(state: AttachState, bytes: Uint8Array): AttachStep {
  if (bytes.length === 0) return quiet(state);
  if (state.exit) return quiet(state); // Nobody is there to type at; the tile says so.
  if (state.outboxBytes + bytes.length > OUTBOX_MAX_BYTES) {
    const lost = { bytes: (state.lost?.bytes ?? 0) + bytes.length, why: "too-much" as const };
    return quiet({ ...state, lost });
  }
  const outbox = [...state.outbox];
  let nextSeq = state.nextSeq;
  for (let at = 0; at < bytes.length; at += INPUT_FRAME_MAX_BYTES)
    outbox.push({ seq: nextSeq++, bytes: bytes.slice(at, at + INPUT_FRAME_MAX_BYTES) });
  return sendInput({ ...state, outbox, nextSeq, outboxBytes: state.outboxBytes + bytes.length });
}

/** Sends what may travel now: in order, at most so much unacknowledged, nothing while the server refuses. */
function sendInput(state: AttachState): AttachStep {
  if (state.phase !== "live" || state.refused) return quiet(state);
  const effects: AttachEffect[] = [];
  let sentCount = state.sentCount;
  let inFlight = 0;
  for (const [index, { seq, bytes }] of state.outbox.entries()) {
    if (index > 0 && inFlight + bytes.length > INPUT_IN_FLIGHT_BYTES) break;
    inFlight += bytes.length;
    if (index < state.sentCount) continue;
    effects.push({ kind: "send", frame: { kind: "input", seq, bytes } });
    sentCount = index + 1;
  }
  return { state: { ...state, sentCount }, effects };
}

function acknowledged(state: AttachState, seq: number): AttachStep {
  const kept = state.outbox.filter((input) => input.seq > seq);
  const done = state.outbox.length - kept.length;
  if (done === 0) return quiet(state);
  return sendInput({
    ...state,
    outbox: kept,
    outboxBytes: kept.reduce((sum, input) => sum + input.bytes.length, 0),
    sentCount: Math.max(0, state.sentCount - done),
  });
}

/** Everything from the refused frame on has not reached the PTY and is offered again, in order. */
function refused(state: AttachState, frame: { seq: number; queuedBytes: number }): AttachStep {
  const index = state.outbox.findIndex((input) => input.seq === frame.seq);
  if (index < 0 || index >= state.sentCount) return quiet(state);
  return {
    state: { ...state, sentCount: index, refused: { queuedBytes: frame.queuedBytes } },
    effects: [{ kind: "retry-later" }],
  };
}
