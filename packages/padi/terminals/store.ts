// The records in memory, their rows on disk and their live view, changed together. What a change means is decided
// elsewhere (record.ts, reconcile.ts); here it becomes lasting and visible.
import { TOMBSTONE_MS } from "@kolu/contract/limits.ts";
import type { TilePlace } from "@kolu/contract/padi.ts";
import { refuse, terminalNotFound } from "@kolu/contract/refusals.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import type { PadiDb } from "../db/db.ts";
import type { Tombstone } from "../db/tombstones.ts";
import { createLiveView, type LiveView } from "./live-view.ts";
import { change } from "./record.ts";
import { conversationOf, fromSaved, type KnownConversation, type SavedTerminal, toSaved } from "./saved.ts";
import { placed } from "./tile-places.ts";
import { childrenOf } from "./tree.ts";

/** Facts that arrive by themselves are written together this much later. */
const SOON_MS = 50;
/** The time of the last activity alone is not worth a write of its own. */
const LAZY_MS = 60_000;
/** A disk that refuses a write is asked again this often. */
const RETRY_MS = 1_000;

/**
 * How lasting a change has to be. `now`: on disk before anybody outside can see it; whoever must know that it is calls
 * `commit`. `soon`: within 50 ms. `lazy`: with the next write of any kind, within a minute, or at a clean exit.
 */
export type Lasting = "now" | "soon" | "lazy";

export type Standing =
  | { kind: "found"; record: TerminalRecord }
  | { kind: "gone"; removedAtMs: number }
  | { kind: "unknown" };

/** `after` is null when the record was removed, `before` when it is new. */
export type RecordListener = (
  id: string,
  before: TerminalRecord | null,
  after: TerminalRecord | null,
) => void;

/** What the store keeps beside a record. */
export type KnownBesides = Pick<SavedTerminal, "agentCommand" | "lastConversation">;

export interface TerminalStore {
  view: LiveView<TerminalRecord>;
  all(): TerminalRecord[];
  map(): ReadonlyMap<string, TerminalRecord>;
  get(id: string): TerminalRecord | undefined;
  /** Throws `terminal-not-found`, or `terminal-gone` for an id that was removed within the last hour. */
  require(id: string): TerminalRecord;
  standing(id: string): Standing;
  tombstoneIds(): ReadonlySet<string>;
  /** A tile without a layout gets a free place, near `place` where that is given. */
  insert(record: TerminalRecord, place?: TilePlace): void;
  /** What a record from elsewhere brings with it. */
  know(id: string, known: KnownBesides): void;
  /** Applies a pure change; nothing happens when it returns the same object or the id is not known. */
  update(id: string, apply: (record: TerminalRecord) => TerminalRecord, lasting: Lasting): void;
  /** Removes the record, leaves a tombstone, and hands its children to its own parent, the first one its place. `kavalMayHold`: see Tombstone. */
  remove(id: string, options: { kavalMayHold: boolean }): void;
  /** Puts a tombstone without touching the record yet: a kill is decided and must hold whatever happens next. */
  markRemoving(id: string): void;
  /** The kill came to nothing and the record stays. */
  unmarkRemoving(id: string): void;
  /** kaval has been seen without this removed id. */
  settleTombstone(id: string): void;
  /** The command line that started the terminal's agent; null when none is known. */
  agentCommand(id: string): string | null;
  setAgentCommand(id: string, line: string | null): void;
  /** The last reading on disk of a terminal that lived through a restart of padi, until the first new one. */
  savedReading(id: string): SavedTerminal["agent"];
  /** The agent of the last reading is known to be gone. */
  dropSavedReading(id: string): void;
  /** The conversation that was in this terminal last; null when none is known. */
  lastConversation(id: string): KnownConversation | null;
  /** Writes what is due now. Throws a fault when the disk does not take it; the change stays due. */
  commit(): void;
  /** Called in order, after the change. A listener that throws is a bug of its own and ends nothing else. */
  onChange(listener: RecordListener): () => void;
  /** Writes everything and stops the timers. */
  close(): void;
}

export interface StoreOptions {
  db: PadiDb;
  boot: string;
  now(): number;
  /** A write that no caller waits for failed; it is tried again. */
  onFault(message: string, cause: unknown): void;
}

