// terminal.watch: rows and notices to everybody who watches. Rows are handed over as they are when the reader takes them,
// so a slow reader skips what came between and costs no more than one mark a terminal.

import type { TerminalId } from "@kolu/contract/ids.ts";
import type { KavalNotice, KavalTerminal, KavalWatchItem } from "@kolu/contract/kaval.ts";

/** Notices that a reader has not taken yet; beyond it the oldest go. */
const NOTICES_MAX = 256;

interface Reader {
  /** In order of first mention; a removal stays before the change that follows it. */
  marks: Map<string, { kind: "changed" | "removed"; id: TerminalId }>;
  notices: KavalNotice[];
  wake(): void;
}

export class Feed {
  #readers = new Set<Reader>();
  #rowOf: (id: TerminalId) => KavalTerminal | null;

  constructor(rowOf: (id: TerminalId) => KavalTerminal | null) {
    this.#rowOf = rowOf;
  }

  changed(id: TerminalId): void {
    for (const reader of this.#readers) {
      reader.marks.set(`changed ${id}`, { kind: "changed", id });
      reader.wake();
    }
  }

  removed(id: TerminalId): void {
    for (const reader of this.#readers) {
      reader.marks.delete(`changed ${id}`);
      reader.marks.set(`removed ${id}`, { kind: "removed", id });
      reader.wake();
    }
  }

  notice(notice: KavalNotice): void {
    for (const reader of this.#readers) {
      reader.notices.push(notice);
      if (reader.notices.length > NOTICES_MAX) reader.notices.shift();
      reader.wake();
    }
  }

  /** A snapshot, then what changes, until the signal. `snapshot` is taken when the reader begins to read. */
  async *read(
    snapshot: () => { boot: string; terminals: KavalTerminal[] },
    signal: AbortSignal,
  ): AsyncGenerator<KavalWatchItem> {
    let wake = (): void => {};
    const reader: Reader = { marks: new Map(), notices: [], wake: () => wake() };
    const onAbort = (): void => wake();
    signal.addEventListener("abort", onAbort);
    this.#readers.add(reader);
    try {
      yield { kind: "snapshot", ...snapshot() };
      while (!signal.aborted) {
        const item = this.#take(reader);
        if (item) yield item;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    } finally {
      this.#readers.delete(reader);
      signal.removeEventListener("abort", onAbort);
    }
  }

  #take(reader: Reader): KavalWatchItem | null {
    for (const [key, { kind, id }] of reader.marks) {
      reader.marks.delete(key);
      if (kind === "removed") return { kind: "removed", id };
      const terminal = this.#rowOf(id);
      if (terminal) return { kind: "changed", terminal };
    }
    const notice = reader.notices.shift();
    return notice ? { kind: "notice", notice } : null;
  }
}
