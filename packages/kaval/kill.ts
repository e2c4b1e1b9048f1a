// Ending a terminal's processes, all of them: HUP, then TERM, then KILL.
import type { Log } from "@kolu/daemon/log.ts";
import { type ProcessRow, readProcesses, stillAlive } from "./process-table.ts";

/** How long each signal is given before the next. HUP is what a closing terminal means, and shells leave on it at once. */
const STAGES = [
  { signal: "SIGHUP", waitMs: 1_000 },
  { signal: "SIGTERM", waitMs: 3_000 },
  { signal: "SIGKILL", waitMs: 2_000 },
] as const;

/** Time between two looks whether they are gone, growing from the first to the last. */
const LOOK_FIRST_MS = 5;
const LOOK_LAST_MS = 100;

/** Rounds of stopping what was forked meanwhile before KILL; a program that forks faster than that is killed as it is. */
const FREEZE_ROUNDS = 20;

/**
 * Ends the trees under these processes, each the leader of a terminal's session. Answers with the pids that even KILL
 * did not end within two seconds (a process stuck in the kernel), normally none.
 */
export async function killTrees(rootPids: readonly number[], log: Log): Promise<number[]> {
  const hunt = new Hunt(rootPids);
  let alive = await hunt.look();
  for (const { signal, waitMs } of STAGES) {
    if (alive.length === 0) break;
    if (signal !== "SIGHUP") log.info(`${signal} to ${describe(alive)}, which outlived the signal before`);
    if (signal === "SIGKILL") alive = await freeze(hunt, alive);
    for (const one of alive) send(one.pid, signal);
    await waitForEnd(alive, waitMs);
    alive = await hunt.look();
  }
  if (alive.length > 0) log.error(`cannot be killed: ${describe(alive)}`);
  return alive.map((one) => one.pid);
}

/** What belongs to the trees, remembered over several looks: a parent that died leaves children that only it explained. */
class Hunt {
  #rootPids: readonly number[];
  #known = new Map<number, ProcessRow>();

  constructor(rootPids: readonly number[]) {
    this.#rootPids = rootPids;
  }

  async look(): Promise<ProcessRow[]> {
    const rows = await readProcesses();
    const roots = new Set([...this.#rootPids, ...this.#known.keys()]);
    // A number that somebody else has by now is no root any more.
    for (const row of rows) {
      const known = this.#known.get(row.pid);
      if (known && known.start !== row.start) roots.delete(row.pid);
    }
    const tree = treesOf(roots, rows);
    for (const row of tree) this.#known.set(row.pid, row);
    return tree;
  }
}

/**
 * Pure: these processes, everything that descends from them whatever its session, and whatever else is in their sessions
 * (children whose parent has already gone); parents before children. A daemon that left the session and lost its parent
 * on purpose is not of it.
 */
export function treesOf(rootPids: Iterable<number>, rows: readonly ProcessRow[]): ProcessRow[] {
  const roots = new Set(rootPids);
  const children = new Map<number, ProcessRow[]>();
  for (const row of rows) {
    const siblings = children.get(row.ppid);
    if (siblings) siblings.push(row);
    else children.set(row.ppid, [row]);
  }
  const tree = new Map<number, ProcessRow>();
  const open = rows.filter((row) => roots.has(row.pid));
  open.push(...rows.filter((row) => roots.has(row.session)));
  for (let at = 0; at < open.length; at++) {
    const row = open[at]!;
    if (tree.has(row.pid)) continue;
    tree.set(row.pid, row);
    open.push(...(children.get(row.pid) ?? []));
  }
  return [...tree.values()];
}

/** Stops them all, and what they forked while they were being stopped: a loop of forks would slip through a KILL. */
async function freeze(hunt: Hunt, first: ProcessRow[]): Promise<ProcessRow[]> {
  const stopped = new Set<number>();
  let alive = first;
  for (let round = 0; round < FREEZE_ROUNDS; round++) {
    const running = alive.filter((one) => !stopped.has(one.pid));
    if (running.length === 0) break;
    for (const one of running) {
      send(one.pid, "SIGSTOP");
      stopped.add(one.pid);
    }
    alive = await hunt.look();
  }
  return alive;
}

async function waitForEnd(processes: ProcessRow[], forMs: number): Promise<void> {
  const deadline = performance.now() + forMs;
  let alive = processes;
  for (let pause = LOOK_FIRST_MS; ; pause = Math.min(pause * 2, LOOK_LAST_MS)) {
    alive = await stillAlive(alive);
    if (alive.length === 0 || performance.now() >= deadline) return;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
    // A stopped process acts on HUP and TERM only once it is continued.
    if (signal === "SIGHUP" || signal === "SIGTERM") process.kill(pid, "SIGCONT");
  } catch (error) {
    // Gone in between, or set-uid and not ours to signal: the look afterwards tells which.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}

function describe(processes: readonly ProcessRow[]): string {
  return processes.map((one) => one.pid).join(" ");
}
