// Every terminal of this kaval by id: those that live, those that ended and are kept readable, and what earlier kavals saved.
import { randomUUID } from "node:crypto";
import { AttachCloseCode, type AttachQuery } from "@kolu/contract/attach.ts";
import { TerminalId } from "@kolu/contract/ids.ts";
import type { KavalNotice, KavalTerminal, TerminalColors } from "@kolu/contract/kaval.ts";
import { DEFAULT_COLS, DEFAULT_ROWS } from "@kolu/contract/limits.ts";
import { refuse, terminalNotFound } from "@kolu/contract/refusals.ts";
import type { Log } from "@kolu/daemon/log.ts";
import { DEFAULT_COLORS } from "./default-colors.ts";
import { Feed } from "./feed.ts";
import { killTrees } from "./kill.ts";
import { type Launch, type LaunchContext, type LaunchRequest, planLaunch } from "./launch.ts";
import { SavedTerminal } from "./saved.ts";
import type { SavedScreens } from "./saved-screens.ts";
import type { Checkpoint, ScreenFacts, Screens } from "./screens.ts";
import { removeInitFiles, writeInitFiles } from "./shell/integration.ts";
import { Terminal, type TerminalOwner } from "./terminal.ts";
import type { ViewerSocket } from "./viewer-flow.ts";
import { CLOSE_STARTED_AGAIN, type ViewerConnection } from "./viewers.ts";

export interface SpawnRequest extends Omit<LaunchRequest, "id"> {
  id?: TerminalId | undefined;
  cols?: number | undefined;
  rows?: number | undefined;
  colors?: TerminalColors | undefined;
  resumeScreen?: boolean | undefined;
}

export interface TerminalsOptions {
  boot: string;
  screens: Screens;
  saved: SavedScreens;
  launch: LaunchContext;
  log: Log;
}

/** A screen that cannot be written down by then is as its last checkpoint has it: an end must come to an end. */
const STOP_SAVE_MAX_MS = 10_000;

export class Terminals implements TerminalOwner {
  readonly boot: string;
  readonly screens: Screens;
  readonly feed: Feed;
  #saved: SavedScreens;
  #launch: LaunchContext;
  #log: Log;
  #all = new Map<TerminalId, Terminal | SavedTerminal>();
  /** Ids between a spawn's request and its process. */
  #starting = new Set<TerminalId>();
  /** Kills under way: a second one is answered with the first. */
  #dying = new Map<TerminalId, Promise<{ pid: number | null; survivors: number[] }>>();
  #stopping = false;

