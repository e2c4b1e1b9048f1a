// Where one process of Grok Build keeps its files, as it sees it itself.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** kolu's own override: the directory that stands in for `~/.grok`. */
export const GROK_DIR_KEY = "KOLU_GROK_DIR";

export interface GrokPlaces {
  activeSessionsPath: string;
  sessionsDir: string;
}

/** GROK_HOME, else .grok in its HOME (observed on 1.0.41). kolu's own override comes first. */
export function placesOf(
  environ: Readonly<Record<string, string | undefined>>,
  overrides: Readonly<Record<string, string | undefined>>,
): GrokPlaces {
  const root = overrides[GROK_DIR_KEY] || environ.GROK_HOME || join(environ.HOME || homedir(), ".grok");
  return placesIn(root);
}

export function placesIn(root: string): GrokPlaces {
  return { activeSessionsPath: join(root, "active_sessions.json"), sessionsDir: join(root, "sessions") };
}

/** Name of the directory that holds a working directory's sessions. */
export function projectDirName(cwd: string): string {
  // Everything but letters, digits and `-_.~` is encoded; encodeURIComponent leaves five more characters as they are.
  return encodeURIComponent(cwd).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

const NAME_MAX_BYTES = 255;

/** Directories that may hold the sessions of a working directory, most likely first. */
export class ProjectDirs {
  readonly #shortened = new Map<string, { mtimeMs: number; cwds: ReadonlyMap<string, string> }>();

  of(sessionsDir: string, cwd: string): string[] {
    const named = [projectDirName(cwd), encodeURIComponent(cwd)]
      .filter((name) => name.length <= NAME_MAX_BYTES)
      .map((name) => join(sessionsDir, name));
    const shortened = this.#readShortened(sessionsDir).get(cwd);
    return [...new Set(shortened === undefined ? named : [...named, shortened])];
  }

  /** Names above 255 bytes become a slug and a hash, the path is then in a file `.cwd` (the release's own guide). Listed
   * again only when a project was added. */
  #readShortened(sessionsDir: string): ReadonlyMap<string, string> {
    const mtimeMs = statSync(sessionsDir, { throwIfNoEntry: false })?.mtimeMs;
    if (mtimeMs === undefined) return new Map();
    const known = this.#shortened.get(sessionsDir);
    if (known?.mtimeMs === mtimeMs) return known.cwds;
    const cwds = new Map<string, string>();
    for (const entry of readdirSync(sessionsDir, { withFileTypes: true })) {
      // An encoded absolute path begins with a slash.
      if (!entry.isDirectory() || entry.name.startsWith("%2F")) continue;
      const dir = join(sessionsDir, entry.name);
      const cwd = readIfThere(join(dir, ".cwd"))?.trim();
      if (cwd) cwds.set(cwd, dir);
    }
    this.#shortened.set(sessionsDir, { mtimeMs, cwds });
    return cwds;
  }
}

/** Null when there is no such file. Other faults are the caller's to report. */
export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw new Error(`cannot read ${path}`, { cause });
  }
}
