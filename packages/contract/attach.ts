// The byte frames of /attach/<id>: the one place where terminal output and input cross a process line.
// Binary, no JSON, no base64. Relays (padi, web) pass frames on unread.
//
// Server to viewer                              Viewer to server
//   1 resume   offset u64, boot                   17 input   seq u32, bytes
//   2 snapshot offset u64, cols, rows, boot, VT   18 resize  cols u16, rows u16 (what this viewer could show)
//   3 output   offset u64, bytes                  19 focus   u8 (1 = has the keyboard)
//   4 grid     cols u16, rows u16                 20 ack     offset u64 (everything before it is consumed)
//   5 exit     code i32, signal u8
//   6 input-ack seq u32 (bytes reached the PTY's queue)
//   7 input-refused seq u32, queued u32
//
// Offsets count output bytes of the PTY since its kaval started it; `offset` is that of the first byte of the payload
// (of a snapshot: of the first byte that is not in it).
//
// Where to begin is in the query of the URL: see AttachQuery.

export type ServerFrame =
  | { kind: "resume"; offset: number; boot: string }
  | { kind: "snapshot"; offset: number; cols: number; rows: number; boot: string; vt: Uint8Array }
  | { kind: "output"; offset: number; bytes: Uint8Array }
  | { kind: "grid"; cols: number; rows: number }
  | { kind: "exit"; code: number; signal: number }
  | { kind: "input-ack"; seq: number }
  | { kind: "input-refused"; seq: number; queuedBytes: number };

export type ViewerFrame =
  | { kind: "input"; seq: number; bytes: Uint8Array }
  | { kind: "resize"; cols: number; rows: number }
  | { kind: "focus"; focused: boolean }
  | { kind: "ack"; offset: number };

/**
 * How a viewer asks to begin. `boot` + `offset`: resume there when that kaval still has the byte, else a snapshot.
 * `from=last-input`: begin at the oldest byte still held that came after the terminal's last input. `scrollback`: lines
 * of history a snapshot carries above the screen. `viewer`: names this viewer over reconnects, so that input sent twice
 * is written once. `role=observer`: never counts for the grid and cannot type.
 */
export interface AttachQuery {
  boot?: string;
  offset?: number;
  from?: "last-input";
  scrollback?: number;
  viewer?: string;
  role?: "viewer" | "observer";
}

/** Close codes by which the server ends an attach for good: dialling again would find the same. */
export const AttachCloseCode = {
  /** There is no such terminal, nor a saved screen of one. */
  removed: 4404,
  /** The same viewer attached once more; this older connection is no longer wanted. */
  replaced: 4409,
} as const;

const BOOT_BYTES = 36;
/** Bytes that precede the payload of an output frame. */
export const OUTPUT_HEADER_BYTES = 9;

const ascii = new TextEncoder();
const asciiDecoder = new TextDecoder();

function frame(type: number, headerBytes: number, payload?: Uint8Array): [Uint8Array, DataView] {
  const bytes = new Uint8Array(1 + headerBytes + (payload?.length ?? 0));
  bytes[0] = type;
  if (payload) bytes.set(payload, 1 + headerBytes);
  return [bytes, new DataView(bytes.buffer)];
}

export function encodeServerFrame(value: ServerFrame): Uint8Array {
  switch (value.kind) {
    case "resume": {
      const [bytes, view] = frame(1, 8, ascii.encode(value.boot));
      view.setBigUint64(1, BigInt(value.offset));
      return bytes;
    }
    case "snapshot": {
      const [bytes, view] = frame(2, 12 + BOOT_BYTES, value.vt);
      view.setBigUint64(1, BigInt(value.offset));
      view.setUint16(9, value.cols);
      view.setUint16(11, value.rows);
      bytes.set(ascii.encode(value.boot).subarray(0, BOOT_BYTES), 13);
      return bytes;
    }
    case "output": {
      const [bytes, view] = frame(3, 8, value.bytes);
      view.setBigUint64(1, BigInt(value.offset));
      return bytes;
    }
    case "grid": {
      const [bytes, view] = frame(4, 4);
      view.setUint16(1, value.cols);
      view.setUint16(3, value.rows);
      return bytes;
    }
    case "exit": {
      const [bytes, view] = frame(5, 5);
      view.setInt32(1, value.code);
      view.setUint8(5, value.signal);
      return bytes;
    }
    case "input-ack": {
      const [bytes, view] = frame(6, 4);
      view.setUint32(1, value.seq);
      return bytes;
    }
    case "input-refused": {
      const [bytes, view] = frame(7, 8);
      view.setUint32(1, value.seq);
      view.setUint32(5, Math.min(value.queuedBytes, 0xffff_ffff));
      return bytes;
    }
    default:
      return value satisfies never;
  }
}