/** Loads the records from the database. A row that cannot be read is reported through `onFault` and left alone. */
export function openStore({ db, boot, now, onFault }: StoreOptions): TerminalStore {
  const records = new Map<string, TerminalRecord>();
  const agentCommands = new Map<string, string>();
  const savedReadings = new Map<string, SavedTerminal["agent"]>();
  const conversations = new Map<string, KnownConversation>();
  const tombstones = new Map<string, Tombstone>();
  const view = createLiveView<TerminalRecord>({ boot, now });
  const listeners = new Set<RecordListener>();
  const writes = createWriteQueue({ db, onFault, document, tombstone: (id) => tombstones.get(id) });

  const loaded = db.terminals.load();
  for (const { id, reason } of loaded.unreadable)
    onFault(`The saved record of terminal ${id} cannot be read and is left as it is`, new Error(reason));
  for (const saved of loaded.saved) {
    const record = fromSaved(saved);
    if (saved.agentCommand !== null) agentCommands.set(saved.id, saved.agentCommand);
    const conversation = saved.lastConversation ?? conversationOf(saved.agent);
    if (conversation !== null) conversations.set(saved.id, conversation);
    // What an agent did before padi's restart is not known to hold any more: the first new reading says.
    if (record.life === "active") savedReadings.set(saved.id, saved.agent);
    const current = record.life === "active" ? change(record, { agent: null }) : record;
    records.set(saved.id, current);
    view.put(current);
  }
  for (const tombstone of db.tombstones.load()) tombstones.set(tombstone.id, tombstone);

  function document(id: string): SavedTerminal | null {
    const record = records.get(id);
    if (!record) return null;
    const saved = toSaved(record, {
      agentCommand: agentCommands.get(id) ?? null,
      lastConversation: conversations.get(id) ?? null,
    });
    // Until a new reading is in, the last one stays on disk: should kaval die now, it is the way back.
    return savedReadings.has(id) ? { ...saved, agent: savedReadings.get(id) ?? null } : saved;
  }

  const emit = (id: string, before: TerminalRecord | null, after: TerminalRecord | null): void => {
    for (const listener of [...listeners]) {
      try {
        listener(id, before, after);
      } catch (error) {
        onFault(`A listener failed on a change of terminal ${id}`, error);
      }
    }
  };

  const set = (before: TerminalRecord | null, after: TerminalRecord, lasting: Lasting): void => {
    records.set(after.id, after);
    const conversation = after.agent === before?.agent ? null : conversationOf(after.agent);
    if (conversation !== null) conversations.set(after.id, conversation);
    view.put(after);
    writes.markTerminal(after.id, lasting);
    emit(after.id, before, after);
  };

  const expireTombstones = (): void => {
    const oldestMs = now() - TOMBSTONE_MS;
    for (const tombstone of tombstones.values()) {
      if (tombstone.kavalMayHold || tombstone.removedAtMs >= oldestMs) continue;
      tombstones.delete(tombstone.id);
      writes.markTombstone(tombstone.id);
    }
  };

  const bury = (id: string, kavalMayHold: boolean): void => {
    tombstones.set(id, { id, removedAtMs: now(), kavalMayHold });
    writes.markTombstone(id);
    expireTombstones();
  };

  const store: TerminalStore = {
    view,
    all: () => [...records.values()],
    map: () => records,
    get: (id) => records.get(id),
    require(id) {
      const standing = store.standing(id);
      if (standing.kind === "found") return standing.record;
      if (standing.kind === "gone") throw refuse("terminal-gone", { id }, `The terminal ${id} was removed.`);
      throw terminalNotFound(id);
    },
    standing(id) {
      const record = records.get(id);
      if (record) return { kind: "found", record };
      const tombstone = tombstones.get(id);
      const remembered = tombstone && tombstone.removedAtMs >= now() - TOMBSTONE_MS;
      return remembered ? { kind: "gone", removedAtMs: tombstone.removedAtMs } : { kind: "unknown" };
    },
    tombstoneIds: () => new Set(tombstones.keys()),
    know(id, { agentCommand, lastConversation }) {
      if (agentCommand !== null) agentCommands.set(id, agentCommand);
      if (lastConversation !== null) conversations.set(id, lastConversation);
      writes.markTerminal(id, "now");
    },
    insert(record, place) {
      if (tombstones.delete(record.id)) writes.markTombstone(record.id);
      set(null, placed(record, records, place), "now");
    },
    update(id, apply, lasting) {
      const before = records.get(id);
      if (!before) return;
      const after = apply(before);
      if (after !== before) set(before, placed(after, records), lasting);
    },
    remove(id, { kavalMayHold }) {
      const record = records.get(id);
      if (!record) return;
      for (const [index, child] of childrenOf(records.values(), id).entries())
        set(child, placed(heir(child, record, index === 0), records), "now");
      records.delete(id);
      agentCommands.delete(id);
      savedReadings.delete(id);
      conversations.delete(id);
      view.remove(id);
      writes.markTerminal(id, "now");
      bury(id, kavalMayHold);
      emit(id, record, null);
    },
    markRemoving: (id) => bury(id, true),
    unmarkRemoving(id) {
      if (tombstones.delete(id)) writes.markTombstone(id);
    },
    settleTombstone(id) {
      const tombstone = tombstones.get(id);
      if (!tombstone?.kavalMayHold) return;
      tombstones.set(id, { ...tombstone, kavalMayHold: false });
      writes.markTombstone(id);
      expireTombstones();
    },
    agentCommand: (id) => agentCommands.get(id) ?? null,
    setAgentCommand(id, line) {
      if ((agentCommands.get(id) ?? null) === line) return;
      if (line === null) agentCommands.delete(id);
      else agentCommands.set(id, line);
      writes.markTerminal(id, "now");
    },
    savedReading: (id) => savedReadings.get(id) ?? null,
    dropSavedReading(id) {
      if (savedReadings.delete(id)) writes.markTerminal(id, "soon");
    },
    lastConversation: (id) => conversations.get(id) ?? null,
    commit: writes.commit,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      writes.close();
      view.dispose();
    },
  };
  // One that an earlier padi left without a place gets one.
  for (const record of records.values()) {
    const current = placed(record, records);
    if (current !== record) set(record, current, "soon");
  }
  // A first new reading replaces the one on disk, whatever it says.
  store.onChange((id, before, after) => {
    if (before && after && before.agent !== after.agent) savedReadings.delete(id);
  });
  return store;
}

