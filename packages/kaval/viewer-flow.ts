// What one viewer is sent: where it begins, how much may be under way, how it catches up. It holds no output of its own:
// everything comes out of the terminal's ring, so a viewer that never acknowledges costs what is under way to it, no more.
import { type AttachQuery, encodeServerFrame, type ServerFrame } from "@kolu/contract/attach.ts";
import { HOT_LINES, VIEWER_WINDOW_BYTES } from "@kolu/contract/limits.ts";
import type { GridLog } from "./grid.ts";
import type { Ring } from "./ring.ts";

/** A connection to a viewer. */
export interface ViewerSocket {
  send(frame: Uint8Array): void;
  close(code: number, reason: string): void;
}

export interface Snapshot {
  /** Offset of the first byte that is not in it. */
  offset: number;
  cols: number;
  rows: number;
  vt: Uint8Array;
  /** Until this is called the output from `offset` on stays in the ring. */
  release(): void;
}

/** One terminal, as its viewers see it. */
export interface OutputSource {
  /** Names this run of kaval; offsets mean something within it alone. */
  readonly boot: string;
  readonly ring: Ring;
  readonly grids: GridLog;
  /** Set once the last byte is in the ring. */
  readonly exit: { code: number; signal: number } | null;
  /** Offset at the terminal's last input, null when there was none. */
  readonly lastInputOffset: number | null;
  snapshot(scrollbackLines: number): Promise<Snapshot>;
}

/** The screen's text could not be had: try again soon. */
export const CLOSE_NO_SNAPSHOT = 4500;

/** One frame's payload at most: larger ones would make a small frame of another terminal wait. */
const FRAME_MAX_BYTES = 64 * 1024;
/**
 * Viewers acknowledge in steps, so the last bytes before a pause may never be: with no more than this unacknowledged a
 * paused viewer counts as drained, or it would wait for an acknowledgement that waits for output.
 */
const RESYNC_BELOW_BYTES = VIEWER_WINDOW_BYTES / 8;
/** History above the screen in a snapshot when the viewer does not say. */
export const DEFAULT_SCROLLBACK_LINES = HOT_LINES;

/** Output frames of one terminal, made once for all viewers that stand at the same place. */
export class OutputFrames {
  #ring: Ring;
  #from = -1;
  #to = -1;
  #frame: Uint8Array = new Uint8Array(0);

  constructor(ring: Ring) {
    this.#ring = ring;
  }

  frame(from: number, to: number): Uint8Array {
    if (from !== this.#from || to !== this.#to) {
      const views = this.#ring.views(from, to);
      const bytes = views.length === 1 ? views[0]! : Buffer.concat(views);
      this.#frame = encodeServerFrame({ kind: "output", offset: from, bytes });
      this.#from = from;
      this.#to = to;
    }
    return this.#frame;
  }

  /** Lets go of the last frame: a quiet terminal need not keep it. */
  forget(): void {
    this.#from = this.#to = -1;
    this.#frame = new Uint8Array(0);
  }
}

/**
 * live: gets output as it comes. paused: too much is under way, or it waits to be drained before a snapshot. resyncing:
 * a snapshot is being made. done: it has the exit too, or its connection is gone.
 */
type Phase = "live" | "paused" | "resyncing" | "done";

export class ViewerFlow {
  #source: OutputSource;
  #frames: OutputFrames;
  #socket: ViewerSocket;
  #scrollbackLines: number;
  #phase: Phase = "paused";
  /** Offsets: what was sent, and what the viewer has consumed. */
  #sent = 0;
  #acked = 0;
  /** Index of the last grid change that it was told. */
  #gridIndex = 0;

  constructor(source: OutputSource, frames: OutputFrames, socket: ViewerSocket, query: AttachQuery) {
    this.#source = source;
    this.#frames = frames;
    this.#socket = socket;
    this.#scrollbackLines = query.scrollback ?? DEFAULT_SCROLLBACK_LINES;
  }

