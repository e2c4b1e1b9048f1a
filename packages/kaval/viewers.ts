// Everybody who looks at one terminal: fan-out of its output, their input, and whose grid it has.
import { AttachCloseCode, type AttachQuery, type ViewerFrame } from "@kolu/contract/attach.ts";
import { GRID_MAX_COLS, GRID_MAX_ROWS, GRID_MIN } from "@kolu/contract/limits.ts";
import { type Grid, GridRule } from "./grid.ts";
import { InputOnce } from "./input-once.ts";
import { OutputFrames, type OutputSource, ViewerFlow, type ViewerSocket } from "./viewer-flow.ts";

/** A new process runs under this id: attach again to see it. */
export const CLOSE_STARTED_AGAIN = 4410;
/** A frame that is none of ours. */
const CLOSE_BAD_FRAME = 1002;

/** How long an owner that vanished may take to come back before its grid goes to whoever acted before it. */
const OWNER_GRACE_MS = 3_000;

export interface ViewersOwner extends OutputSource {
  /** Queues input for the program; false when it is refused. `queuedBytes` says how much waits. */
  input(bytes: Uint8Array): boolean;
  readonly queuedBytes: number;
  applyGrid(grid: Grid): void;
  viewersChanged(): void;
}

/** One connection's half of the conversation. */
export interface ViewerConnection {
  /** A frame from the viewer; null stands for bytes that are none. */
  receive(frame: ViewerFrame | null): void;
  /** The connection is gone. */
  gone(): void;
}

interface Viewer {
  name: string;
  observer: boolean;
  flow: ViewerFlow;
}

export class Viewers {
  #owner: ViewersOwner;
  #frames: OutputFrames;
  #viewers = new Map<string, Viewer>();
  #rule = new GridRule();
  #once = new InputOnce();
  #graceTimer: NodeJS.Timeout | null = null;
  #nextNameless = 1;

  constructor(owner: ViewersOwner) {
    this.#owner = owner;
    this.#frames = new OutputFrames(owner.ring);
  }

  get count(): number {
    return this.#viewers.size;
  }

  attach(socket: ViewerSocket, query: AttachQuery): ViewerConnection {
    // Each kind has a prefix of its own, so that no viewer can name itself into a nameless one's place.
    const name = query.viewer === undefined ? `nameless ${this.#nextNameless++}` : `named ${query.viewer}`;
    const observer = query.role === "observer";
    this.#viewers.get(name)?.flow.close(AttachCloseCode.replaced, "attached again");
    const viewer: Viewer = { name, observer, flow: new ViewerFlow(this.#owner, this.#frames, socket, query) };
    this.#viewers.set(name, viewer);
    this.#once.attached(name);
    if (!observer) this.#rule.arrive(name);
    this.#owner.viewersChanged();
    viewer.flow.begin(query);
    return {
      receive: (frame) => this.#receive(viewer, frame),
      gone: () => this.#gone(viewer),
    };
  }

  /** More output, a new grid, or the exit: everybody who keeps up is sent it. */
  pump(): void {
    for (const viewer of this.#viewers.values()) viewer.flow.pump();
  }

  /** Nothing has happened for a while. */
  rest(): void {
    this.#frames.forget();
  }

  /** A caller set the grid outright, so it is no viewer's. */
  gridSetOutright(): void {
    this.#rule.setOutright();
  }

  closeAll(code: number, reason: string): void {
    if (this.#graceTimer) clearTimeout(this.#graceTimer);
    const all = [...this.#viewers.values()];
    this.#viewers.clear();
    for (const viewer of all) viewer.flow.close(code, reason);
  }

  #receive(viewer: Viewer, frame: ViewerFrame | null): void {
    if (this.#viewers.get(viewer.name) !== viewer) return;
    if (frame === null) {
      viewer.flow.close(CLOSE_BAD_FRAME, "unknown frame");
      return;
    }
    switch (frame.kind) {
      case "ack":
        viewer.flow.ack(frame.offset);
        return;
      case "input":
        this.#input(viewer, frame.seq, frame.bytes);
        return;
      case "resize": {
        if (viewer.observer) return;
        const size = { cols: clamp(frame.cols, GRID_MAX_COLS), rows: clamp(frame.rows, GRID_MAX_ROWS) };
        this.#apply(this.#rule.resized(viewer.name, size));
        return;
      }
      case "focus":
        if (frame.focused && !viewer.observer) this.#apply(this.#rule.acted(viewer.name));
        return;
      default:
        frame satisfies never;
    }
  }

  #input(viewer: Viewer, seq: number, bytes: Uint8Array): void {
    const turn = this.#once.turnOf(viewer.name, seq);
    if (turn === "repeat") {
      viewer.flow.tell({ kind: "input-ack", seq });
      return;
    }
    // The grid first: what the program draws in answer should already be for the screen of whoever typed.
    if (!viewer.observer) this.#apply(this.#rule.acted(viewer.name));
    if (viewer.observer || turn === "early" || !this.#owner.input(bytes)) {
      this.#once.refused(viewer.name, seq);
      viewer.flow.tell({ kind: "input-refused", seq, queuedBytes: this.#owner.queuedBytes });
      return;
    }
    this.#once.wrote(viewer.name, seq);
    viewer.flow.tell({ kind: "input-ack", seq });
  }

  #gone(viewer: Viewer): void {
    viewer.flow.end();
    if (this.#viewers.get(viewer.name) !== viewer) return;
    this.#viewers.delete(viewer.name);
    this.#rule.leave(viewer.name);
    if (this.#rule.ownerIsAway && !this.#graceTimer) {
      this.#graceTimer = setTimeout(() => {
        this.#graceTimer = null;
        this.#apply(this.#rule.succeed());
      }, OWNER_GRACE_MS);
      this.#graceTimer.unref();
    }
    this.#owner.viewersChanged();
  }

  #apply(grid: Grid | null): void {
    if (grid) this.#owner.applyGrid(grid);
  }
}

function clamp(value: number, max: number): number {
  return Math.max(GRID_MIN, Math.min(max, value));
}
