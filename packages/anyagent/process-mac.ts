// Processes on macOS: one `ps` for everything. Not run on a Mac by us yet; the parser is tested over captured output.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type ProcessEntry, type ProcessFacts, type Visible, walkTree } from "./process-tree.ts";

const run = promisify(execFile);
/** Twenty terminals are looked at in one go each second: they share one list. */
const LIST_GOOD_FOR_MS = 200;
const PS_ENV = { LC_ALL: "C", PATH: "/usr/bin:/bin:/usr/sbin:/sbin" };

export function macProcesses(): ProcessFacts {
  let list: { takenAtMs: number; entries: Promise<ProcessEntry[]> } | null = null;
  const listAll = (): Promise<ProcessEntry[]> => {
    const nowMs = performance.now();
    if (list === null || nowMs - list.takenAtMs > LIST_GOOD_FOR_MS)
      list = { takenAtMs: nowMs, entries: listPs(["-ax"]) };
    return list.entries;
  };
  return {
    foregroundTree: async (query) => {
      const entries = await listAll();
      const byPid = new Map(entries.map((entry) => [entry.pid, entry]));
      const children = Map.groupBy(entries, (entry) => entry.parentPid);
      return walkTree(
        {
          entry: (pid) => byPid.get(pid) ?? null,
          children: (pid) => (children.get(pid) ?? []).map((entry) => entry.pid),
        },
        query,
      );
    },
    entry: async (pid) => (await listPs(["-p", String(pid)]))[0] ?? null,
    // ps shows no environment of any process since macOS 10.13, not even of our own user's.
    environ: async () => ({ kind: "hidden", reason: "macOS does not show a process's environment" }),
    argv: async (pid) => {
      const text = await ps(["-o", "args=", "-p", String(pid)]);
      return text.kind === "hidden" ? text : { kind: "known", value: text.value.trim().split(/\s+/) };
    },
    tty: async (pid) => {
      const text = await ps(["-o", "tty=", "-p", String(pid)]);
      if (text.kind === "hidden") return text;
      const name = text.value.trim();
      return name === "" || name === "??"
        ? { kind: "hidden", reason: `process ${pid} has no terminal` }
        : { kind: "known", value: `/dev/${name}` };
    },
    cwd: async (pid) => {
      const text = await tell("lsof", ["-n", "-P", "-w", "-a", "-d", "cwd", "-F", "n", "-p", String(pid)]);
      if (text.kind === "hidden") return text;
      const path = parseLsofCwd(text.value);
      return path === null
        ? { kind: "hidden", reason: `lsof does not tell where process ${pid} works` }
        : { kind: "known", value: path };
    },
    openFiles: async (pid) => {
      const text = await tell("lsof", ["-n", "-P", "-w", "-F", "tn", "-p", String(pid)]);
      return text.kind === "hidden" ? text : { kind: "known", value: parseLsof(text.value) };
    },
  };
}

/** Output of `lsof -F tn`: a line `f<descriptor>`, then `t<type>` and `n<name>` for each open file; REG is a regular one. */
export function parseLsof(text: string): string[] {
  const paths = new Set<string>();
  let type = "";
  for (const line of text.split("\n")) {
    if (line.startsWith("t")) type = line.slice(1);
    else if (line.startsWith("n") && type === "REG") paths.add(line.slice(1));
  }
  return [...paths];
}

/** Output of `lsof -d cwd -F n`: a line `p<pid>`, `fcwd`, `n<path>`. */
export function parseLsofCwd(text: string): string | null {
  const line = text.split("\n").find((one) => one.startsWith("n/"));
  return line === undefined ? null : line.slice(1);
}

async function listPs(which: string[]): Promise<ProcessEntry[]> {
  const text = await ps([...which, "-o", "pid=,ppid=,pgid=,stat=,lstart=,comm="]);
  return text.kind === "hidden" ? [] : parsePs(text.value);
}

/** Lines of `ps -o pid=,ppid=,pgid=,stat=,lstart=,comm=`; lstart is five words such as "Mon Nov 30 08:45:51 2026". */
export function parsePs(text: string): ProcessEntry[] {
  const entries: ProcessEntry[] = [];
  for (const line of text.split("\n")) {
    const match = line.match(/^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+ +\S+ +\d+ +[\d:]+ +\d+)\s+(.*)$/);
    if (match === null || match[4]!.startsWith("Z")) continue;
    const startedAtMs = Date.parse(match[5]!);
    entries.push({
      pid: Number(match[1]),
      parentPid: Number(match[2]),
      groupPid: Number(match[3]),
      name: match[6]!.slice(match[6]!.lastIndexOf("/") + 1),
      startTime: match[5]!.replaceAll(/ +/g, " "),
      startedAtMs: Number.isNaN(startedAtMs) ? null : startedAtMs,
    });
  }
  return entries;
}

function ps(args: string[]): Promise<Visible<string>> {
  return tell("ps", args);
}

async function tell(program: string, args: string[]): Promise<Visible<string>> {
  try {
    return {
      kind: "known",
      value: (await run(program, args, { env: PS_ENV, maxBuffer: 16 * 1024 * 1024 })).stdout,
    };
  } catch (cause) {
    return { kind: "hidden", reason: cause instanceof Error ? cause.message : String(cause) };
  }
}
