// Processes on Linux. Reading /proc touches no disk (about 15 us a file), so it is done in place rather than in the pool.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import {
  type ProcessEntry,
  type ProcessFacts,
  type TreeSource,
  type Visible,
  walkTree,
} from "./process-tree.ts";

/** Ticks a second in /proc; the kernel fixes it at 100 for user space on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100;

export function linuxProcesses(root = "/proc"): ProcessFacts {
  const bootMs = readBootMs(root);
  const entry = (pid: number): ProcessEntry | null => readEntry(root, pid, bootMs);
  return {
    foregroundTree: async (query) => {
      const source: TreeSource = { entry, children: childrenReader(root) };
      return walkTree(source, query);
    },
    entry: async (pid) => entry(pid),
    environ: async (pid) => {
      const text = readVisible(`${root}/${pid}/environ`);
      return text.kind === "hidden" ? text : { kind: "known", value: parseEnviron(text.value) };
    },
    argv: async (pid) => {
      const text = readVisible(`${root}/${pid}/cmdline`);
      if (text.kind === "hidden") return text;
      // A program that retitles itself leaves its old argv as NUL bytes: those words are not argv any more.
      return { kind: "known", value: text.value.replace(/\0+$/, "").split("\0") };
    },
    tty: async (pid) => {
      try {
        return { kind: "known", value: readlinkSync(`${root}/${pid}/fd/0`) };
      } catch (cause) {
        return { kind: "hidden", reason: String(cause) };
      }
    },
    cwd: async (pid) => {
      try {
        const path = readlinkSync(`${root}/${pid}/cwd`);
        return { kind: "known", value: path.replace(/ \(deleted\)$/, "") };
      } catch (cause) {
        return { kind: "hidden", reason: String(cause) };
      }
    },
    openFiles: async (pid) => openFilesOf(`${root}/${pid}/fd`),
  };
}

function openFilesOf(dir: string): Visible<string[]> {
  try {
    const paths = readdirSync(dir).map((name) => linkOrNull(`${dir}/${name}`));
    // Pipes, sockets and the like have names without a slash; a removed file's name says so.
    const isFile = (path: string | null): path is string =>
      path?.startsWith("/") === true && !path.startsWith("/dev/") && !path.endsWith(" (deleted)");
    return { kind: "known", value: [...new Set(paths.filter(isFile))] };
  } catch (cause) {
    return { kind: "hidden", reason: cause instanceof Error ? cause.message : String(cause) };
  }
}

/** Null for a descriptor that was closed since it was listed. */
function linkOrNull(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

function readEntry(root: string, pid: number, bootMs: number | null): ProcessEntry | null {
  const stat = readOrNull(`${root}/${pid}/stat`);
  return stat === null ? null : parseStat(stat, bootMs);
}

/** Parses one line of /proc/<pid>/stat; null for a process that has ended (Z, X) or a line that is none. */
export function parseStat(stat: string, bootMs: number | null): ProcessEntry | null {
  // The name in parentheses may hold spaces and parentheses of its own: fields count from the last one.
  const open = stat.indexOf("(");
  const close = stat.lastIndexOf(")");
  if (open < 0 || close < 0) return null;
  const fields = stat.slice(close + 2).split(" ");
  const [state, parent, group] = fields;
  const startTime = fields[19];
  if (startTime === undefined || state === "Z" || state === "X") return null;
  return {
    pid: Number.parseInt(stat, 10),
    parentPid: Number(parent),
    groupPid: Number(group),
    name: stat.slice(open + 1, close),
    startTime,
    startedAtMs: bootMs === null ? null : bootMs + (Number(startTime) * 1000) / TICKS_PER_SECOND,
  };
}

/** Children by the kernel's own lists, one per thread; where those are not compiled in, by one pass over every process. */
function childrenReader(root: string): (pid: number) => number[] {
  let byParent: Map<number, number[]> | null = null;
  return (pid) => {
    if (byParent === null) {
      const listed = listedChildren(root, pid);
      if (listed !== null) return listed;
      byParent = scanParents(root);
    }
    return byParent.get(pid) ?? [];
  };
}

function listedChildren(root: string, pid: number): number[] | null {
  const pids: number[] = [];
  let readable = false;
  for (const thread of listOrEmpty(`${root}/${pid}/task`)) {
    const list = readOrNull(`${root}/${pid}/task/${thread}/children`);
    if (list === null) continue;
    readable = true;
    for (const word of list.split(" ")) if (word !== "") pids.push(Number(word));
  }
  // A process that ended meanwhile has no task directory: no children, rather than a kernel without the lists.
  if (!readable && readOrNull(`${root}/${pid}/stat`) !== null) return null;
  return pids;
}

function scanParents(root: string): Map<number, number[]> {
  const byParent = new Map<number, number[]>();
  for (const name of listOrEmpty(root)) {
    const entry = /^\d+$/.test(name) ? readEntry(root, Number(name), null) : null;
    if (entry === null) continue;
    const siblings = byParent.get(entry.parentPid);
    if (siblings === undefined) byParent.set(entry.parentPid, [entry.pid]);
    else siblings.push(entry.pid);
  }
  return byParent;
}

function readBootMs(root: string): number | null {
  const seconds = readOrNull(`${root}/stat`)?.match(/^btime (\d+)$/m)?.[1];
  const upSeconds = Number.parseFloat(readOrNull(`${root}/uptime`) ?? "");
  return seconds === undefined ? null : finerBootMs(Number(seconds) * 1000, Date.now() - upSeconds * 1000);
}

/** The kernel gives the moment of the boot in whole seconds, rounded down; how long it has been up is known to 10 ms.
 * A container may be told another machine's uptime: then the rounded one stands. */
export function finerBootMs(roundedMs: number, byUptimeMs: number): number {
  const agrees = byUptimeMs >= roundedMs - 50 && byUptimeMs < roundedMs + 1_050;
  return agrees ? byUptimeMs : roundedMs;
}

function parseEnviron(text: string): Record<string, string> {
  const environ: Record<string, string> = {};
  for (const pair of text.split("\0")) {
    const at = pair.indexOf("=");
    if (at > 0) environ[pair.slice(0, at)] = pair.slice(at + 1);
  }
  return environ;
}

function readVisible(path: string): Visible<string> {
  try {
    return { kind: "known", value: readFileSync(path, "utf8") };
  } catch (cause) {
    return { kind: "hidden", reason: cause instanceof Error ? cause.message : String(cause) };
  }
}

/** Null for whatever cannot be read: in /proc that is a process which has ended or belongs to somebody else. */
function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

function listOrEmpty(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
