// One session, followed: the part that is alike for every agent. Reads are one at a time; a notice during a reading causes
// one more; the kernel is told only when a fact changed.
import type { AgentSession, LiveSignals, SessionHost, SessionReport } from "./plugin.ts";

export interface FollowedFiles<Facts extends object> {
  /** In words for the log: which session this is. */
  name: string;
  initial: Facts;
  /** Everything as it is now. A fact that did not change is the same object. May call `learned` with what it knows so far,
   * when the rest takes longer. Rejects when a file cannot be read for another reason than being absent. */
  read(learned: (facts: Facts) => void): Promise<Facts>;
  /** Files and directories that these facts come from. */
  watchPaths(facts: Facts): readonly string[];
  /** Pure. */
  judge(facts: Facts, live: LiveSignals): SessionReport;
  close?(): void;
}

export function followSession<Facts extends object>(
  host: SessionHost,
  files: FollowedFiles<Facts>,
): AgentSession {
  let facts = files.initial;
  let reading: Promise<void> | null = null;
  let owed = false;
  let closed = false;
  const watched = new Map<string, () => void>();

  const learn = (news: Facts): void => {
    if (closed || sameFields(facts, news)) return;
    facts = news;
    // What is watched only from now on may have changed since it was read.
    if (watchAll()) owed = true;
    host.changed();
  };

  const refresh = (): Promise<void> => {
    owed = true;
    reading ??= readWhileOwed().finally(() => {
      reading = null;
    });
    return reading;
  };

  const readWhileOwed = async (): Promise<void> => {
    while (owed && !closed) {
      owed = false;
      try {
        learn(await files.read(learn));
      } catch (cause) {
        host.log(`reading ${files.name} failed`, cause);
      }
    }
  };

  const onNotice = (): void => {
    void refresh();
  };

  /** True when a path is watched that was not before. */
  const watchAll = (): boolean => {
    const wanted = new Set(files.watchPaths(facts));
    const fresh = [...wanted].filter((path) => !watched.has(path));
    for (const path of fresh) watched.set(path, host.files.watch(path, onNotice));
    for (const [path, stop] of watched) {
      if (wanted.has(path)) continue;
      stop();
      watched.delete(path);
    }
    return fresh.length > 0;
  };

  watchAll();
  return {
    report: (live) => files.judge(facts, live),
    refresh,
    close: () => {
      closed = true;
      for (const stop of watched.values()) stop();
      watched.clear();
      files.close?.();
    },
  };
}

/** Whatever did not change is the same object. */
function sameFields<T extends object>(left: T, right: T): boolean {
  const keys = Object.keys(right) as (keyof T)[];
  return keys.every((key) => left[key] === right[key]);
}
