// What a process is called, for people. Never evidence of what it is: that is the detector's business.
import { execFile } from "node:child_process";
import { readFile, readlink } from "node:fs/promises";
import { basename } from "node:path";
import { promisify } from "node:util";

/** Node names its main thread so on Linux, which says nothing about the program. */
const NODE_MAIN_THREAD = "MainThread";

/** The short name of a process; null when it is gone or hidden from us. */
export async function readProcessName(pid: number): Promise<string | null> {
  return process.platform === "linux" ? readProc(pid) : askPs(pid);
}

async function readProc(pid: number): Promise<string | null> {
  try {
    const name = (await readFile(`/proc/${pid}/comm`, "utf8")).trim();
    return name === NODE_MAIN_THREAD ? basename(await readlink(`/proc/${pid}/exe`)) : name;
  } catch {
    return null; // Ended between being seen and being asked.
  }
}

async function askPs(pid: number): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)("ps", ["-o", "comm=", "-p", String(pid)]);
    return basename(stdout.trim()).replace(/^-/, "") || null;
  } catch {
    return null;
  }
}
