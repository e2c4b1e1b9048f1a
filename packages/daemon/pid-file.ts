// One daemon of a kind for one state root: a pid file claimed atomically and believed only with the process's start time.
import { createHash, randomUUID } from "node:crypto";
import { link, readFile, unlink, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { processStart } from "./process-start.ts";

export type Claim = { kind: "claimed"; release(): Promise<void> } | { kind: "held"; pid: number };

/** Attempts before giving up: each failure means that another starter won, lost or is clearing up in between. */
const CLAIM_ATTEMPTS = 500;
/** Between attempts while another starter clears a dead daemon's file away. */
const CLEARING_PAUSE_MS = 10;

/** Takes the pid file for this process, or says who has it. A stale file (its process is gone) is replaced. */
export async function claimPidFile(path: string): Promise<Claim> {
  const start = await processStart(process.pid);
  const content = `${process.pid}\t${start}\n`;
  const temporary = `${path}.${randomUUID()}`;
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
  const content = await readContent(path);
  return content === null ? null : holderOf(content);
}

async function readContent(path: string): Promise<string | null> {
  return readFile(path, "utf8").catch(() => null);
}

async function holderOf(content: string): Promise<{ pid: number } | null> {
  const [pidText, start] = content.trim().split("\t");
  const pid = Number(pidText);
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  return (await processStart(pid)) === start ? { pid } : null;
}

/**
 * Looking and unlinking are two steps: of two starters that saw the same dead file, the slower one would unlink the
 * faster one's fresh claim. So the right to remove it is itself claimed, under a name that only this dead process's file
 * has; whoever holds it looks again. A holder that dies in between leaves a stale right, replaced in the same way.
 */
async function removeStale(path: string): Promise<void> {
  const stale = await readContent(path);
  if (stale === null || (await holderOf(stale))) return;
  const right = await claimPidFile(
    `${path}.${createHash("sha256").update(stale).digest("hex").slice(0, 16)}`,
  );
  if (right.kind === "held") {
    await sleep(CLEARING_PAUSE_MS);
    return;
  }
  try {
    if ((await readContent(path)) === stale) await unlink(path);
  } finally {
    await right.release();
  }
}

async function releaseIfOurs(path: string, content: string): Promise<void> {
  const current = await readFile(path, "utf8").catch(() => null);
  if (current === content) await unlink(path).catch(() => {});
}
