// Keeps the records in step with kaval: its rows become records, its silence becomes parked ones, and what the detector
// and git find out lands on them. Decisions are in record.ts and reconcile.ts.
import type { AgentReading } from "@kolu/contract/agent.ts";
import type { TerminalId } from "@kolu/contract/ids.ts";
import type { KavalNotice, KavalTerminal } from "@kolu/contract/kaval.ts";
import type { ProgramRecord } from "@kolu/contract/program-status.ts";
import { isRefusal } from "@kolu/contract/refusals.ts";
import { LinkLost } from "@kolu/contract/rpc.ts";
import type { GitFacts, PortFacts, PullRequest, TerminalRecord } from "@kolu/contract/terminal.ts";
import type { Log } from "@kolu/daemon/log.ts";
import type { AttentionWatch } from "../attention/watch.ts";
import type { PadiDb } from "../db/db.ts";
import type { KavalEvents, KavalLink } from "../kaval-link.ts";
import type { RecentsBook } from "../launch/recents.ts";
import { createTimers } from "../timers.ts";
import { readProcessName } from "./process-name.ts";
import { actionFor, afterExit, type ReconcileAction, reconcile } from "./reconcile.ts";
import {
  adoptedRecord,
  asleep,
  type Birth,
  BUSY_MS,
  change,
  exited,
  foldActivity,
  foldDetection,
  foldForeground,
  foldGit,
  foldLiveRow,
  foldPorts,
  foldPullRequest,
  newRecord,
  park,
  sinceBefore,
  startedBy,
} from "./record.ts";
import { type Ended, removeTerminal } from "./removal.ts";
import { createSettling, type Settling } from "./settling.ts";
import type { TerminalStore } from "./store.ts";

/** The screen of a terminal that ended well is kept this long, for a wait that is just reading it. */
const LAST_SCREEN_MS = 5_000;
/** So long the screens of forgotten terminals are kept for a person who thinks again. */
const SECOND_THOUGHTS_MS = 10 * 60 * 1_000;
/** A process shows its final name only once it has replaced the shell's copy of itself. */
const NAME_LOOKS_MS = [0, 150, 600, 2_000];

export interface Follow extends KavalEvents, Settling {
  /** kaval's latest row of a live terminal. */
  row(id: string): KavalTerminal | undefined;
  /** The next stranger with this id is no stranger: it is being created with these facts. */
  expect(birth: Birth): void;
  /** The terminal was not made after all. */
  forgetExpected(id: string): void;
  /** Every later row of this id until the returned function is called; null when the terminal is gone. */
  onRow(id: string, listener: (row: KavalTerminal | null) => void): () => void;
  /** Removes a terminal for good: ends its process where one lives, then its record. */
  remove(id: TerminalId): Promise<Ended>;
  /** Removes the record of a terminal that has no process, and its screen a while later: until then it can come back whole. */
  forgetLater(id: TerminalId): void;
  /** Ends its processes and keeps its screen: the record sleeps. Rejects when that failed: then it is as it was. */
  putAway(id: TerminalId): Promise<void>;
  /** For `git/watch.ts`. */
  onGitFacts(id: string, facts: GitFacts | null): void;
  onPullRequest(id: string, pr: PullRequest | null): void;
  onPorts(id: string, ports: PortFacts): void;
  /** What the detector says of a terminal from now on. */
  onDetection(id: string, outcome: { agent: AgentReading | null; program: ProgramRecord | null }): void;
  dispose(): void;
}

/** Who finds out which agent runs in a terminal (detect/). */
export interface DetectPort {
  observe(row: KavalTerminal): void;
  forget(id: string): void;
}

/** Who keeps an eye on the repository of a terminal's directory (git/). */
export interface GitPort {
  track(id: string, cwd: string): void;
  untrack(id: string): void;
  /** Something may have changed the working tree. */
  poke(id: string): void;
}

/** Who asks for the pull request of a terminal's branch (git/pull-requests.ts). */
export interface PullRequestPort {
  track(id: string, git: GitFacts | null): void;
  untrack(id: string): void;
  commandEnded(id: string, line: string): void;
}

/** Who looks for ports that a terminal's processes listen on (ports/). */
export interface PortsPort {
  track(id: string, rootPid: number): void;
  untrack(id: string): void;
  nudge(): void;
}

export interface FollowOptions {
  store: TerminalStore;
  db: PadiDb;
  recents: Pick<RecentsBook, "putRepo" | "putAgent">;
  kaval(): KavalLink;
  detect(): DetectPort;
  git(): GitPort;
  pullRequests(): PullRequestPort;
  ports(): PortsPort;
  attention: AttentionWatch;
  onNotice(notice: KavalNotice): void;
  /** What a line starts, without what belongs to one conversation: null when it is no session of this agent, `recent` null
   * when it is one that is not offered again. */
  startOf(agentKind: string, line: string): { recent: string | null } | null;
  log: Log;
  now(): number;
}

