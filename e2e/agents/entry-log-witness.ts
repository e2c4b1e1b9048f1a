// An eyewitness that is not kolu: looks at the logs of Pi and its relatives many times a second and notes when a message
// appeared in one, so that kolu's delay can be measured against something.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { LOOK_EVERY_MS, list } from "./own-files.ts";
import type { Witness } from "./witness.ts";

/** Its words: "prompt", "toolUse", "toolResult", and "over" for an answer that ends a turn.
 * @param root the directory whose directories hold the logs */
export function watchEntryLogs(root: string): Witness {
  const said = new Map<string, number>();
  const offsets = new Map<string, number>();
  const timer = setInterval(() => {
    for (const dir of list(root)) {
      for (const name of list(join(root, dir)).filter((one) => one.endsWith(".jsonl"))) {
        const word = newestWord(appended(join(root, dir, name), offsets));
        if (word !== null) said.set(word, Date.now());
      }
    }
  }, LOOK_EVERY_MS);
  return {
    saidAtMs: (what) => said.get(what) ?? null,
    stop: () => clearInterval(timer),
  };
}

function newestWord(text: string): string | null {
  for (const line of text.split("\n").toReversed()) {
    const role = /^\{"type":"message".*?"message":\{"role":"(\w+)"/.exec(line)?.[1];
    if (role === "user") return "prompt";
    if (role === "toolResult") return "toolResult";
    if (role === "assistant") return line.includes('"stopReason":"toolUse"') ? "toolUse" : "over";
  }
  return null;
}

function appended(path: string, offsets: Map<string, number>): string {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const before = offsets.get(path) ?? 0;
    const from = size < before ? 0 : before;
    const buffer = Buffer.alloc(size - from);
    readSync(file, buffer, 0, buffer.length, from);
    // A line that is still being written is looked at again.
    const whole = buffer.lastIndexOf(10) + 1;
    offsets.set(path, from + whole);
    return buffer.toString("utf8", 0, whole);
  } finally {
    closeSync(file);
  }
}