export function encodeViewerFrame(value: ViewerFrame): Uint8Array {
  switch (value.kind) {
    case "input": {
      const [bytes, view] = frame(17, 4, value.bytes);
      view.setUint32(1, value.seq);
      return bytes;
    }
    case "resize": {
      const [bytes, view] = frame(18, 4);
      view.setUint16(1, value.cols);
      view.setUint16(3, value.rows);
      return bytes;
    }
    case "focus": {
      const [bytes, view] = frame(19, 1);
      view.setUint8(1, value.focused ? 1 : 0);
      return bytes;
    }
    case "ack": {
      const [bytes, view] = frame(20, 8);
      view.setBigUint64(1, BigInt(value.offset));
      return bytes;
    }
    default:
      return value satisfies never;
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const SERVER_HEADER_BYTES = new Map([
  [1, 9 + BOOT_BYTES],
  [2, 13 + BOOT_BYTES],
  [3, OUTPUT_HEADER_BYTES],
  [4, 5],
  [5, 6],
  [6, 5],
  [7, 9],
]);

/** The frame, or null when the bytes are none of ours: the caller closes the connection. Payloads are views, not copies. */
export function decodeServerFrame(bytes: Uint8Array): ServerFrame | null {
  const type = bytes[0];
  if (type === undefined || bytes.length < (SERVER_HEADER_BYTES.get(type) ?? Infinity)) return null;
  const view = viewOf(bytes);
  switch (type) {
    case 1:
      return {
        kind: "resume",
        offset: Number(view.getBigUint64(1)),
        boot: asciiDecoder.decode(bytes.subarray(9)),
      };
    case 2:
      return {
        kind: "snapshot",
        offset: Number(view.getBigUint64(1)),
        cols: view.getUint16(9),
        rows: view.getUint16(11),
        boot: asciiDecoder.decode(bytes.subarray(13, 13 + BOOT_BYTES)),
        vt: bytes.subarray(13 + BOOT_BYTES),
      };
    case 3:
      return {
        kind: "output",
        offset: Number(view.getBigUint64(1)),
        bytes: bytes.subarray(OUTPUT_HEADER_BYTES),
      };
    case 4:
      return { kind: "grid", cols: view.getUint16(1), rows: view.getUint16(3) };
    case 5:
      return { kind: "exit", code: view.getInt32(1), signal: view.getUint8(5) };
    case 6:
      return { kind: "input-ack", seq: view.getUint32(1) };
    case 7:
      return { kind: "input-refused", seq: view.getUint32(1), queuedBytes: view.getUint32(5) };
    default:
      return null;
  }
}

const VIEWER_HEADER_BYTES = new Map([
  [17, 5],
  [18, 5],
  [19, 2],
  [20, 9],
]);

/** The frame, or null when the bytes are none of ours: the caller closes the connection. */
export function decodeViewerFrame(bytes: Uint8Array): ViewerFrame | null {
  const type = bytes[0];
  if (type === undefined || bytes.length < (VIEWER_HEADER_BYTES.get(type) ?? Infinity)) return null;
  const view = viewOf(bytes);
  switch (type) {
    case 17:
      return { kind: "input", seq: view.getUint32(1), bytes: bytes.subarray(5) };
    case 18:
      return { kind: "resize", cols: view.getUint16(1), rows: view.getUint16(3) };
    case 19:
      return { kind: "focus", focused: view.getUint8(1) === 1 };
    case 20:
      return { kind: "ack", offset: Number(view.getBigUint64(1)) };
    default:
      return null;
  }
}

/** The path and query of an attach URL. */
export function attachPath(id: string, query: AttachQuery): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return `/attach/${id}${text === "" ? "" : `?${text}`}`;
}

export type ParsedAttach = { id: string; query: AttachQuery };

/** What an attach URL asks for, or null when it is not one or a number in it is none. */
export function parseAttachPath(url: string): ParsedAttach | null {
  const match = /^\/attach\/([^/?]+)(?:\?(.*))?$/.exec(url);
  if (!match) return null;
  const parameters = new URLSearchParams(match[2] ?? "");
  const query: AttachQuery = {};
  const boot = parameters.get("boot");
  if (boot !== null) query.boot = boot;
  const viewer = parameters.get("viewer");
  if (viewer !== null) query.viewer = viewer;
  for (const name of ["offset", "scrollback"] as const) {
    const text = parameters.get(name);
    if (text === null) continue;
    const number = Number(text);
    if (!Number.isSafeInteger(number) || number < 0) return null;
    query[name] = number;
  }
  if (parameters.get("from") === "last-input") query.from = "last-input";
  const role = parameters.get("role");
  if (role === "viewer" || role === "observer") query.role = role;
  return { id: decodeURIComponent(match[1]!), query };
}

/**
 * A cursor: a place in one terminal's output and life, opaque to callers. Given to a wait as `after`, nothing older
 * than it can meet the wait.
 */
export interface Cursor {
  boot: string;
  offset: number;
  /** Epoch milliseconds, for what has no byte offset (an agent's state). */
  atMs: number;
}

export function formatCursor(cursor: Cursor): string {
  return `${cursor.boot}:${cursor.offset}:${cursor.atMs}`;
}

export function parseCursor(text: string): Cursor | null {
  const match = /^([0-9a-f-]{36}):(\d+):(\d+)$/.exec(text);
  return match ? { boot: match[1]!, offset: Number(match[2]), atMs: Number(match[3]) } : null;
}
