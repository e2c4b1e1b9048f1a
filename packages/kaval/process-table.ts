// What the system says of processes: /proc on Linux, ps on macOS.
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";

export interface ProcessRow {
  pid: number;
  ppid: number;
  /** Session id; on macOS ps shows none that could be compared, so it is 0. */
  session: number;
  /** Opaque; together with the pid it names one process for good. */
  start: string;
}

/** Rows read before others get their turn: a host with thousands of processes must not delay a keystroke. */
const ROWS_PER_SLICE = 200;

let reading: Promise<ProcessRow[]> | null = null;
let readingNext: Promise<ProcessRow[]> | null = null;

/**
 * Every process that has not ended, as of a moment after the call. Callers that come while the table is being read share
 * the reading after that one: thirty terminals killed at once cost two readings.
 */
export function readProcesses(): Promise<ProcessRow[]> {
  if (!reading) return startReading();
  readingNext ??= reading
    .catch(() => {})
    .then(() => {
      readingNext = null;
      return startReading();
    });
  return readingNext;
}

function startReading(): Promise<ProcessRow[]> {
  reading = readTable().finally(() => {
    reading = null;
  });
  return reading;
}

async function readTable(): Promise<ProcessRow[]> {
  if (process.platform !== "linux") return askPs(["-ax"]);
  const rows: ProcessRow[] = [];
  let read = 0;
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const row = readProc(pid);
    if (row) rows.push(row);
    read += 1;
    if (read % ROWS_PER_SLICE === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return rows;
}

/** Those of the given processes that have not ended, however their pids may be used by now. */
export async function stillAlive(processes: readonly ProcessRow[]): Promise<ProcessRow[]> {
  if (processes.length === 0) return [];
  if (process.platform === "linux") return processes.filter((one) => readProc(one.pid)?.start === one.start);
  const now = await askPs(["-p", processes.map((one) => one.pid).join(",")]);
  const starts = new Map(now.map((row) => [row.pid, row.start]));
  return processes.filter((one) => starts.get(one.pid) === one.start);
}

/** Foreground process group of a process's terminal; null when there is none or it cannot be told. */
export async function readForegroundGroup(pid: number): Promise<number | null> {
  if (process.platform === "linux") return readForegroundGroupSync(pid);
  try {
    const { stdout } = await run("ps", ["-o", "tpgid=", "-p", String(pid)], PS);
    return positive(stdout);
  } catch {
    // ps fails when there is no such process.
    return null;
  }
}

/** The same at once, on Linux alone: 15 microseconds. */
export function readForegroundGroupSync(pid: number): number | null {
  const fields = statFields(pid);
  return fields ? positive(fields[5]!) : null;
}

function positive(text: string): number | null {
  const value = Number(text);
  return Number.isInteger(value) && value > 0 ? value : null;
}

/** Fields of /proc/<pid>/stat from the third on, which is the state; null when there is no such process. */
function statFields(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in parentheses may hold anything: fields count from the last one.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}

function readProc(pid: number): ProcessRow | null {
  const fields = statFields(pid);
  // A zombie has ended: only its parent has not asked yet.
  if (!fields || fields[0] === "Z" || fields[0] === "X") return null;
  return { pid, ppid: Number(fields[1]), session: Number(fields[3]), start: fields[19]! };
}

const run = promisify(execFile);
const PS = { env: { LC_ALL: "C", PATH: "/usr/bin:/bin" } };

async function askPs(which: string[]): Promise<ProcessRow[]> {
  const { stdout } = await run("ps", [...which, "-o", "pid=,ppid=,stat=,lstart="], PS).catch((error) => {
    // ps answers with status 1 when no process matches.
    if ((error as { stdout?: string }).stdout === "") return { stdout: "" };
    throw error;
  });
  const rows: ProcessRow[] = [];
  for (const line of stdout.split("\n")) {
    const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.+)$/.exec(line);
    if (!match || match[3]!.startsWith("Z")) continue;
    rows.push({ pid: Number(match[1]), ppid: Number(match[2]), session: 0, start: match[4]!.trim() });
  }
  return rows;
}
