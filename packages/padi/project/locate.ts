// Which of the paths in a terminal's output are files of its project.
import { realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { isInside } from "./boundary.ts";

/** For each path the file's absolute one, links resolved, or null: no file, or outside of the terminal's project. */
export async function locateFiles(
  { cwd, git }: Pick<TerminalRecord, "cwd" | "git">,
  paths: readonly string[],
): Promise<(string | null)[]> {
  const root = git?.root ?? cwd;
  const boundary = await realpath(root).catch(() => null);
  if (boundary === null) return paths.map(() => null);
  return Promise.all(
    paths.map(async (path) => {
      for (const candidate of candidatesOf(path, [cwd, root])) {
        const file = await fileInside(candidate, boundary);
        if (file !== null) return file;
      }
      return null;
    }),
  );
}

/** As written, then without the `a/` or `b/` that git puts in front of both sides of a diff. */
function candidatesOf(path: string, bases: readonly string[]): string[] {
  const homeless = path.startsWith("~/") ? homedir() + path.slice(1) : path;
  const spellings = [homeless, ...(/^[ab]\//.test(homeless) ? [homeless.slice(2)] : [])];
  return [...new Set(spellings.flatMap((spelling) => bases.map((base) => resolve(base, spelling))))];
}

async function fileInside(path: string, boundary: string): Promise<string | null> {
  try {
    const real = await realpath(path);
    return isInside(real, boundary) && (await stat(real)).isFile() ? real : null;
  } catch {
    return null; // Most words of a terminal are no paths.
  }
}