/** A child of a record that goes away; the first one takes its place on the plane. */
function heir(child: TerminalRecord, gone: TerminalRecord, first: boolean): TerminalRecord {
  const layout = gone.parentId === null && first ? (child.layout ?? gone.layout) : child.layout;
  return { ...child, parentId: gone.parentId, layout };
}

interface WriteQueue {
  markTerminal(id: string, lasting: Lasting): void;
  markTombstone(id: string): void;
  commit(): void;
  close(): void;
}

/** Which rows are due, and when. A row is read when it is written, so that ten changes cost one write. */
function createWriteQueue(options: {
  db: PadiDb;
  onFault(message: string, cause: unknown): void;
  document(id: string): SavedTerminal | null;
  tombstone(id: string): Tombstone | undefined;
}): WriteQueue {
  const { db, onFault } = options;
  const terminals = new Set<string>();
  const tombstones = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let timerAtMs = Infinity;
  let atOnce = false;

  const commit = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
    timerAtMs = Infinity;
    if (terminals.size === 0 && tombstones.size === 0) return;
    try {
      db.transaction(() => {
        for (const id of terminals) {
          const saved = options.document(id);
          if (saved) db.terminals.put(saved);
          else db.terminals.remove(id);
        }
        for (const id of tombstones) {
          const tombstone = options.tombstone(id);
          if (tombstone) db.tombstones.put(tombstone);
          else db.tombstones.remove(id);
        }
      });
    } catch (cause) {
      schedule(RETRY_MS);
      throw new Error("The workspace could not be written to disk.", { cause });
    }
    terminals.clear();
    tombstones.clear();
  };

  const commitUnasked = (): void => {
    try {
      commit();
    } catch (error) {
      onFault("A change is not on disk yet", error);
    }
  };

  /** At the end of this turn: sockets are written to later than that, and all changes of one turn are one write. */
  const scheduleNow = (): void => {
    if (atOnce) return;
    atOnce = true;
    queueMicrotask(() => {
      atOnce = false;
      commitUnasked();
    });
  };

  const schedule = (delayMs: number): void => {
    const atMs = performance.now() + delayMs;
    if (atMs >= timerAtMs) return;
    if (timer) clearTimeout(timer);
    timerAtMs = atMs;
    timer = setTimeout(() => {
      timer = null;
      timerAtMs = Infinity;
      commitUnasked();
    }, delayMs).unref();
  };

  return {
    markTerminal(id, lasting) {
      terminals.add(id);
      if (lasting === "now") scheduleNow();
      else schedule(lasting === "soon" ? SOON_MS : LAZY_MS);
    },
    markTombstone(id) {
      tombstones.add(id);
      scheduleNow();
    },
    commit,
    close() {
      try {
        commit();
      } finally {
        if (timer) clearTimeout(timer);
      }
    },
  };
}
