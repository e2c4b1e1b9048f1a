// Terminals of an earlier kaval: a checkpoint is all that is left of them. Their screens are loaded when somebody asks and
// let go afterwards, so that a hundred of them cost a row each.
import { type AttachQuery, encodeServerFrame, formatCursor } from "@kolu/contract/attach.ts";
import type { TerminalId } from "@kolu/contract/ids.ts";
import type { Extent, KavalTerminal } from "@kolu/contract/kaval.ts";
import { readCheckpoint } from "./checkpoint.ts";
import { DEFAULT_COLORS } from "./default-colors.ts";
import { CLOSE_NO_SNAPSHOT, DEFAULT_SCROLLBACK_LINES, type ViewerSocket } from "./viewer-flow.ts";
import type { ViewerConnection } from "./viewers.ts";

/** How the process of a saved terminal ended, as far as anybody knows: its kaval went away. */
const HUNG_UP = { code: 0, signal: 1 };

import type { Checkpoint, Screens } from "./screens.ts";

export class SavedTerminal {
  readonly id: TerminalId;
  #row: KavalTerminal;
  #directory: string;
  #screens: Screens;
  #viewers = new Set<ViewerSocket>();
  #nextReader = 1;

  constructor(id: TerminalId, about: Omit<Checkpoint, "vt">, directory: string, screens: Screens) {
    this.id = id;
    this.#directory = directory;
    this.#screens = screens;
    this.#row = rowOf(id, about);
  }

  row(): KavalTerminal {
    return this.#row;
  }

  /** What is on disk. Rejects with the reason when it can no longer be read. */
  checkpoint(): Promise<Checkpoint> {
    return readCheckpoint(this.#directory, this.id);
  }

  async text(
    boot: string,
    extent: Extent,
  ): Promise<{ text: string; cols: number; rows: number; cursor: string }> {
    const { text, cols, rows } = await this.#withScreen((name) => this.#screens.text(name, extent));
    return { text, cols, rows, cursor: formatCursor({ boot, offset: 0, atMs: Date.now() }) };
  }

  /** Offsets of an earlier kaval mean nothing here. */
  async since(): Promise<{ rows: string[]; cols: number }> {
    return { rows: [], cols: this.#row.cols };
  }

  history(page: Parameters<Screens["history"]>[1]): ReturnType<Screens["history"]> {
    return this.#withScreen((name) => this.#screens.history(name, page));
  }

  /** Shows what is on disk, then says that nothing more will come. */
  attach(socket: ViewerSocket, boot: string, query: AttachQuery): ViewerConnection {
    this.#viewers.add(socket);
    void this.#show(socket, boot, query.scrollback ?? DEFAULT_SCROLLBACK_LINES);
    return { receive() {}, gone: () => void this.#viewers.delete(socket) };
  }

  closeViewers(code: number, reason: string): void {
    for (const socket of this.#viewers) socket.close(code, reason);
    this.#viewers.clear();
  }

  async #show(socket: ViewerSocket, boot: string, scrollbackLines: number): Promise<void> {
    try {
      const { vt, cols, rows } = await this.#withScreen((name) =>
        this.#screens.snapshot(name, scrollbackLines),
      );
      if (!this.#viewers.has(socket)) return;
      socket.send(encodeServerFrame({ kind: "snapshot", offset: 0, cols, rows, boot, vt }));
      socket.send(encodeServerFrame({ kind: "exit", ...HUNG_UP }));
    } catch {
      // A damaged file has been logged and set aside by whoever read it; the viewer hears that it is no use to wait.
      socket.close(CLOSE_NO_SNAPSHOT, "the saved screen cannot be read");
    }
  }

  async #withScreen<T>(read: (name: string) => Promise<T>): Promise<T> {
    const resume = await this.checkpoint();
    const { cols, rows } = resume;
    const name = `${this.id} saved ${this.#nextReader++}`;
    this.#screens.open({
      id: name,
      cols,
      rows,
      colors: DEFAULT_COLORS,
      markNonce: null,
      resume,
      resumeAs: "as-is",
    });
    try {
      return await read(name);
    } finally {
      this.#screens.close(name);
    }
  }
}

function rowOf(id: TerminalId, { cols, rows, savedAtMs, facts }: Omit<Checkpoint, "vt">): KavalTerminal {
  return {
    id,
    life: "saved",
    pid: null,
    argv: [],
    commandRooted: false,
    cols,
    rows,
    createdAtMs: savedAtMs,
    offset: 0,
    exit: null,
    cwd: facts.cwd ?? "/",
    title: facts.title,
    command: facts.command && { ...facts.command, running: false },
    foregroundPid: null,
    atPrompt: false,
    program: [],
    progress: null,
    lastOutputAtMs: savedAtMs,
    lastInputAtMs: null,
    lastInputOffset: null,
    inputQueuedBytes: 0,
    viewers: 0,
  };
}
