// A directory of logs, `<timestamp>_<id>.jsonl`, as an agent's search for its sessions wants it: who began when, which was
// written last. Headers never change, so each is read once; the directory is listed at every search, its logs are stat'ed.
import { readdirSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { type Header, readHeader } from "./log-file.ts";

/** Logs of one directory whose headers are remembered; beyond it the memory begins anew. */
const REMEMBERED_MAX_HEADERS = 20_000;

export interface Log {
  path: string;
  header: Header;
  /** The id in its name, which is the id in its header unless somebody renamed it. */
  nameId: string;
  modifiedAtMs: number;
}

export interface LogList {
  logs: Log[];
  /** A sentence when the directory could not be listed for another reason than being absent. */
  fault: string | null;
  /** It is there. */
  found: boolean;
}

const headers = new Map<string, { inode: number; header: Header }>();

/** Never throws. A file without a header is left out: it is no log, or its first line is being written. */
export function listLogs(dir: string): LogList {
  let names: string[];
  try {
    names = readdirSync(dir).filter((name) => name.endsWith(".jsonl"));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const absent = code === "ENOENT" || code === "ENOTDIR";
    return { logs: [], fault: absent ? null : `${dir} cannot be listed (${code})`, found: false };
  }
  const logs = names.map((name) => readLog(dir, name)).filter((log) => log !== null);
  return { logs, fault: null, found: true };
}

function readLog(dir: string, name: string): Log | null {
  const path = join(dir, name);
  const facts = factsOf(path);
  if (facts === null || !facts.isFile()) return null;
  const header = headerOf(path, facts.ino);
  return header === null ? null : { path, header, nameId: idInName(name), modifiedAtMs: facts.mtimeMs };
}

/** Null for what went away since the listing, or is not for us. */
function factsOf(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

/** `2026-11-30T08-49-49-908Z_<id>.jsonl`; an id need not be a UUID and may itself hold underscores. */
export function idInName(name: string): string {
  return name.slice(name.indexOf("_") + 1, -".jsonl".length);
}

function headerOf(path: string, inode: number): Header | null {
  const known = headers.get(path);
  if (known?.inode === inode) return known.header;
  const header = readHeader(path);
  if (header === null) return null;
  if (headers.size >= REMEMBERED_MAX_HEADERS) headers.clear();
  headers.set(path, { inode, header });
  return header;
}
