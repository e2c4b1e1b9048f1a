// What a process costs, from /proc (Linux).
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

const TICKS_PER_SECOND = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** Resident memory in MB. Shared pages count whole, as they do in `ps`. */
export function residentMB(pid: number): number {
  const match = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(match?.[1] ?? Number.NaN) / 1024;
}

/** Processor seconds used so far, all threads. */
export function processorSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Share of one core (0..1) that these processes use over the time. */
export async function processorShare(pids: readonly number[], overMs: number): Promise<number> {
  const before = pids.map(processorSeconds);
  const startedAt = performance.now();
  await new Promise((resolve) => setTimeout(resolve, overMs));
  const seconds = pids.reduce((sum, pid, index) => sum + processorSeconds(pid) - before[index]!, 0);
  return seconds / ((performance.now() - startedAt) / 1000);
}

/** Memory in MB, pages that several processes share counted in parts. */
export function proportionalMB(pid: number): number {
  const match = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"));
  return Number(match?.[1] ?? Number.NaN) / 1024;
}

/** Processes below this one whose command line matches. */
export function descendants(root: number, command: RegExp): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    const stat = readQuietly(`/proc/${name}/stat`);
    parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent === root || (parent !== undefined && parent > 1 && isBelow(parent));
  };
  return [...parents.keys()].filter(
    (pid) => isBelow(pid) && command.test(readQuietly(`/proc/${pid}/cmdline`).replaceAll("\0", " ")),
  );
}

/** A process may end between two looks. */
function readQuietly(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