  constructor(options: TerminalsOptions) {
    this.boot = options.boot;
    this.screens = options.screens;
    this.#saved = options.saved;
    this.#launch = options.launch;
    this.#log = options.log;
    this.feed = new Feed((id) => this.#all.get(id)?.row() ?? null);
  }

  /** Takes over what earlier kavals left. */
  adopt(saved: Iterable<SavedTerminal>): void {
    for (const terminal of saved) this.#all.set(terminal.id, terminal);
  }

  rows(): KavalTerminal[] {
    return [...this.#all.values()].map((terminal) => terminal.row());
  }

  counts(): { terminals: number; viewers: number } {
    let viewers = 0;
    for (const terminal of this.#all.values()) viewers += terminal.row().viewers;
    return { terminals: this.#all.size, viewers };
  }

  /** Throws `terminal-not-found`. */
  find(id: TerminalId): Terminal | SavedTerminal {
    const terminal = this.#all.get(id);
    if (!terminal) throw terminalNotFound(id);
    return terminal;
  }

  /** One whose process there is or was. Throws `terminal-not-found`, or `terminal-not-live` for a saved one. */
  started(id: TerminalId): Terminal {
    const terminal = this.find(id);
    if (terminal instanceof Terminal) return terminal;
    const sentence = `${id} is only a saved screen: its process ended with an earlier kaval. Restore it first.`;
    throw refuse("terminal-not-live", { id, life: "saved" }, sentence);
  }

  // Beginning

  async spawn(request: SpawnRequest): Promise<{ id: TerminalId; pid: number; cwd: string }> {
    this.#assertGoingOn();
    const id = request.id ?? TerminalId.parse(randomUUID());
    this.#assertFree(id);
    this.#starting.add(id);
    try {
      const launch = await planLaunch({ ...request, id }, this.#launch);
      const resume = request.resumeScreen ? await this.#lastScreen(id) : undefined;
      const terminal = await this.#start(id, request, launch, resume);
      return { id, pid: terminal.pid, cwd: launch.cwd };
    } finally {
      this.#starting.delete(id);
    }
  }

  #assertGoingOn(): void {
    if (this.#stopping) throw refuse("draining", {}, "This kaval is about to end and starts nothing more.");
  }

  #assertFree(id: TerminalId): void {
    const present = this.#all.get(id);
    const live = present instanceof Terminal && !present.exit;
    if (!live && !this.#starting.has(id) && !this.#dying.has(id)) return;
    const message = `A terminal with the id ${id} is running.`;
    throw refuse("bad-params", { issues: [{ path: "id", message }] }, message);
  }

  async #lastScreen(id: TerminalId): Promise<Checkpoint | undefined> {
    const present = this.#all.get(id);
    try {
      return await present?.checkpoint();
    } catch (error) {
      this.#log.error(`the saved screen of ${id} cannot be read, it starts with an empty one`, error);
      return undefined;
    }
  }

  async #start(
    id: TerminalId,
    request: SpawnRequest,
    launch: Launch,
    resume: Checkpoint | undefined,
  ): Promise<Terminal> {
    const before = this.#all.get(id);
    await writeInitFiles(launch.initFiles);
    this.#assertGoingOn();
    // Its name is needed for the new one's screen.
    if (before instanceof Terminal) before.close(CLOSE_STARTED_AGAIN, "started again");
    let terminal: Terminal;
    try {
      terminal = new Terminal(
        {
          id,
          ...launch,
          cols: request.cols ?? DEFAULT_COLS,
          rows: request.rows ?? DEFAULT_ROWS,
          colors: request.colors ?? DEFAULT_COLORS,
          ...(resume ? { resume } : {}),
        },
        this,
      );
    } catch (error) {
      if (before instanceof Terminal) this.#drop(id);
      await removeInitFiles(this.#launch.shellInit, id);
      const reason = error instanceof Error ? error.message : String(error);
      throw refuse(
        "spawn-failed",
        { command: launch.file, reason },
        `Cannot start ${launch.file}: ${reason}`,
      );
    }
    if (before instanceof SavedTerminal) before.closeViewers(CLOSE_STARTED_AGAIN, "started again");
    this.#all.set(id, terminal);
    this.#log.info(`${id} started ${launch.file} as pid ${terminal.pid}`);
    this.feed.changed(id);
    if (before && !resume) {
      await this.#saved.remove(id);
      this.screenChanged(id);
    }
    return terminal;
  }

  // Ending

  /** Ends the processes of a live terminal; forgets it, as it does one that has none. */
  async kill(id: TerminalId): Promise<{ id: TerminalId; pid: number | null; survivors: number[] }> {
    const terminal = this.find(id);
    // First: its process may have ended already while the rest of its tree is being waited for.
    const underWay = this.#dying.get(id);
    if (underWay) {
      const ended = await underWay;
      // It was being put away, and is now wanted gone.
      const left = this.#all.get(id);
      if (left instanceof SavedTerminal) await this.#forget(left, "removed");
      return { id, ...ended };
    }
    if (terminal instanceof SavedTerminal || terminal.exit) {
      await this.#forget(terminal, "removed");
      return { id, pid: null, survivors: [] };
    }
    const dying = this.#end(terminal).finally(() => this.#dying.delete(id));
    this.#dying.set(id, dying);
    return { id, ...(await dying) };
  }

  /**
   * Ends the processes of a terminal and keeps its screen as a saved one. Rejects when the screen cannot be written down:
   * then nothing has been ended.
   */
  async putAway(id: TerminalId): Promise<{ id: TerminalId; pid: number | null; survivors: number[] }> {
    const terminal = this.find(id);
    const underWay = this.#dying.get(id);
    if (underWay) return { id, ...(await underWay) };
    if (terminal instanceof SavedTerminal) return { id, pid: null, survivors: [] };
    // What is left of its feed is told at the end: an end in between would be taken for the program's own.
    const dying = this.#save(terminal).finally(() => this.#dying.delete(id));
    this.#dying.set(id, dying);
    const ended = await dying;
    this.feed.changed(id);
    return { id, ...ended };
  }

  async #save(terminal: Terminal): Promise<{ pid: number | null; survivors: number[] }> {
    const { id, exit } = terminal;
    // Before the hang-up: what programs draw when they are told to leave is not what was put away.
    const saved = await this.#saved.keep(id, await terminal.checkpoint());
    const pid = exit ? null : terminal.pid;
    const survivors = pid === null ? [] : await killTrees([pid], this.#log);
    terminal.close(CLOSE_STARTED_AGAIN, "put away");
    if (this.#all.get(id) === terminal) this.#all.set(id, saved);
    await removeInitFiles(this.#launch.shellInit, id);
    this.#log.info(`${id} was put away`);
    return { pid, survivors };
  }

  async #end(terminal: Terminal): Promise<{ pid: number; survivors: number[] }> {
    const { id, pid } = terminal;
    const survivors = await killTrees([pid], this.#log);
    await this.#forget(terminal, "killed");
    this.#log.info(`${id} was killed${survivors.length > 0 ? `, but ${survivors.join(" ")} live on` : ""}`);
    return { pid, survivors };
  }

  /** Forgets an ended or saved terminal. Throws `bad-params` for one that lives: it is killed, not removed. */
  async remove(id: TerminalId): Promise<void> {
    const terminal = this.find(id);
    if (terminal instanceof Terminal && (!terminal.exit || this.#dying.has(id)))
      throw refuse(
        "bad-params",
        { issues: [{ path: "id", message: "it is live" }] },
        `${id} is live: kill it instead.`,
      );
    await this.#forget(terminal, "removed");
  }

  async #forget(terminal: Terminal | SavedTerminal, reason: string): Promise<void> {
    const { id } = terminal;
    if (this.#all.get(id) !== terminal) return;
    if (terminal instanceof Terminal) terminal.close(AttachCloseCode.removed, reason);
    else terminal.closeViewers(AttachCloseCode.removed, reason);
    this.#drop(id);
    await removeInitFiles(this.#launch.shellInit, id);
    await this.#saved.remove(id);
  }

  #drop(id: TerminalId): void {
    this.#all.delete(id);
    this.feed.removed(id);
  }

  /** Writes the screens down and ends every process. Nothing is started, published or forgotten any more. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.race([
      this.#saved.flush(),
      new Promise((resolve) => setTimeout(resolve, STOP_SAVE_MAX_MS).unref()),
    ]);
    const live = [...this.#all.values()].filter((terminal) => terminal instanceof Terminal);
    await killTrees(
      live.filter((terminal) => !terminal.exit).map((terminal) => terminal.pid),
      this.#log,
    );
    for (const terminal of live) {
      terminal.close(1001, "kaval ends");
      await removeInitFiles(this.#launch.shellInit, terminal.id);
    }
  }

  // Looking

  attach(id: string, socket: ViewerSocket, query: AttachQuery): ViewerConnection {
    const terminal = this.#all.get(id as TerminalId);
    if (terminal instanceof Terminal) return terminal.viewers.attach(socket, query);
    if (terminal) return terminal.attach(socket, this.boot, query);
    socket.close(AttachCloseCode.removed, "no such terminal");
    return { receive() {}, gone() {} };
  }

  /** The screen of a terminal as it is now; null when it has none any more. */
  checkpointOf(id: string): Promise<Checkpoint> | null {
    return this.#live(id)?.checkpoint() ?? null;
  }

  // What terminals and screens report

  rowChanged(id: TerminalId): void {
    if (!this.#stopping && !this.#dying.has(id)) this.feed.changed(id);
  }

  screenChanged(id: TerminalId): void {
    if (!this.#stopping && !this.#dying.has(id)) this.#saved.changed(id);
  }

  ended(id: TerminalId): void {
    const terminal = this.#all.get(id);
    if (terminal instanceof Terminal && terminal.exit && !this.#stopping)
      this.#log.info(`${id} ended with status ${terminal.exit.code}, signal ${terminal.exit.signal}`);
    void removeInitFiles(this.#launch.shellInit, id);
  }

  #live(id: string): Terminal | null {
    const terminal = this.#all.get(id as TerminalId);
    return terminal instanceof Terminal ? terminal : null;
  }

  onReply(id: string, bytes: Uint8Array): void {
    this.#live(id)?.onReply(bytes);
  }

  onFacts(id: string, facts: ScreenFacts): void {
    this.#live(id)?.onFacts(facts);
  }

  onParsed(id: string, bytes: number): void {
    this.#live(id)?.onParsed(bytes);
  }

  onNotice(id: string, what: KavalNotice["what"]): void {
    const terminal = this.#live(id);
    if (terminal) this.feed.notice({ id: terminal.id, atMs: Date.now(), what });
  }

  /** Screens whose worker died are built anew from their rings. */
  onScreensLost(ids: readonly string[]): void {
    for (const id of ids) this.#live(id)?.screenLost();
  }
}
