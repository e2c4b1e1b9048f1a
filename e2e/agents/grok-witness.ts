// An eyewitness that is not kolu: reads Grok Build's own files many times a second and notes when a word appeared in them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { appended, LOOK_EVERY_MS, list } from "./own-files.ts";
import type { Witness } from "./witness.ts";

/** Words: `listed` (a process is entered in the list of live sessions), `thinking`, `tool_use`, `permission`, `question`,
 * `plan`, `waiting` (a turn ended) and `background` (a sub-agent started). */
export function watchGrok(home: string): Witness {
  const root = join(home, ".grok");
  const said = new Map<string, number>();
  const offsets = new Map<string, number>();
  const children = new Set<string>();
  let listed = "";
  const look = () => {
    const entered = textOf(join(root, "active_sessions.json"));
    if (entered.length > listed.length || (entered !== listed && entered.includes("session_id"))) {
      said.set("listed", Date.now());
    }
    listed = entered;
    for (const dir of sessionDirs(join(root, "sessions"))) {
      for (const word of wordsIn(appended(join(dir, "events.jsonl"), offsets))) said.set(word, Date.now());
      for (const id of list(join(dir, "subagents"))) {
        if (children.has(id)) continue;
        children.add(id);
        said.set("background", Date.now());
      }
    }
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    saidAtMs: (what) => said.get(what) ?? null,
    stop: () => clearInterval(timer),
  };
}

/** A permission that is asked and answered in one look was answered by a rule. */
function wordsIn(text: string): Set<string> {
  const words = new Set<string>();
  for (const line of text.split("\n")) {
    if (line.includes('"type":"turn_started"')) words.add("thinking");
    if (line.includes('"type":"turn_ended"')) words.add("waiting");
    if (line.includes('"type":"tool_started"')) words.add(toolWord(line));
    if (line.includes('"type":"permission_requested"')) words.add("permission");
    if (line.includes('"type":"permission_resolved"')) words.delete("permission");
  }
  return words;
}

function toolWord(line: string): string {
  if (line.includes('"ask_user_question"')) return "question";
  return line.includes('"exit_plan_mode"') ? "plan" : "tool_use";
}

function sessionDirs(root: string): string[] {
  return list(root).flatMap((project) => list(join(root, project)).map((id) => join(root, project, id)));
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
