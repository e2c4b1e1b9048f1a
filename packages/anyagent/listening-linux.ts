// Listening sockets on Linux: /proc/net/tcp and tcp6 list them with their inodes, /proc/<pid>/fd says who holds an inode.
import { readdirSync, readlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { ListeningFacts, ListeningSocket } from "./listening.ts";

/** State 0A of the kernel's table. */
const LISTEN = "0A";
/** Between yields to the event loop: a machine with thousands of processes is looked through in pieces. */
const PROCESSES_AT_ONCE = 50;

export function linuxListening(root = "/proc", uid = process.getuid?.() ?? 0): ListeningFacts {
  return {
    async sockets() {
      try {
        // Not in place: the kernel walks all its connections for these, milliseconds on a busy machine. Without IPv6 in it
        // there is no second table.
        const v6 = await readFile(`${root}/net/tcp6`, "utf8").catch(() => "");
        const v4 = await readFile(`${root}/net/tcp`, "utf8");
        return { kind: "known", value: [...parseTable(v4, "v4", uid), ...parseTable(v6, "v6", uid)] };
      } catch (cause) {
        return { kind: "hidden", reason: cause instanceof Error ? cause.message : String(cause) };
      }
    },
    async holders(keys) {
      const found = new Map<string, number>();
      // The newest first: a socket that is new belongs to a process that is.
      const pids = readdirSync(root)
        .filter((name) => /^\d+$/.test(name))
        .map(Number)
        .sort((a, b) => b - a);
      for (const [at, pid] of pids.entries()) {
        if (at % PROCESSES_AT_ONCE === PROCESSES_AT_ONCE - 1) await new Promise(setImmediate);
        noteHeld(`${root}/${pid}/fd`, pid, keys, found);
      }
      return found;
    },
  };
}

/** Of processes that share a socket the oldest holds it: the others were forked off it. */
function noteHeld(dir: string, pid: number, keys: ReadonlySet<string>, found: Map<string, number>): void {
  for (const name of listOrEmpty(dir)) {
    const inode = linkOrEmpty(`${dir}/${name}`).match(/^socket:\[(\d+)\]$/)?.[1];
    if (inode !== undefined && keys.has(inode)) found.set(inode, pid);
  }
}

/** Rows of /proc/net/tcp or tcp6 that listen and belong to `uid`. */
export function parseTable(text: string, family: "v4" | "v6", uid: number): ListeningSocket[] {
  const sockets: ListeningSocket[] = [];
  for (const line of text.split("\n").slice(1)) {
    const [, local, , state, , , , owner, , inode] = line.trim().split(/\s+/);
    if (state !== LISTEN || Number(owner) !== uid || inode === undefined || local === undefined) continue;
    const [address = "", port = ""] = local.split(":");
    sockets.push({
      key: inode,
      address: family === "v4" ? addressV4(address) : addressV6(address),
      port: Number.parseInt(port, 16),
      family,
    });
  }
  return sockets;
}

/** The kernel prints the address as one number of the machine's own byte order, which is little-endian wherever Node runs. */
function addressV4(hex: string): string {
  return bytesOf(hex).join(".");
}

function addressV6(hex: string): string {
  const bytes = [0, 8, 16, 24].flatMap((at) => bytesOf(hex.slice(at, at + 8)));
  const groups = [0, 2, 4, 6, 8, 10, 12, 14].map((at) => ((bytes[at]! << 8) | bytes[at + 1]!).toString(16));
  return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
}

function bytesOf(hex: string): number[] {
  return [6, 4, 2, 0].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}

function listOrEmpty(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return []; // Ended meanwhile, or somebody else's.
  }
}

function linkOrEmpty(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
