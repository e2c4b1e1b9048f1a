import { readdirSync } from "node:fs";
import { join } from "node:path";
import { askDatabase, type ForeignRow } from "@kolu/anyagent/foreign-database.ts";
import { describe, expect, it } from "vitest";
import { foldRows, type Rows } from "./fold.ts";
import { parseMessage, parseTool } from "./records.ts";
import { answer, prompt, STARTED_AT_MS, tokens, tool } from "./test-rows.ts";

const T = STARTED_AT_MS + 10_000;
const rows = (more: Partial<Rows>): Rows => ({ messages: [], tools: [], children: new Map(), ...more });
const ended = (finish: string | null, more = {}) => answer(T, { completedAtMs: T + 900, finish, ...more });
const REFUSAL = "The user rejected permission to use this specific tool call.";

describe("what a session is doing", () => {
  const cases: Record<string, [rows: Partial<Rows>, phase: Record<string, unknown>]> = {
    "nothing was said": [{}, { kind: "none" }],
    "a prompt without an answer": [{ messages: [prompt(T)] }, { kind: "prompted", atMs: T }],
    "an open answer": [{ messages: [answer(T), prompt()] }, { kind: "answering" }],
    "a call whose arguments still stream": [
      { messages: [answer(T)], tools: [tool("bash", "pending")] },
      { kind: "answering" },
    ],
    "a running call": [{ messages: [answer(T)], tools: [tool("bash", "running")] }, { kind: "tools" }],
    "one of two calls is done": [
      { messages: [answer(T)], tools: [tool("bash", "completed"), tool("bash", "running")] },
      { kind: "tools" },
    ],
    "a question": [
      { messages: [answer(T)], tools: [tool("question", "running", { about: "Which?" })] },
      { kind: "asking", what: "question", call: expect.objectContaining({ about: "Which?" }) },
    ],
    "a plan": [
      { messages: [answer(T)], tools: [tool("plan_exit", "running")] },
      { kind: "asking", what: "plan" },
    ],
    "a question beside a running call": [
      { messages: [answer(T)], tools: [tool("question", "running"), tool("bash", "running")] },
      { kind: "tools", call: expect.objectContaining({ tool: "bash" }) },
    ],
    "an answer that ended": [{ messages: [ended("stop"), prompt()] }, { kind: "over", error: null }],
    "an answer cut at its limit": [{ messages: [ended("length")] }, { kind: "over" }],
    "an interruption": [
      { messages: [ended(null, { error: { name: "MessageAbortedError", message: "Aborted" } })] },
      { kind: "over", error: null },
    ],
    "an error of the model": [
      { messages: [ended(null, { error: { name: "APIError", message: "no credit" } })] },
      { kind: "over", error: "no credit" },
    ],
    "a retry that was given up, or a command of the person's": [
      { messages: [ended(null)] },
      { kind: "over" },
    ],
    "a round of calls": [
      { messages: [ended("tool-calls")], tools: [tool("bash", "completed")] },
      { kind: "between", refused: false, atMs: T + 900 },
    ],
    "a failed call, which the model is told of": [
      { messages: [ended("tool-calls")], tools: [tool("bash", "error", { error: "exit 1" })] },
      { kind: "between", refused: false },
    ],
    "a refused permission": [
      { messages: [ended("tool-calls")], tools: [tool("bash", "error", { error: REFUSAL })] },
      { kind: "between", refused: true },
    ],
    "a refusal with words for the model": [
      {
        messages: [ended("tool-calls")],
        tools: [tool("bash", "error", { error: `${REFUSAL.slice(0, -1)} with the following feedback: no` })],
      },
      { kind: "between", refused: false },
    ],
    "a dismissed question": [
      {
        messages: [ended("tool-calls")],
        tools: [tool("question", "error", { error: "The user dismissed this question" })],
      },
      { kind: "between", refused: true },
    ],
    "a prompt typed while an answer is open": [
      { messages: [prompt(T + 500), answer(T), prompt()], tools: [tool("bash", "running")] },
      { kind: "tools" },
    ],
    "a prompt that waited for the turn's end": [
      { messages: [prompt(T + 500), ended("stop"), prompt()] },
      { kind: "between", refused: false },
    ],
    "a prompt that waited in vain: the turn was interrupted": [
      {
        messages: [prompt(T + 500), ended(null, { error: { name: "MessageAbortedError", message: "" } })],
      },
      { kind: "over" },
    ],
    "the next prompt": [{ messages: [prompt(T + 2_000), ended("stop")] }, { kind: "prompted" }],
  };
  for (const [title, [given, phase]] of Object.entries(cases)) {
    it(title, () => expect(foldRows(rows(given)).phase).toMatchObject(phase));
  }

  it("a sub-agent's open calls stand for the task that waits for it", () => {
    const messages = [answer(T)];
    const tools = [tool("task", "running", { childSessionId: "ses_child" })];
    const below = (...calls: ReturnType<typeof tool>[]) =>
      foldRows(rows({ messages, tools, children: new Map([["ses_child", calls]]) })).phase;
    expect(below()).toMatchObject({ kind: "tools", call: { tool: "task" } });
    expect(below(tool("bash", "running"))).toMatchObject({ kind: "tools", call: { tool: "bash" } });
    expect(below(tool("question", "running"))).toMatchObject({ kind: "asking" });
  });
});

