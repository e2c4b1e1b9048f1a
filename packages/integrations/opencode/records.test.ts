import { describe, expect, it } from "vitest";
import { foldRows } from "./fold.ts";
import { givenTitle, parseMessage, parseSession, parseTool, terminalTitleOf } from "./records.ts";

const message = (data: unknown) => {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return parseMessage({ id: "msg_1", time_created: 5, data: text });
};

describe("a message", () => {
  it("counts as OpenCode adds it up, and as it did before it wrote the sum", () => {
    const tokens = { input: 1, output: 2, reasoning: 3, cache: { read: 4, write: 5 } };
    const assistant = { role: "assistant", time: { created: 1 } };
    expect(message({ ...assistant, tokens: { ...tokens, total: 99 } })?.tokens?.total).toBe(99);
    expect(message({ ...assistant, tokens })?.tokens?.total).toBe(15);
  });

  it("that has not been measured yet has no tokens rather than none", () => {
    const tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };
    expect(message({ role: "assistant", time: { created: 1 }, tokens })?.tokens).toBeNull();
  });

  it("without a time of its own has its row's", () => {
    expect(message({ role: "user" })?.createdAtMs).toBe(5);
  });

  const unreadable: Record<string, unknown> = {
    "torn text": '{"role":"assist',
    "another role": { role: "system" },
    "a list": [1],
    "nothing, because it was too large to be read": "",
  };
  for (const [title, data] of Object.entries(unreadable)) {
    it(`is none: ${title}`, () => expect(message(data)).toBeNull());
  }
});

describe("a part", () => {
  const cases: Record<string, [data: unknown, expected: unknown]> = {
    "text is another": ['{"type":"text","text":"Allow once"}', "other"],
    torn: ['{"type":"tool","tool":"bash","sta', null],
    "a status of a later release": ['{"type":"tool","tool":"bash","state":{"status":"paused"}}', null],
    "no text at all": [null, null],
  };
  for (const [title, [data, expected]] of Object.entries(cases)) {
    it(title, () => expect(parseTool(data)).toBe(expected));
  }

  it("tells a question, a command, a sub-agent's session", () => {
    const state = { status: "running", input: { questions: [{ question: "Which?" }] } };
    expect(parseTool(JSON.stringify({ type: "tool", tool: "question", state }))).toMatchObject({
      about: "Which?",
    });
    const task = { status: "running", input: { description: "Look" }, metadata: { sessionId: "ses_c" } };
    expect(parseTool(JSON.stringify({ type: "tool", tool: "task", state: task }))).toMatchObject({
      about: "Look",
      childSessionId: "ses_c",
    });
  });
});

it("a title that nobody gave is none, and a long one is cut as the terminal's is", () => {
  expect(givenTitle("New session - 2026-11-30T15:04:07.879Z")).toBeNull();
  expect(givenTitle("New session")).toBe("New session");
  expect(terminalTitleOf("New session - 2026-11-30T15:04:07.879Z")).toBe("OpenCode");
  expect(terminalTitleOf("Short")).toBe("OC | Short");
  expect(terminalTitleOf("x".repeat(41))).toBe(`OC | ${"x".repeat(37)}…`);
});

it("nothing that a row may hold makes parsing or folding throw", () => {
  const random = pseudoRandom(7);
  const junk = (depth: number): unknown => {
    const pick = Math.floor(random() * (depth > 3 ? 6 : 9));
    const words = ["assistant", "user", "tool", "running", "bash", "stop", "", "ses_1", "☃"];
    if (pick < 2) return words[Math.floor(random() * words.length)];
    if (pick < 6) return [null, true, -1.5, Number.MAX_SAFE_INTEGER][pick - 2];
    if (pick === 6) return [junk(depth + 1), junk(depth + 1)];
    const names = [
      "role",
      "type",
      "time",
      "created",
      "completed",
      "tokens",
      "cache",
      "error",
      "data",
      "state",
      "status",
      "input",
      "questions",
      "tool",
      "finish",
      "metadata",
    ];
    return Object.fromEntries(names.filter(() => random() < 0.4).map((name) => [name, junk(depth + 1)]));
  };
  for (let round = 0; round < 2_000; round += 1) {
    const text = JSON.stringify(junk(0)) ?? "";
    const data = random() < 0.1 ? text.slice(0, Math.floor(text.length * random())) : text;
    const parsed = parseMessage({ id: "m", time_created: 1, data });
    const part = parseTool(data);
    parseSession({ id: data, directory: data, title: junk(1), time_created: junk(1) });
    const tools = part === null || part === "other" ? [] : [part];
    const { phase } = foldRows({ messages: parsed === null ? [] : [parsed], tools, children: new Map() });
    expect(phase.kind).toBeTypeOf("string");
  }
});

function pseudoRandom(seed: number): () => number {
  let at = seed;
  return () => {
    at = (at * 1_103_515_245 + 12_345) % 2_147_483_648;
    return at / 2_147_483_648;
  };
}
