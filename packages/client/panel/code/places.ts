// Paths of a project: its root, what lies above a file, what a person or a program wrote. Pure.
import type { TerminalRecord } from "@kolu/contract/terminal.ts";

/** The directory whose files the Code tab shows. */
export function rootOf({ git, cwd }: Pick<TerminalRecord, "git" | "cwd">): string {
  return git?.root ?? cwd;
}

/** `path` as it is seen from `root` on; null when it lies outside. `path` is absolute, or relative to `cwd`. */
export function pathInRoot(path: string, { cwd, root }: { cwd: string; root: string }): string | null {
  const absolute = normalise(path.startsWith("/") ? path : `${cwd}/${path}`);
  const top = normalise(root);
  if (top === "/") return absolute.slice(1);
  return absolute.startsWith(`${top}/`) ? absolute.slice(top.length + 1) : null;
}

function normalise(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

/** Every directory above a path, nearest last: "a/b/c" has "a" and "a/b". */
export function directoriesAbove(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
}

export function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function directoryOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
