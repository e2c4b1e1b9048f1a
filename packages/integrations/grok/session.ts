// One session of Grok Build, followed: its events and the small files beside them.
import { join } from "node:path";
import { foldedFile } from "@kolu/anyagent/folded-file.ts";
import { followSession } from "@kolu/anyagent/followed-session.ts";
import type { AgentSession, Candidate, SessionHost } from "@kolu/anyagent/plugin.ts";
import { linesBackward } from "@kolu/anyagent/tail.ts";
import {
  behind,
  CHUNK_MARK,
  foldEventLine,
  foldUpdateLine,
  NO_TURN,
  NO_UPDATES,
  TURN_MARKS,
  type Turn,
  type UpdateFacts,
} from "./fold.ts";
import { type GrokFiles, judge } from "./judge.ts";
import { keptFile } from "./kept-file.ts";
import { parseContextTokens, parseSummary, parseTodos } from "./records.ts";
import { NO_SUBAGENTS, SubagentFiles } from "./subagents.ts";

/** How far back the start of the running turn is looked for: some 200,000 chunks of an answer. */
const BACKFILL_MAX_BYTES = 16 * 1024 * 1024;

const NO_FILES: Omit<GrokFiles, "dir" | "guessed" | "processStartedAtMs"> = {
  found: false,
  turn: NO_TURN,
  updates: NO_UPDATES,
  summary: null,
  contextTokens: null,
  todos: null,
  subagents: NO_SUBAGENTS,
  malformedRecords: 0,
};

export function openSession(candidate: Candidate, host: SessionHost): AgentSession {
  const dir = candidate.locator;
  const events = foldedFile<Turn>(join(dir, "events.jsonl"), {
    empty: NO_TURN,
    fold: foldEventLine,
    backfill: backfillTurn,
  });
  const updates = foldedFile<UpdateFacts>(join(dir, "updates.jsonl"), {
    empty: NO_UPDATES,
    fold: foldUpdateLine,
  });
  const summary = keptFile(join(dir, "summary.json"), null, parseSummary);
  const signals = keptFile<number | null>(join(dir, "signals.json"), null, parseContextTokens);
  const todos = keptFile<{ list: GrokFiles["todos"] } | null>(
    join(dir, "resources_state.json"),
    null,
    (text) => ({
      list: parseTodos(text),
    }),
  );
  const subagents = new SubagentFiles(join(dir, "subagents"));
  const processStartedAtMs = candidate.process?.startedAtMs ?? null;
  const guessed = candidate.evidence === "same-directory";
  const initial: GrokFiles = { dir, guessed, processStartedAtMs, ...NO_FILES };
  let contextTokens: number | null = null;

  return followSession<GrokFiles>(host, {
    name: dir,
    initial,
    read: async () => {
      const turn = await events.read();
      const update = await updates.read();
      // Written at the end of a turn; what was measured last stands until the next measurement.
      contextTokens = signals.read() ?? contextTokens;
      return {
        dir,
        guessed,
        processStartedAtMs,
        found: turn.found,
        turn: turn.state,
        updates: update.state,
        summary: summary.read(),
        contextTokens,
        todos: todos.read()?.list ?? null,
        subagents: subagents.read(),
        malformedRecords: turn.malformedRecords + update.malformedRecords + summary.malformed(),
      };
    },
    watchPaths: (facts) => [
      join(dir, "events.jsonl"),
      join(dir, "updates.jsonl"),
      join(dir, "summary.json"),
      join(dir, "signals.json"),
      join(dir, "resources_state.json"),
      join(dir, "subagents"),
      ...facts.subagents.unfinished,
    ],
    judge,
  });
}

/** What a turn was at before the part of its file that is read: lines since its start, without the chunks of its answers. */
async function backfillTurn(turn: Turn, path: string, startOffset: number): Promise<Turn> {
  if (turn.unseen === null) return turn;
  const lines: string[] = [];
  for await (const line of linesBackward(path, startOffset, BACKFILL_MAX_BYTES)) {
    if (line.includes(CHUNK_MARK)) continue;
    lines.push(line.toString("utf8"));
    if (TURN_MARKS.some((mark) => line.includes(mark))) break;
  }
  const older = lines.reduceRight<Turn>((state, line) => {
    const next = foldEventLine(state, line);
    return next === "malformed" ? state : next;
  }, NO_TURN);
  return behind(older, turn);
}
