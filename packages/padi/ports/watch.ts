// The TCP ports on which each terminal's processes listen. A look reads one table of the kernel; only a socket that was not
// there before makes us search for its process. Looks follow output and new foreground processes, and a slow beat heals
// what those do not tell: a server that an agent started in silence.
import { isDeepStrictEqual } from "node:util";
import { type ListeningFacts, listeningFacts } from "@kolu/anyagent/listening.ts";
import type { ProcessFacts } from "@kolu/anyagent/process-tree.ts";
import { processFacts } from "@kolu/anyagent/processes.ts";
import type { PortFacts } from "@kolu/contract/terminal.ts";
import { readProcessName } from "../terminals/process-name.ts";
import { type OwnedSocket, portsOf, terminalOf } from "./attribute.ts";

export interface PortWatch {
  /** This terminal's root process. */
  track(id: string, rootPid: number): void;
  untrack(id: string): void;
  /** Something happened in a terminal that may have opened or closed a port. */
  nudge(): void;
  dispose(): void;
}

export interface PortWatchOptions {
  onPorts(id: string, ports: PortFacts): void;
  onFault(error: Error): void;
  listening?: ListeningFacts;
  processes?: ProcessFacts;
}

/** Whatever nothing tells of is seen within this. */
const BEAT_MS = 5_000;
/** A program that prints its address has opened its port just before or just after. */
const NUDGED_MS = 250;
const GAP_MS = 1_000;
/** The rest after a look, as a multiple of how long it took: at most a fiftieth of a core. */
const REST_SHARE = 50;
const TERMINAL_ID = "KAVAL_TERMINAL_ID";

export function createPortWatch(options: PortWatchOptions): PortWatch {
  const listening = options.listening ?? listeningFacts();
  const processes = options.processes ?? processFacts();
  const rootPids = new Map<string, number>();
  const told = new Map<string, PortFacts>();
  /** By key; null: not of any terminal. */
  let known = new Map<string, OwnedSocket | null>();
  let timer: NodeJS.Timeout | null = null;
  let dueMs = Number.POSITIVE_INFINITY;
  let looking = false;
  let missed = false;
  let endedMs = Number.NEGATIVE_INFINITY;
  let tookMs = 0;
  let disposed = false;
  let blind = false;

  function ask(delayMs: number): void {
    missed ||= looking;
    if (disposed || looking || rootPids.size === 0) return;
    const gapMs = Math.max(GAP_MS, tookMs * REST_SHARE);
    const atMs = Math.max(performance.now() + delayMs, endedMs + gapMs);
    if (timer !== null && dueMs <= atMs) return;
    if (timer !== null) clearTimeout(timer);
    dueMs = atMs;
    timer = setTimeout(() => void look(), Math.max(0, atMs - performance.now())).unref();
  }

  async function look(): Promise<void> {
    timer = null;
    looking = true;
    const startedMs = performance.now();
    try {
      await settle();
    } catch (cause) {
      options.onFault(new Error("the listening ports could not be looked at", { cause }));
    }
    endedMs = performance.now();
    tookMs = endedMs - startedMs;
    looking = false;
    ask(missed ? NUDGED_MS : BEAT_MS);
    missed = false;
  }

  async function settle(): Promise<void> {
    const listed = await listening.sockets();
    if (listed.kind === "hidden") {
      // The last answer stands.
      if (!blind) options.onFault(new Error(`listening ports are hidden from us: ${listed.reason}`));
      blind = true;
      return;
    }
    blind = false;
    const fresh = listed.value.filter(({ key }) => !known.has(key));
    const holders =
      fresh.length === 0 ? new Map() : await listening.holders(new Set(fresh.map((s) => s.key)));
    const next = new Map<string, OwnedSocket | null>();
    for (const socket of listed.value) {
      const { key } = socket;
      const pid = holders.get(key);
      if (known.has(key)) next.set(key, known.get(key) ?? null);
      else next.set(key, pid === undefined ? null : await ownerOf({ socket, pid }));
    }
    known = next;
    const owned = [...known.values()].filter((socket) => socket !== null);
    for (const id of rootPids.keys()) tell(id, owned);
  }

  async function ownerOf({ socket, pid }: Pick<OwnedSocket, "socket" | "pid">): Promise<OwnedSocket | null> {
    const terminalId = await terminalOf(pid, {
      roots: new Map([...rootPids].map(([id, rootPid]) => [rootPid, id])),
      parentOf: async (child) => (await processes.entry(child))?.parentPid ?? null,
      async markOf(marked) {
        const environ = await processes.environ(marked);
        return environ.kind === "known" ? (environ.value[TERMINAL_ID] ?? null) : null;
      },
    });
    if (terminalId === null) return null;
    return { socket, pid, terminalId, name: (await readProcessName(pid)) ?? String(pid) };
  }

  function tell(id: string, owned: readonly OwnedSocket[]): void {
    const ports: PortFacts = { status: "known", list: portsOf(owned, id) };
    if (isDeepStrictEqual(told.get(id), ports)) return;
    told.set(id, ports);
    options.onPorts(id, ports);
  }

  return {
    track(id, rootPid) {
      if (rootPids.get(id) === rootPid) return;
      rootPids.set(id, rootPid);
      // What belonged to nobody may be of this terminal: padi has just been started and its terminals come in one by one.
      for (const [key, owner] of known) if (owner === null) known.delete(key);
      told.delete(id);
      ask(NUDGED_MS);
    },
    untrack(id) {
      rootPids.delete(id);
      told.delete(id);
    },
    nudge: () => ask(NUDGED_MS),
    dispose() {
      disposed = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
