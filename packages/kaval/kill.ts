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

/**
 * Ends the trees under these processes, each the leader of a terminal's session. Answers with the pids that even KILL
 * did not end within two seconds (a process stuck in the kernel), normally none.
 */
export async function killTrees(rootPids: readonly number[], log: Log): Promise<number[]> {
  let alive = treesOf(rootPids, await readProcesses());
  for (const { signal, waitMs } of STAGES) {
    if (alive.length === 0) break;
    if (signal !== "SIGHUP") log.info(`${signal} to ${describe(alive)}, which outlived the signal before`);
    for (const one of alive) send(one.pid, signal);
    alive = await waitForEnd(alive, waitMs);
    if (alive.length > 0) alive = await withNewChildren(alive);
  }
  if (alive.length > 0) log.error(`cannot be killed: ${describe(alive)}`);
  return alive.map((one) => one.pid);
}

/**
 * Pure: these processes, everything that descends from them whatever its session, and whatever else is in their sessions
 * (children whose parent has already gone). A daemon that left the session and lost its parent on purpose is not of it.
 */
export function treesOf(rootPids: readonly number[], rows: readonly ProcessRow[]): ProcessRow[] {
  const roots = new Set(rootPids);
  const children = new Map<number, ProcessRow[]>();
  for (const row of rows) {
    const siblings = children.get(row.ppid);
    if (siblings) siblings.push(row);
    else children.set(row.ppid, [row]);
  }
  const tree = new Map<number, ProcessRow>();
  const open = rows.filter((row) => roots.has(row.pid) || roots.has(row.session));
  for (let row = open.pop(); row; row = open.pop()) {
    if (tree.has(row.pid)) continue;
    tree.set(row.pid, row);
    open.push(...(children.get(row.pid) ?? []));
  }
  return [...tree.values()];
}

/** Survivors may have forked since they were listed. */
async function withNewChildren(alive: ProcessRow[]): Promise<ProcessRow[]> {
  return treesOf(
    alive.map((one) => one.pid),
    await readProcesses(),
  );
}

async function waitForEnd(processes: ProcessRow[], forMs: number): Promise<ProcessRow[]> {
  const deadline = performance.now() + forMs;
  let alive = processes;
  for (let pause = LOOK_FIRST_MS; ; pause = Math.min(pause * 2, LOOK_LAST_MS)) {
    alive = await stillAlive(alive);
    if (alive.length === 0 || performance.now() >= deadline) return alive;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
    // A stopped process acts on nothing but KILL until it is continued.
    if (signal !== "SIGKILL") process.kill(pid, "SIGCONT");
  } catch (error) {
    // Gone in between, or set-uid and not ours to signal: the look afterwards tells which.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}

function describe(processes: readonly ProcessRow[]): string {
  return processes.map((one) => one.pid).join(" ");
}
