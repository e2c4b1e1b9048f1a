// An eyewitness that is not kolu: looks at Codex's own files many times a second and notes when they changed.
import { statSync } from "node:fs";
import { join } from "node:path";
import { appended, LOOK_EVERY_MS, list } from "./own-files.ts";
import type { Witness } from "./witness.ts";

/** What a word is called in a rollout's lines. */
const WORDS: Readonly<Record<string, RegExp>> = {
  started: /"type":"task_started"/,
  over: /"type":"(?:task_complete|turn_aborted)"/,
  call: /"type":"function_call"/,
  ended: /<subagent_notification>/,
};

/** `started`, `over` (a turn), `call` (of a tool), `ended` (a sub-agent), `opened` (a thread, by a terminal program). */
export function watchCodex(home: string): Witness {
  const said = new Map<string, number>();
  const offsets = new Map<string, number>();
  const opened = new Map<string, number>();
  const root = join(home, ".codex");
  const look = () => {
    for (const path of rolloutsIn(join(root, "sessions"))) {
      const text = appended(path, offsets);
      for (const [word, pattern] of Object.entries(WORDS)) if (pattern.test(text)) said.set(word, Date.now());
    }
    const dir = join(root, "tui-thread-reference-capabilities");
    for (const name of list(dir)) {
      const atMs = statSync(join(dir, name), { throwIfNoEntry: false })?.mtimeMs;
      if (atMs === undefined || opened.get(name) === atMs) continue;
      opened.set(name, atMs);
      said.set("opened", Date.now());
    }
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return { saidAtMs: (what) => said.get(what) ?? null, stop: () => clearInterval(timer) };
}

/** <year>/<month>/<day>/rollout-….jsonl */
function rolloutsIn(dir: string, depth = 3): string[] {
  return list(dir).flatMap((name) => {
    const path = join(dir, name);
    if (depth > 0) return rolloutsIn(path, depth - 1);
    return name.endsWith(".jsonl") ? [path] : [];
  });
}