export function createFollow(options: FollowOptions): Follow {
  const { store, db, recents, attention, log, now } = options;
  const rows = new Map<string, KavalTerminal>();
  const births = new Map<string, Birth>();
  /** Being removed or put away: what kaval tells of their ends is no news. */
  const ending = new Set<string>();
  /** Forgotten a moment ago: their screens are kept. */
  const secondThoughts = new Set<string>();
  const rowListeners = new Map<string, Set<(row: KavalTerminal | null) => void>>();
  const settling = createSettling({
    all: store.all,
    atPrompt: (id) => rows.get(id)?.atPrompt ?? false,
    now,
  });
  const timers = createTimers();
  /** A snapshot of kaval has been taken since padi's start. */
  let met = false;

  const tellListeners = (id: string, row: KavalTerminal | null): void => {
    for (const listener of rowListeners.get(id) ?? []) listener(row);
  };

  /** Calls kaval without anybody waiting; a terminal that is gone already is what was wanted. */
  function inBackground(what: string, call: Promise<unknown>): void {
    call.catch((error: unknown) => {
      // A dropped link is made good at the next snapshot: the tombstone still stands.
      if (isRefusal(error, "terminal-not-found") || error instanceof LinkLost) return;
      log.error(`${what} failed`, error);
    });
  }

  function apply(action: ReconcileAction): void {
    switch (action.kind) {
      case "follow":
        follow(action.row);
        break;
      case "adopt":
        adopt(action.row);
        break;
      case "end":
        ended(action.row);
        break;
      case "kill":
        removeRecord(action.id, { kavalMayHold: true });
        inBackground(`killing ${action.id}`, options.kaval().call("terminal.kill", { id: action.id }));
        break;
      case "forget":
        if (secondThoughts.has(action.id)) break;
        removeRecord(action.id, { kavalMayHold: true });
        inBackground(`forgetting ${action.id}`, options.kaval().call("terminal.remove", { id: action.id }));
        break;
      case "park":
        parkOne(action.id);
        break;
      case "remove":
        removeRecord(action.id, { kavalMayHold: false });
        break;
      case "settle-tombstone":
        store.settleTombstone(action.id);
        break;
      default:
        action satisfies never;
    }
  }

  function follow(row: KavalTerminal): void {
    if (row.life !== "live") return;
    const before = rows.get(row.id);
    rows.set(row.id, row);
    const activityOnly =
      before !== undefined && store.get(row.id)?.life === "active" && sameFacts(before, row);
    store.update(row.id, (record) => foldLiveRow(record, row, now()), activityOnly ? "lazy" : "soon");
    watchRow(row, before);
  }

  function adopt(row: KavalTerminal): void {
    const birth = births.get(row.id);
    births.delete(row.id);
    const record = birth ? foldLiveRow(newRecord(birth, now()), row, now()) : adoptedRecord(row, now());
    if (!birth) log.info(`terminal ${row.id} was found in kaval (${row.life}) and adopted`);
    store.insert(record, birth?.place);
    if (row.life !== "live") return;
    rows.set(row.id, row);
    watchRow(row, undefined);
  }

  /** What else learns of a live row: git, the detector, attention, the clock of `busy`, the foreground's name. */
  function watchRow(row: KavalTerminal, before: KavalTerminal | undefined): void {
    const { id } = row;
    settling.noteRow(id);
    if (before?.cwd !== row.cwd) options.git().track(id, row.cwd);
    else if (before.command?.endedAtMs !== row.command?.endedAtMs) options.git().poke(id);
    if (row.command && !row.command.running && before?.command?.endedAtMs !== row.command.endedAtMs)
      options.pullRequests().commandEnded(id, row.command.line);
    if (row.pid !== null) options.ports().track(id, row.pid);
    if (before?.foregroundPid !== row.foregroundPid || before?.lastOutputAtMs !== row.lastOutputAtMs)
      options.ports().nudge();
    if (
      before?.foregroundPid !== row.foregroundPid ||
      before?.command?.startedAtMs !== row.command?.startedAtMs
    )
      nameForeground(row);
    if (row.lastOutputAtMs !== null && before?.lastOutputAtMs !== row.lastOutputAtMs) {
      attention.noticeOutput(id, row.lastOutputAtMs);
      timers.startOnce(`busy ${id}`, row.lastOutputAtMs + BUSY_MS - now(), () => settleActivity(id));
    }
    if (row.atPrompt) store.dropSavedReading(id);
    if (row.command?.running && before?.command?.startedAtMs !== row.command.startedAtMs) noteStart(id);
    options.detect().observe(row);
    tellListeners(id, row);
  }

  function settleActivity(id: string): void {
    const row = rows.get(id);
    if (!row || row.lastOutputAtMs === null) return;
    const quietInMs = row.lastOutputAtMs + BUSY_MS - now();
    if (quietInMs > 0) {
      timers.startOnce(`busy ${id}`, quietInMs, () => settleActivity(id));
      return;
    }
    store.update(id, (record) => foldActivity(record, row.lastOutputAtMs, now()), "lazy");
    // Whatever just stopped printing may have changed the working tree.
    options.git().poke(id);
  }

  function nameForeground({ id, foregroundPid: pid }: KavalTerminal): void {
    for (const delayMs of NAME_LOOKS_MS) {
      timers.start(`name ${id} ${delayMs}`, delayMs, async () => {
        if (pid === null) return;
        const name = await readProcessName(pid);
        if (name === null || rows.get(id)?.foregroundPid !== pid) return;
        store.update(id, (record) => foldForeground(record, { pid, name }), "lazy");
      });
    }
  }

  function unwatch(id: string): void {
    rows.delete(id);
    settling.forget(id);
    timers.clear(` ${id}`);
    options.detect().forget(id);
    options.git().untrack(id);
    options.pullRequests().untrack(id);
    options.ports().untrack(id);
    tellListeners(id, null);
  }

  function ended(row: KavalTerminal): void {
    const exit = row.exit ?? { code: 0, signal: 0 };
    const record = store.get(row.id);
    if (record?.life === "exited") return;
    if (afterExit(exit) === "remove") {
      if (record) removeRecord(row.id, { kavalMayHold: true });
      timers.start(`last-screen ${row.id}`, LAST_SCREEN_MS, () =>
        inBackground(`forgetting ${row.id}`, options.kaval().call("terminal.remove", { id: row.id })),
      );
      return;
    }
    const birth = births.get(row.id) ?? strangerBirth(row);
    if (!record) store.insert(newRecord(birth, row.createdAtMs), birth.place);
    births.delete(row.id);
    const end = { code: exit.code, signal: exit.signal };
    store.update(
      row.id,
      (current) => exited({ ...current, title: row.title, cwd: row.cwd }, end, now()),
      "now",
    );
    unwatch(row.id);
  }

  /**
   * How the terminal's agent was started is the way back to it, and what a person may want again. The agent's process and
   * the shell's word of the command come by different ways: whichever is later makes it whole.
   */
  function noteStart(id: string): void {
    const record = store.get(id);
    if (!record?.agent || store.agentCommand(id) !== null) return;
    const line = startedBy(record);
    const start = line === null ? null : options.startOf(record.agent.kind, line);
    if (line === null || start === null) return;
    store.setAgentCommand(id, line);
    if (start.recent === null) return;
    const repoRoot = record.git?.mainRoot ?? null;
    recents.putAgent({ command: start.recent, kind: record.agent.kind, repoRoot, usedAtMs: now() });
  }

  function parkOne(id: string): void {
    unwatch(id);
    const saved = store.savedReading(id);
    store.update(id, (record) => park(change(record, { agent: record.agent ?? saved }), now()), "now");
  }

  /** The record sleeps first, on disk too: who it was must not be lost to what its agent does as it is told to leave. */
  function sleepOne(id: string): TerminalRecord {
    const before = store.require(id);
    const saved = store.savedReading(id);
    store.update(id, (record) => asleep(change(record, { agent: record.agent ?? saved }), now()), "now");
    store.commit();
    return before;
  }

  function removeRecord(id: string, removal: { kavalMayHold: boolean }): void {
    store.remove(id, removal);
    unwatch(id);
  }

  return {
    whenMet: settling.whenMet,
    whenSettled: settling.whenSettled,
    row: (id) => rows.get(id),
    expect: (birth) => void births.set(birth.id, birth),
    forgetExpected: (id) => void births.delete(id),
    onRow(id, listener) {
      const listeners = rowListeners.get(id) ?? new Set();
      rowListeners.set(id, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) rowListeners.delete(id);
      };
    },
    onSnapshot(boot, terminals) {
      const sameKaval = db.meta.read("kaval-boot") === boot;
      const records = store.all().filter((record) => !ending.has(record.id));
      // A link that dropped and came back is no restart: what was known of each terminal's attention still holds.
      if (!met || !sameKaval)
        for (const record of records) if (record.life === "active") attention.expectOld(record.id);
      met = true;
      const tombstoneIds = store.tombstoneIds();
      for (const action of reconcile({ rows: terminals, records, tombstoneIds, sameKaval })) apply(action);
      db.meta.put("kaval-boot", boot);
      store.commit();
      attention.setListening(true);
      settling.noteMet();
    },

    onChanged(row) {
      if (ending.has(row.id)) return;
      const action = actionFor(row, store.get(row.id)?.life, store.tombstoneIds().has(row.id));
      // An ended terminal whose tombstone stands keeps its last screen for its few seconds.
      if (action.kind !== "forget" || row.life !== "ended") apply(action);
    },

    onRemoved(id) {
      if (ending.has(id)) return;
      store.settleTombstone(id);
      const life = store.get(id)?.life;
      if (life === "active" || life === "exited") removeRecord(id, { kavalMayHold: false });
    },

    onNotice: options.onNotice,

    onDown(died) {
      attention.setListening(false);
      for (const id of rows.keys()) options.detect().forget(id);
      rows.clear();
      if (!died) return;
      for (const record of store.all()) if (record.life === "active") parkOne(record.id);
      store.commit();
    },

    async remove(id) {
      ending.add(id);
      try {
        return await removeTerminal(id, { store, kaval: options.kaval(), removeRecord });
      } finally {
        ending.delete(id);
      }
    },

    forgetLater(id) {
      removeRecord(id, { kavalMayHold: true });
      secondThoughts.add(id);
      timers.start(`screen ${id}`, SECOND_THOUGHTS_MS, () => {
        secondThoughts.delete(id);
        if (store.get(id)) return;
        inBackground(`forgetting ${id}`, options.kaval().call("terminal.remove", { id }));
      });
    },

    async putAway(id) {
      if (store.require(id).life !== "active") {
        sleepOne(id);
        return;
      }
      ending.add(id);
      const before = sleepOne(id);
      try {
        await options.kaval().call("terminal.putAway", { id });
        unwatch(id);
      } catch (error) {
        // A dropped link is made good at the next snapshot: a row that lives wakes its record.
        if (!(error instanceof LinkLost)) store.update(id, (record) => stillAwake(record, before), "now");
        throw error;
      } finally {
        ending.delete(id);
      }
    },

    onDetection(id, outcome) {
      const record = store.get(id);
      if (record?.life !== "active") return;
      const agent = outcome.agent && sinceBefore(outcome.agent, store.savedReading(id));
      const goneOrAnother = record.agent !== null && record.agent.pid !== agent?.pid;
      if (goneOrAnother) store.setAgentCommand(id, null);
      // Which conversation it is must outlive us; what it is doing is read anew.
      const sameOne = record.agent?.kind === agent?.kind && record.agent?.sessionId === agent?.sessionId;
      const lasting = sameOne ? "soon" : "now";
      store.update(id, (current) => foldDetection(current, { ...outcome, agent }), lasting);
      noteStart(id);
      settling.noteNews();
    },

    onGitFacts(id, facts) {
      settling.noteGit(id);
      if (facts && store.get(id)?.git?.mainRoot !== facts.mainRoot)
        recents.putRepo({ root: facts.mainRoot, name: facts.name, usedAtMs: now() });
      store.update(id, (record) => foldGit(record, facts), "soon");
      options.pullRequests().track(id, facts);
    },

    onPullRequest: (id, pr) => void store.update(id, (record) => foldPullRequest(record, pr), "soon"),
    onPorts: (id, ports) => void store.update(id, (record) => foldPorts(record, ports), "soon"),

    dispose: () => timers.clear(""),
  };
}

function strangerBirth(row: KavalTerminal): Birth {
  return { id: row.id, parentId: null, intent: null, themeName: null, cwd: row.cwd };
}

/** A record whose process was not ended after all; what else happened to it meanwhile stays. */
function stillAwake(record: TerminalRecord, before: TerminalRecord): TerminalRecord {
  const { life, lifeSinceMs, agent, command, pid, foreground, program, progress, busy, unread } = before;
  return { ...record, life, lifeSinceMs, agent, command, pid, foreground, program, progress, busy, unread };
}

/** Rows that differ only in how much output flowed and who looks on. */
function sameFacts(a: KavalTerminal, b: KavalTerminal): boolean {
  return (
    a.title === b.title &&
    a.cwd === b.cwd &&
    a.cols === b.cols &&
    a.rows === b.rows &&
    a.pid === b.pid &&
    a.command?.startedAtMs === b.command?.startedAtMs &&
    a.command?.endedAtMs === b.command?.endedAtMs &&
    a.command?.line === b.command?.line
  );
}
