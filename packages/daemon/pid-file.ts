// One daemon of a kind for one state root: a pid file claimed atomically and believed only with the process's start time.
import { link, readFile, unlink, writeFile } from "node:fs/promises";
import { processStart } from "./process-start.ts";

export type Claim = { kind: "claimed"; release(): Promise<void> } | { kind: "held"; pid: number };

/** Attempts before giving up: each failure means that another starter won or lost in between. */
const CLAIM_ATTEMPTS = 20;

/** Takes the pid file for this process, or says who has it. A stale file (its process is gone) is replaced. */
export async function claimPidFile(path: string): Promise<Claim> {
  const start = await processStart(process.pid);
  const content = `${process.pid}\t${start}\n`;
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, content, { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < CLAIM_ATTEMPTS; attempt++) {
      try {
        // A hard link either makes the whole file appear or fails: no reader sees half a claim.
        await link(temporary, path);
        return { kind: "claimed", release: () => releaseIfOurs(path, content) };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
      const holder = await readHolder(path);
      if (holder) return { kind: "held", pid: holder.pid };
      await removeStale(path);
    }
    throw new Error(`Cannot claim ${path}: another process keeps replacing it.`);
  } finally {
    await unlink(temporary).catch(() => {});
  }
}

/** Who holds the file and still lives, or null. */
export async function readHolder(path: string): Promise<{ pid: number } | null> {
  const content = await readFile(path, "utf8").catch(() => null);
  if (content === null) return null;
  const [pidText, start] = content.trim().split("\t");
  const pid = Number(pidText);
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  return (await processStart(pid)) === start ? { pid } : null;
}

async function removeStale(path: string): Promise<void> {
  // Between our look and this unlink a new daemon may have claimed the path; looking again right before makes the
  // window as small as a file system allows, and the loser finds out when it binds the socket.
  if (await readHolder(path)) return;
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}

async function releaseIfOurs(path: string, content: string): Promise<void> {
  const current = await readFile(path, "utf8").catch(() => null);
  if (current === content) await unlink(path).catch(() => {});
}
