// Where one process of Codex keeps its files, as that process itself resolves it.
import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Invocation } from "@kolu/anyagent/command-line.ts";

export const DATABASE_KEY = "KOLU_CODEX_DB";

export interface CodexPlaces {
  home: string;
  /** The thread database; null when there is none yet. */
  databasePath: string | null;
  /** Where databases lie, besides one that is pinned. */
  databaseDir: string;
  /** Empty files, one for each thread that a terminal program opened, named by its id. */
  capabilitiesDir: string;
  logsPath: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * CODEX_HOME, else .codex in its HOME; databases where `sqlite_home` in config.toml or CODEX_SQLITE_HOME says, else there too.
 * @param overrides kolu's own environment: KOLU_CODEX_DB pins the thread database
 */
export function placesOf(environ: Environment, overrides: Environment): CodexPlaces {
  const home = environ.CODEX_HOME || join(environ.HOME || homedir(), ".codex");
  const databaseDir = configuredDatabaseDir(home) ?? (environ.CODEX_SQLITE_HOME || home);
  return {
    home,
    databaseDir,
    databasePath: overrides[DATABASE_KEY] || newestDatabase(databaseDir),
    capabilitiesDir: join(home, "tui-thread-reference-capabilities"),
    logsPath: join(databaseDir, "logs_2.sqlite"),
  };
}

/** A top-level key of config.toml, which stands above the first table. */
function configuredDatabaseDir(home: string): string | null {
  const path = join(home, "config.toml");
  try {
    const top = readFileSync(path, "utf8").split(/^\s*\[/m)[0]!;
    const value = /^\s*sqlite_home\s*=\s*(?:"([^"\n]*)"|'([^'\n]*)')/m.exec(top);
    const dir = value?.[1] ?? value?.[2];
    return dir ? resolve(home, dir) : null;
  } catch {
    // No configuration, or none for us: then nothing is configured as far as we can tell.
    return null;
  }
}

/** The highest-numbered `state_<n>.sqlite`: a release that changes the tables starts a new one. */
export function newestDatabase(dir: string): string | null {
  let names: string[];
  try {
    names = readdirSync(dir);
  } catch {
    return null;
  }
  const numbers = names.flatMap((name) => /^state_(\d+)\.sqlite$/.exec(name)?.[1] ?? []).map(Number);
  return numbers.length === 0 ? null : join(dir, `state_${Math.max(...numbers)}.sqlite`);
}

export interface CommandWords {
  /** `codex resume <id>`: the thread that it starts in. */
  resumedId: string | null;
  /** `--cd`, as written. */
  workingDir: string | null;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What the marked or spawned command says about the thread. Pure. */
export function commandWords(invocation: Invocation | null): CommandWords {
  const words = invocation?.argv.slice(1) ?? [];
  const resumes = words.includes("resume");
  const resumedId = resumes ? (words.find((word) => UUID.test(word)) ?? null) : null;
  const flagAt = words.findIndex((word) => word === "-C" || word === "--cd");
  const inline = words.find((word) => word.startsWith("--cd="))?.slice("--cd=".length);
  const dir = inline ?? (flagAt < 0 ? undefined : words[flagAt + 1]);
  return { resumedId, workingDir: dir || null };
}