  /** Resumes where the viewer says it stands, if those bytes are still there, else begins with a snapshot. */
  begin(query: AttachQuery): void {
    const offset = this.#resumeOffset(query);
    if (offset === null) {
      void this.#resync();
      return;
    }
    this.#send({ kind: "resume", offset, boot: this.#source.boot });
    const grid = this.#source.grids.at(offset);
    this.#send({ kind: "grid", cols: grid.cols, rows: grid.rows });
    this.#continueFrom(offset, grid.index);
  }

  /** More output is in the ring, or the grid changed, or the program ended. */
  pump(): void {
    const { ring } = this.#source;
    while (this.#phase === "live") {
      this.#sendGridChangesHere();
      if (this.#sent === ring.end) break;
      if (this.#sent - this.#acked >= VIEWER_WINDOW_BYTES || this.#sent < ring.start) {
        this.#phase = "paused";
        this.#wakeIfDrained();
        return;
      }
      const nextGrid = this.#source.grids.after(this.#gridIndex);
      const to = Math.min(ring.end, this.#sent + FRAME_MAX_BYTES, nextGrid?.offset ?? Infinity);
      this.#socket.send(this.#frames.frame(this.#sent, to));
      this.#sent = to;
    }
    const { exit } = this.#source;
    if (this.#phase === "live" && exit) {
      this.#send({ kind: "exit", ...exit });
      this.#phase = "done";
    }
  }

  /** The viewer has consumed everything before `offset`. */
  ack(offset: number): void {
    if (offset <= this.#acked) return;
    this.#acked = Math.min(offset, this.#sent);
    this.#wakeIfDrained();
  }

  /** Sends a frame that has no place in the output. */
  tell(frame: ServerFrame): void {
    this.#send(frame);
  }

  close(code: number, reason: string): void {
    this.#phase = "done";
    this.#socket.close(code, reason);
  }

  /** The connection is gone. */
  end(): void {
    this.#phase = "done";
  }

  #resumeOffset(query: AttachQuery): number | null {
    const { ring, boot, lastInputOffset } = this.#source;
    if (query.from === "last-input") return Math.max(ring.start, lastInputOffset ?? 0);
    if (query.boot !== boot || query.offset === undefined) return null;
    return query.offset >= ring.start && query.offset <= ring.end ? query.offset : null;
  }

  #wakeIfDrained(): void {
    if (this.#phase !== "paused") return;
    if (this.#sent >= this.#source.ring.start) {
      if (this.#sent - this.#acked > VIEWER_WINDOW_BYTES / 2) return;
      this.#phase = "live";
      this.pump();
    } else if (this.#sent - this.#acked <= RESYNC_BELOW_BYTES) {
      // Only a viewer that has next to nothing under way is given a snapshot: so a window or a snapshot waits, not both.
      void this.#resync();
    }
  }

  async #resync(): Promise<void> {
    this.#phase = "resyncing";
    let snapshot: Snapshot;
    try {
      snapshot = await this.#source.snapshot(this.#scrollbackLines);
    } catch {
      // The screen's worker died and says so in the log; the viewer asks anew and finds the rebuilt screen.
      if (this.#phase === "resyncing") this.close(CLOSE_NO_SNAPSHOT, "the screen could not be read");
      return;
    }
    try {
      if (this.#phase !== "resyncing") return;
      const { offset, cols, rows, vt } = snapshot;
      this.#send({ kind: "snapshot", offset, cols, rows, boot: this.#source.boot, vt });
      // A change at this very offset may or may not be in the snapshot: it is told (again), which harms nobody.
      this.#continueFrom(offset, this.#source.grids.indexBefore(offset));
    } finally {
      snapshot.release();
    }
  }

  #continueFrom(offset: number, gridIndex: number): void {
    this.#sent = offset;
    this.#acked = offset;
    this.#gridIndex = gridIndex;
    this.#phase = "live";
    this.pump();
  }

  #sendGridChangesHere(): void {
    for (;;) {
      const change = this.#source.grids.after(this.#gridIndex);
      if (!change || change.offset > this.#sent) return;
      this.#gridIndex = change.index;
      this.#send({ kind: "grid", cols: change.cols, rows: change.rows });
    }
  }

  #send(frame: ServerFrame): void {
    this.#socket.send(encodeServerFrame(frame));
  }
}
