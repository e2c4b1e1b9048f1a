// One process of Claude Code, followed: its status file, and the files of whichever conversation that names at the time.
import type { AgentSession, LiveSignals, SessionHost, SessionReport } from "@kolu/anyagent/plugin.ts";
import { ConversationFiles, NO_FACTS, readText } from "./conversation.ts";
import type { ClaudePlaces } from "./find.ts";
import { type ClaudeFiles, judge } from "./judge.ts";
import { parseStatusFile, type StatusFile } from "./records.ts";

/** A file that is just being rewritten is read again after this; its next notice usually comes first. */
const HALF_WRITTEN_RETRY_MS = 20;

export class ClaudeSession implements AgentSession {
  readonly #statusPath: string;
  readonly #places: ClaudePlaces;
  readonly #host: SessionHost;
  readonly #stopWatching: () => void;
  #statusText: string | null = null;
  #status: StatusFile | null = null;
  #statusSeenAtMs = 0;
  #conversation: ConversationFiles | null = null;
  #reading: Promise<void> | null = null;
  #readOwed = false;
  #retry: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(statusPath: string, places: ClaudePlaces, host: SessionHost) {
    this.#statusPath = statusPath;
    this.#places = places;
    this.#host = host;
    this.#stopWatching = host.files.watch(statusPath, this.#onNotice);
  }

  report(live: LiveSignals): SessionReport {
    return judge(this.#files(), live);
  }

  /** Reads now, or once more after the reading under way. */
  refresh(): Promise<void> {
    this.#readOwed = true;
    this.#reading ??= this.#readWhileOwed().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  close(): void {
    this.#closed = true;
    this.#stopWatching();
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#conversation?.close();
  }

  readonly #onNotice = (): void => {
    void this.refresh();
  };

  async #readWhileOwed(): Promise<void> {
    while (this.#readOwed && !this.#closed) {
      this.#readOwed = false;
      const before = this.#files();
      try {
        await this.#readAll();
      } catch (cause) {
        this.#host.log(`reading the session of ${this.#statusPath} failed`, cause);
      }
      if (!this.#closed && !sameFiles(before, this.#files())) this.#host.changed();
    }
  }

  async #readAll(): Promise<void> {
    const said = this.#status;
    this.#readStatus();
    const status = this.#status;
    if (status === null || this.#closed) return;
    // Most of what there is to know, from one small file: not kept waiting for the others.
    if (said !== status && said?.sessionId === status.sessionId) this.#host.changed();
    if (this.#conversation?.sessionId !== status.sessionId || this.#conversation.cwd !== status.cwd) {
      this.#conversation?.close();
      this.#conversation = new ConversationFiles(status, this.#places, this.#host, this.#onNotice);
    }
    await this.#conversation.read();
  }

  /** The last whole status stands: through a rewrite that is met half-way, and through the removal a moment before the
   * process ends. */
  #readStatus(): void {
    const text = readText(this.#statusPath);
    if (text === null || text === this.#statusText) return;
    const status = parseStatusFile(text);
    if (status === null) {
      this.#retrySoon();
      return;
    }
    this.#statusText = text;
    this.#status = status;
    this.#statusSeenAtMs = Date.now();
  }

  #retrySoon(): void {
    if (this.#closed) return;
    this.#retry ??= setTimeout(() => {
      this.#retry = null;
      this.#onNotice();
    }, HALF_WRITTEN_RETRY_MS);
  }

  #files(): ClaudeFiles {
    return {
      statusPath: this.#statusPath,
      status: this.#status,
      statusSeenAtMs: this.#statusSeenAtMs,
      ...(this.#conversation?.facts ?? NO_FACTS),
    };
  }
}

/** Whatever did not change is the same object. */
function sameFiles(left: ClaudeFiles, right: ClaudeFiles): boolean {
  return (Object.keys(left) as (keyof ClaudeFiles)[]).every((key) => left[key] === right[key]);
}
