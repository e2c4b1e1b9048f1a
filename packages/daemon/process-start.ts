// When a process started, in a form that only serves to be compared: a pid alone may be somebody else's by now.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** Opaque and stable for one process; null when there is no such process. */
export async function processStart(pid: number): Promise<string | null> {
  return process.platform === "linux" ? readProcStart(pid) : askPs(pid);
}

async function readProcStart(pid: number): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may hold anything, spaces and parentheses too: fields count from the last one.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // Field 3 is the state; a zombie has ended. Field 22 is the start time in ticks since boot.
    return fields[0] === "Z" ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

async function askPs(pid: number): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)("ps", ["-o", "lstart=", "-p", String(pid)], {
      env: { LC_ALL: "C", PATH: "/usr/bin:/bin" },
    });
    return stdout.trim() || null;
  } catch {
    return null;
  }
}
