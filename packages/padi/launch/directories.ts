// Directories for somebody who looks for one: what a typed path may go on to, and repositories near home.
import type { Dirent } from "node:fs";
import { lstat, readdir, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import type { Directory } from "@kolu/contract/launch.ts";

/** As many as a list shows. */
const COMPLETIONS_MAX = 60;
const REPOS_MAX = 60;
const DEPTH_MAX = 3;
/** A home with a slow disk under it must not hold up a person. */
const LOOK_MS = 500;
/** Directories that hold many others and no work of a person. */
const SKIPPED = new Set(["node_modules", "Library", "snap", "go", "vendor", "target", "dist"]);

/** What a person typed, as an absolute path: `~` is home, and so is where a relative path begins. Pure. */
export function typedPath(typed: string, home: string): string {
  const path = typed.trim();
  if (path === "" || path === "~") return `${home}/`;
  if (path.startsWith("~/")) return join(home, path.slice(2));
  return isAbsolute(path) ? path : join(home, path);
}

/**
 * Directories whose path begins as typed, by name; hidden ones only where a dot was typed. What cannot be read has none.
 */
export async function completeDirectory(
  typed: string,
  home: string,
): Promise<{ directories: Directory[]; truncated: boolean }> {
  const path = typedPath(typed, home);
  const parent = path.endsWith("/") ? resolve(path) : dirname(path);
  const start = path.endsWith("/") ? "" : basename(path);
  const names = (await readdir(parent, { withFileTypes: true }).catch(() => []))
    .filter(({ name }) => isMeant(name, start))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const directories: Directory[] = [];
  for (const entry of names) {
    if (directories.length === COMPLETIONS_MAX) return { directories, truncated: true };
    const at = join(parent, entry.name);
    if (await isDirectory(entry, at)) directories.push({ path: at, isRepo: await holdsGit(at) });
  }
  return { directories, truncated: false };
}

function isMeant(name: string, start: string): boolean {
  if (name.startsWith(".") && !start.startsWith(".")) return false;
  const anyCase = start === start.toLowerCase();
  return (anyCase ? name.toLowerCase() : name).startsWith(start);
}

/** Repositories below home, not deep, by name. Stops looking when its time is over. */
export async function reposNear(home: string): Promise<{ root: string; name: string }[]> {
  const endsAtMs = performance.now() + LOOK_MS;
  const found: { root: string; name: string }[] = [];
  let level = [home];
  for (let depth = 0; depth <= DEPTH_MAX && level.length > 0; depth++) {
    const below: string[] = [];
    for (const directory of level) {
      if (performance.now() > endsAtMs || found.length === REPOS_MAX) return byName(found);
      // A home that is kept in git is no project.
      if (directory !== home && (await holdsGit(directory))) {
        found.push({ root: directory, name: basename(directory) });
        continue;
      }
      const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
      for (const entry of entries)
        if (entry.isDirectory() && !entry.name.startsWith(".") && !SKIPPED.has(entry.name))
          below.push(join(directory, entry.name));
    }
    level = below;
  }
  return byName(found);
}

function byName(repos: { root: string; name: string }[]): { root: string; name: string }[] {
  return repos.sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
}

async function isDirectory(entry: Dirent, path: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

async function holdsGit(path: string): Promise<boolean> {
  return lstat(join(path, ".git")).then(
    () => true,
    () => false,
  );
}
