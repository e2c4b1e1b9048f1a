// Watching files: fs.watch on their directories for speed, a stat each second for truth. While a directory does not exist,
// its nearest ancestor is watched; a lost notice or a replaced directory heals within a second.
import { type FSWatcher, type Stats, statSync, watch as watchDirectory } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";

/** How long a change may go unnoticed when the system drops its notice. */
export const HEAL_INTERVAL_MS = 1_000;
/** Files looked at in one go. In place: a hundred agents have four hundred files, and by way of the thread pool looking at each
 * of them once a second took 2 % of a core; in place it takes a tenth of that. */
const LOOKS_A_TURN = 64;

export interface FileWatch {
  /** Calls `onChange` after every change of this path: made, appended, rewritten, replaced, removed. A directory's change
   * is a change of its entries. What is read after this call is at most one notice behind. Returns the way to stop. */
  watch(path: string, onChange: () => void): () => void;
  dispose(): void;
}

interface Watched {
  path: string;
  listeners: Set<() => void>;
  /** What the last look saw; null when there was nothing. */
  signature: string | null;
}

interface Directory {
  watcher: FSWatcher;
  inode: number;
}

/**
 * One watch for a whole process: directories are shared and the timer runs only while something is watched.
 * @param onFault a directory that cannot be watched (out of inotify watches): the stat still covers it
 */
export function createFileWatch(onFault: (message: string, cause: unknown) => void): FileWatch {
  const watched = new Map<string, Watched>();
  const directories = new Map<string, Directory>();
  const unwatchable = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let healing = false;

  const notify = (one: Watched) => {
    for (const listener of [...one.listeners]) listener();
  };

  const onEvent = (directory: string, name: string | null) => {
    for (const one of [...watched.values()]) {
      const parent = dirname(one.path);
      const inside = parent === directory && (name === null || basename(one.path) === name);
      if (inside || one.path === directory) notify(one);
      else if (
        !directories.has(parent) &&
        isBelow(one.path, name === null ? directory : join(directory, name))
      ) {
        openNearest(parent);
        closeUnused();
        lookAt(one);
      }
    }
  };

  const lookAt = (one: Watched): void => {
    const facts = lookNow(one.path);
    if (watched.get(one.path) !== one) return;
    if (facts?.isDirectory()) openDirectory(one.path);
    const signature = signatureOf(facts);
    if (signature === one.signature) return;
    one.signature = signature;
    notify(one);
  };

  const openNearest = (path: string) => {
    for (let at = path; !openDirectory(at) && at !== dirname(at); at = dirname(at));
  };

  /** @returns whether the directory is watched now */
  const openDirectory = (path: string): boolean => {
    if (directories.has(path)) return true;
    const facts = lookNow(path);
    if (!facts?.isDirectory()) return false;
    try {
      const watcher = watchDirectory(path, { persistent: false }, (_kind, name) => onEvent(path, name));
      watcher.on("error", () => closeDirectory(path));
      directories.set(path, { watcher, inode: facts.ino });
    } catch (cause) {
      if (!unwatchable.has(path)) onFault(`${path} can only be looked at once a second`, cause);
      unwatchable.add(path);
    }
    return true;
  };

  const closeDirectory = (path: string) => {
    directories.get(path)?.watcher.close();
    directories.delete(path);
  };

  const nearestOpen = (path: string): string => {
    let at = path;
    while (!directories.has(at) && at !== dirname(at)) at = dirname(at);
    return at;
  };

  const closeUnused = () => {
    const used = new Set<string>(watched.keys());
    for (const path of watched.keys()) used.add(nearestOpen(dirname(path)));
    for (const path of directories.keys()) if (!used.has(path)) closeDirectory(path);
    if (watched.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };

  const heal = async () => {
    // A watch holds on to an inode: a directory that was removed and made again needs a new one.
    let looks = 0;
    for (const [path, { inode }] of [...directories]) {
      if (lookNow(path)?.ino !== inode) closeDirectory(path);
      if (++looks % LOOKS_A_TURN === 0) await nextTurn();
    }
    for (const one of [...watched.values()]) {
      openNearest(dirname(one.path));
      lookAt(one);
      if (++looks % LOOKS_A_TURN === 0) await nextTurn();
    }
    closeUnused();
  };

  const tick = () => {
    if (healing) return;
    healing = true;
    heal()
      .catch((cause: unknown) => onFault("looking at watched files failed", cause))
      .finally(() => {
        healing = false;
      });
  };

  return {
    watch: (path, onChange) => {
      let one = watched.get(path);
      if (one === undefined) {
        // Looked at before anybody reads it, so that no change falls between the reading and the first look.
        const facts = lookNow(path);
        one = { path, listeners: new Set(), signature: signatureOf(facts) };
        watched.set(path, one);
        openNearest(dirname(path));
        if (facts?.isDirectory()) openDirectory(path);
      }
      // One of its own for each call: the same function may listen twice and stop once.
      const listener = () => onChange();
      one.listeners.add(listener);
      timer ??= setInterval(tick, HEAL_INTERVAL_MS);
      const mine = one;
      return () => {
        mine.listeners.delete(listener);
        if (mine.listeners.size > 0 || watched.get(path) !== mine) return;
        watched.delete(path);
        closeUnused();
      };
    },
    dispose: () => {
      watched.clear();
      closeUnused();
    },
  };
}

function isBelow(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith("/") ? directory : `${directory}/`);
}

function lookNow(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    // Not for us to see: from here the same as not there, and whoever reads the file says which.
    return null;
  }
}

function signatureOf(facts: Stats | null): string | null {
  return facts === null ? null : `${facts.ino}:${facts.size}:${facts.mtimeMs}`;
}
