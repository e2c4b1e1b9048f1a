// A set of watched directories that follows what is wanted. Not recursive: Node's recursive watch walks into node_modules.
import { type FSWatcher, watch } from "node:fs";

export interface Directories {
  /** Watches exactly these from now on. `concerns` says whether a changed entry of that directory is news. */
  want(wanted: Map<string, (entry: string | null) => boolean>): void;
  close(): void;
}

/** How many directories all repositories together may have watched. Linux gives a user 8 192 on small machines. */
export const WATCHED_DIRECTORIES_MAX = 6_000;

/** What is left of WATCHED_DIRECTORIES_MAX, shared by all repositories of one watch. */
export interface WatchBudget {
  left: number;
}

/** A directory that cannot be watched is left out: a finished command leads to a look as well. */
export function watchDirectories(
  budget: WatchBudget,
  { onNews, onFault }: { onNews(directory: string): void; onFault(error: Error): void },
): Directories {
  const watchers = new Map<string, { watcher: FSWatcher; concerns: (entry: string | null) => boolean }>();
  let faulted = false;

  const stop = (directory: string): void => {
    const held = watchers.get(directory);
    if (held === undefined) return;
    watchers.delete(directory);
    budget.left++;
    held.watcher.close();
  };

  const start = (directory: string, concerns: (entry: string | null) => boolean): void => {
    if (budget.left <= 0) return;
    try {
      const watcher = watch(directory, { persistent: false }, (_kind, entry) => {
        if (watchers.get(directory)?.concerns(entry)) onNews(directory);
      });
      watcher.on("error", () => stop(directory));
      watchers.set(directory, { watcher, concerns });
      budget.left--;
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      // Gone meanwhile: whoever removed it has made news elsewhere.
      if (code === "ENOENT" || code === "ENOTDIR" || code === "EACCES" || faulted) return;
      faulted = true;
      onFault(new Error(`${directory} cannot be watched: changes there show when a command ends`, { cause }));
    }
  };

  return {
    want: (wanted) => {
      for (const directory of [...watchers.keys()]) if (!wanted.has(directory)) stop(directory);
      for (const [directory, concerns] of wanted) {
        const held = watchers.get(directory);
        if (held === undefined) start(directory, concerns);
        else held.concerns = concerns;
      }
    },
    close: () => {
      for (const directory of [...watchers.keys()]) stop(directory);
    },
  };
}
