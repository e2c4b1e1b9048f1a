// The screen of one terminal, read for its agent's dialogs: rendered in another process, so no more often than need be.
import type { AgentPlugin, ScreenFinding } from "./plugin.ts";

/** Between two readings while output flows. */
const READ_GAP_MS = 250;

export interface ScreenReadingOptions {
  /** Rendered text; null when the terminal is gone. */
  render(): Promise<string | null>;
  /** Whose dialogs to look for; null while nobody wants the screen read. */
  wantedBy(): AgentPlugin | null;
  onFinding(finding: ScreenFinding | null): void;
  onFault(cause: unknown): void;
}

export class ScreenReading {
  readonly #options: ScreenReadingOptions;
  #timer: NodeJS.Timeout | null = null;
  #resting = false;
  #owed = false;
  #reading: Promise<void> | null = null;
  #closed = false;

  constructor(options: ScreenReadingOptions) {
    this.#options = options;
  }

  /** Reads now, or after the gap when a reading was made just before. */
  soon(): void {
    const plugin = this.#options.wantedBy();
    if (this.#closed || plugin === null) return;
    this.#owed = true;
    if (this.#resting) return;
    this.#resting = true;
    this.#reading = this.#readOnce(plugin).finally(() => {
      if (this.#closed) return;
      this.#timer = setTimeout(() => {
        this.#resting = false;
        if (this.#owed) this.soon();
      }, READ_GAP_MS);
    });
  }

  /** What is on the screen this moment, whoever wants it. Never rejects. */
  async find(plugin: AgentPlugin): Promise<ScreenFinding | null> {
    try {
      return await this.#find(plugin);
    } catch (cause) {
      this.#options.onFault(cause);
      return null;
    }
  }

  async settled(): Promise<void> {
    await this.#reading;
  }

  close(): void {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  async #readOnce(plugin: AgentPlugin): Promise<void> {
    this.#owed = false;
    try {
      this.#options.onFinding(await this.#find(plugin));
    } catch (cause) {
      this.#options.onFault(cause);
    }
  }

  async #find(plugin: AgentPlugin): Promise<ScreenFinding | null> {
    const text = await this.#options.render();
    return text === null ? null : plugin.readScreen(text);
  }
}
