// What would be lost with a worktree, in words. Pure.
import type { WorktreeLook } from "@kolu/contract/launch.ts";

/** The end of a sentence; null: nothing. */
export function lossWords({ changedFiles, ownCommits }: WorktreeLook): string | null {
  const parts = [counted(changedFiles, "changed file"), counted(ownCommits, "commit")].filter(
    (part) => part !== null,
  );
  return parts.length === 0 ? null : parts.join(" and ");
}

function counted(count: number, thing: string): string | null {
  if (count === 0) return null;
  return count === 1 ? `1 ${thing}` : `${count} ${thing}s`;
}
