// A project's files as rows of a tree. Pure.
import type { ChangedFile } from "@kolu/contract/project.ts";
import { directoriesAbove, fileName } from "./places.ts";

export interface Entry {
  path: string;
  directory: boolean;
}

/** What lies in a directory ("" is the root); null while it is not known. */
export type Children = (directory: string) => readonly Entry[] | null;

export type Status = ChangedFile["status"];

export interface TreeRow extends Entry {
  name: string;
  /** From 1 on. */
  level: number;
  expanded: boolean;
  /** Of the file; for a directory: whether anything below it changed. */
  status: Status | null;
  changedBelow: boolean;
}

/** Paths of files -> what lies in each directory, directories first, each by name. */
export function childrenOfPaths(paths: readonly string[]): Children {
  const known = new Map<string, Map<string, Entry>>([["", new Map()]]);
  for (const path of paths) {
    let above = "";
    for (const directory of directoriesAbove(path)) {
      known.get(above)!.set(directory, { path: directory, directory: true });
      if (!known.has(directory)) known.set(directory, new Map());
      above = directory;
    }
    known.get(above)!.set(path, { path, directory: false });
  }
  const sorted = new Map<string, readonly Entry[]>();
  return (directory) => {
    const entries = known.get(directory);
    if (!entries) return null;
    const done = sorted.get(directory) ?? [...entries.values()].sort(byKindAndName);
    sorted.set(directory, done);
    return done;
  };
}

function byKindAndName(a: Entry, b: Entry): number {
  if (a.directory !== b.directory) return a.directory ? -1 : 1;
  return fileName(a.path) < fileName(b.path) ? -1 : 1;
}

export interface Statuses {
  of(path: string): Status | null;
  below(directory: string): boolean;
}

export function statusesOf(files: readonly ChangedFile[]): Statuses {
  const byPath = new Map(files.map(({ path, status }) => [path, status]));
  const directories = new Set(files.flatMap(({ path }) => directoriesAbove(path)));
  return { of: (path) => byPath.get(path) ?? null, below: (directory) => directories.has(directory) };
}

export function treeRows(
  children: Children,
  { expanded, statuses }: { expanded: ReadonlySet<string>; statuses: Statuses },
): TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (directory: string, level: number): void => {
    for (const entry of children(directory) ?? []) {
      const open = entry.directory && expanded.has(entry.path);
      rows.push({
        ...entry,
        name: fileName(entry.path),
        level,
        expanded: open,
        status: entry.directory ? null : statuses.of(entry.path),
        changedBelow: entry.directory && statuses.below(entry.path),
      });
      if (open) add(entry.path, level + 1);
    }
  };
  add("", 1);
  return rows;
}

/** More hits than these are not read; typing on narrows them. */
export const FILTER_HITS_MAX = 200;

/**
 * Files whose path holds every word, in any letter case. Those whose name begins with the first word come first, then those
 * whose name holds it, then the rest; short paths before long ones.
 */
export function filterPaths(paths: readonly string[], filter: string): string[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const first = words[0];
  if (first === undefined) return [];
  const hits = paths.flatMap((path) => {
    const lower = path.toLowerCase();
    if (!words.every((word) => lower.includes(word))) return [];
    const name = fileName(lower);
    return [{ path, rank: name.startsWith(first) ? 0 : name.includes(first) ? 1 : 2 }];
  });
  hits.sort((a, b) => a.rank - b.rank || a.path.length - b.path.length || (a.path < b.path ? -1 : 1));
  return hits.slice(0, FILTER_HITS_MAX).map(({ path }) => path);
}

/** What of the status decides whether the list of files is another one: edits of known files do not. */
export function listKey(head: string | null, files: readonly ChangedFile[]): string {
  const moved = files.filter(({ status }) => status !== "M" && status !== "U" && status !== "T");
  return [head, ...moved.map(({ path, status }) => `${status} ${path}`)].join("\n");
}