it("model and tokens are of the newest message that has them", () => {
  const measured = answer(T, { completedAtMs: T + 1, finish: "tool-calls", tokens: tokens(8_100) });
  const folded = foldRows(rows({ messages: [answer(T + 10, { model: "other" }), measured, prompt()] }));
  expect(folded).toMatchObject({ model: "other", contextTokens: 8_100, prompted: true });
  expect(foldRows(rows({}))).toMatchObject({ model: null, contextTokens: null, prompted: false });
});

// ---- the real rows, as they came

const FIXTURES = join(import.meta.dirname, "fixtures", "1.18.33");
const situations = readdirSync(FIXTURES).filter((name) => !/^screen-|^idle-fresh/.test(name));

describe("every prefix of the captured rows", () => {
  for (const name of situations) {
    it(`${name}: awaits only where a call asks`, () => {
      for (const [atMs, given] of prefixes(join(FIXTURES, name, "home/.local/share/opencode/opencode.db"))) {
        const { phase, prompted } = foldRows(given);
        const asks = given.tools.some(
          (one) => one.status === "running" && /question|plan_exit/.test(one.tool),
        );
        expect([atMs, phase.kind === "asking"]).toEqual([atMs, asks]);
        expect([atMs, phase.kind === "none"]).toEqual([atMs, !prompted]);
      }
    });
  }
});

/** What was there at each moment at which a row was made or changed; a row that changed later counts as it was before. */
function prefixes(path: string): [atMs: number, rows: Rows][] {
  const read = askDatabase(path, (database) => ({
    messages: database.all(
      "SELECT message.* FROM message JOIN session ON session.id = session_id WHERE parent_id IS NULL ORDER BY time_created DESC, message.id DESC",
    ),
    parts: database.all("SELECT * FROM part ORDER BY id"),
  }));
  if (!read.ok) throw new Error(read.reason);
  const { messages, parts } = read.value;
  const moments = new Set([...messages, ...parts].flatMap((row) => [row.time_created, row.time_updated]));
  return [...(moments as Set<number>)].sort().map((atMs) => {
    const seen = messages
      .filter((row) => (row.time_created as number) <= atMs)
      .map((row) => messageAt(row, atMs));
    const newest = seen.find((message) => message?.role === "assistant");
    const calls = parts
      .filter((row) => row.message_id === newest?.id && (row.time_created as number) <= atMs)
      .map((row) => toolAt(row, atMs))
      .filter((part) => part !== "other" && part !== null);
    return [atMs, { messages: seen.filter((one) => one !== null), tools: calls, children: new Map() }];
  });
}

function messageAt(row: ForeignRow, atMs: number) {
  const message = parseMessage(row);
  if (message === null || (message.completedAtMs ?? 0) <= atMs) return message;
  return { ...message, completedAtMs: null, finish: null, error: null, tokens: null };
}

function toolAt(row: ForeignRow, atMs: number) {
  const part = parseTool(row.data);
  if (part === null || part === "other" || (row.time_updated as number) <= atMs) return part;
  return { ...part, status: "running" as const, error: null };
}
