// What padi says of a project's files, read when it is shown and again when padi says that something changed.
import type { ChangedFile, GitStatus } from "@kolu/contract/project.ts";
import { useEffect, useMemo, useState } from "react";
import { padi, useWorkspace } from "../../store/workspace.ts";
import type { CodeMode } from "./code-store.ts";
import { type Children, childrenOfPaths, listKey } from "./file-tree.ts";

/** Grows each time the project's files or its git state may have changed; null while nobody says so. */
export function useNews(root: string, filePath: string | null): number {
  const [news, setNews] = useState(0);
  const live = useWorkspace(({ link }) => link.kind === "live");
  useEffect(() => {
    if (!live) return;
    const abort = new AbortController();
    const follow = async (): Promise<void> => {
      const params = filePath === null ? { repoPath: root } : { repoPath: root, filePath };
      for await (const _ of padi().subscribe("project.watch", params, { signal: abort.signal }))
        setNews((count) => count + 1);
    };
    // Lost with the link, or nobody is there any more: what is shown stays, and is read again on a new link.
    follow().catch(() => {});
    return () => abort.abort();
  }, [root, filePath, live]);
  return news;
}

export interface Read<T> {
  value: T | null;
  /** In padi's words. */
  failure: string | null;
}

/** For what padi answers in plain values. */
export function isSameAnswer(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

const NOTHING: Read<never> = { value: null, failure: null };

/**
 * What `read` says: the last answer for this `key` stays until the next one is there. `again`: a new value is a reason to
 * read once more. A null key reads nothing. `isSame`: such an answer is no news, and nothing is drawn anew for it.
 */
export function useRead<T>(
  key: string | null,
  again: unknown,
  read: (signal: AbortSignal) => Promise<T>,
  isSame: (a: T, b: T) => boolean = Object.is,
): Read<T> {
  const [answer, setAnswer] = useState<(Read<T> & { key: string }) | null>(null);
  const live = useWorkspace(({ link }) => link.kind === "live");
  // `read` is made anew each time and means what the key says
  useEffect(() => {
    if (key === null || !live) return;
    const abort = new AbortController();
    read(abort.signal).then(
      (value) => {
        if (abort.signal.aborted) return;
        setAnswer((before) =>
          before?.key === key && before.value !== null && isSame(before.value, value)
            ? before
            : { key, value, failure: null },
        );
      },
      (error: Error) => {
        if (!abort.signal.aborted) setAnswer({ key, value: null, failure: error.message });
      },
    );
    return () => abort.abort();
  }, [key, again, live]);
  return answer !== null && answer.key === key ? answer : NOTHING;
}

/** Changed files against the last commit, or against where the branch began. Null outside of a repository. */
export function useChanges(
  root: string | null,
  mode: Exclude<CodeMode, "files">,
  news: number,
): Read<GitStatus> {
  return useRead(
    root === null ? null : `${mode} ${root}`,
    news,
    (signal) => padi().call("git.status", { repoPath: root!, mode }, { signal }),
    isSameAnswer,
  );
}

export interface Files {
  children: Children;
  /** Every file, where all are known. */
  paths: readonly string[];
  truncated: boolean;
}

/** In a repository: what git tracks, and what it does not ignore. */
export function useRepositoryFiles(
  root: string | null,
  changes: readonly ChangedFile[] | null,
  head: string | null,
): Read<Files> {
  const again = changes === null ? "" : listKey(head, changes);
  const { value, failure } = useRead(root === null || changes === null ? null : root, again, (signal) =>
    padi().call("fs.list", { repoPath: root! }, { signal }),
  );
  const files = useMemo(
    () => value && { children: childrenOfPaths(value.paths), paths: value.paths, truncated: value.truncated },
    [value],
  );
  return { value: files, failure };
}

/** Outside of a repository: each directory when it is unfolded, for a home directory holds too much to list it whole. */
export function useDirectoryFiles(
  root: string | null,
  expanded: ReadonlySet<string>,
  news: number,
): Read<Files> {
  const directories = ["", ...expanded];
  const key = root === null ? null : root;
  const { value, failure } = useRead(key, `${news} ${directories.join("\n")}`, async (signal) => {
    const listed = await Promise.all(
      directories.map(async (directoryPath) => {
        const call = padi().call("fs.listDirectory", { repoPath: root!, directoryPath }, { signal });
        // A directory that went away is one with nothing in it; only the root's own failure is worth words.
        const { entries, truncated } = await (directoryPath === ""
          ? call
          : call.catch(() => ({ entries: [], truncated: false })));
        const prefix = directoryPath === "" ? "" : `${directoryPath}/`;
        return {
          directoryPath,
          truncated,
          entries: entries.map(({ name, directory }) => ({ path: prefix + name, directory })),
        };
      }),
    );
    const byPath = new Map(listed.map(({ directoryPath, entries }) => [directoryPath, entries]));
    return {
      children: (directory: string) => byPath.get(directory) ?? null,
      paths: listed.flatMap(({ entries }) =>
        entries.filter(({ directory }) => !directory).map(({ path }) => path),
      ),
      truncated: listed.some(({ truncated }) => truncated),
    };
  });
  return { value, failure };
}
