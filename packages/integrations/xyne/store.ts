// Where Xyne keeps its sessions, and how their files are called. Pure. From its documentation, not observed.
import { homedir } from "node:os";
import { join } from "node:path";

export const DIR_KEY = "KOLU_XYNE_DIR";

type Environment = Readonly<Record<string, string | undefined>>;

/** kolu's override stands for `~/.xyne`. */
export function rootOf(environ: Environment, overrides: Environment): string {
  return overrides[DIR_KEY] || join(environ.HOME || homedir(), ".xyne");
}

export function sessionsDirOf(root: string): string {
  return join(root, "agent", "sessions");
}

/** Of the directory that holds one working directory's sessions: every character but letters, digits and dashes is a dash. */
export function dirNameOf(cwd: string): string {
  return cwd.replaceAll(/[^A-Za-z0-9-]/g, "-");
}

const NAME = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z_([0-9a-f-]{36})\.jsonl$/i;

/** `<timestamp>_<uuid>.jsonl`; null for the files beside it and for whatever else lies there. */
export function parseName(name: string): { startedAtMs: number; id: string } | null {
  const parts = NAME.exec(name);
  if (parts === null) return null;
  const [, day, hours, minutes, seconds, millis, id] = parts;
  const startedAtMs = Date.parse(`${day}T${hours}:${minutes}:${seconds}.${millis}Z`);
  return Number.isNaN(startedAtMs) ? null : { startedAtMs, id: id! };
}

/** Holds the title, once a turn was summarised. */
export function sidecarOf(path: string): string {
  return path.replace(/\.jsonl$/, "_summary.json");
}
