import fc from "fast-check";
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

const rowData = fc.oneof(
  fc.string(),
  fc
    .object({
      key: fc.constantFrom(
        ...["role", "type", "time", "created", "completed", "tokens", "cache", "error", "data", "state"],
        ...["status", "input", "questions", "tool", "finish", "metadata", "sessionId", "start", "modelID"],
      ),
      values: [
        fc.constantFrom("assistant", "user", "tool", "running", "error", "bash", "stop", "tool-calls", ""),
        fc.double(),
        fc.constant(null),
        fc.boolean(),
      ],
      maxDepth: 5,
    })
    .map((data) => JSON.stringify(data)),
);

it("nothing that a row may hold makes parsing or folding throw", () => {
  const property = fc.property(fc.array(rowData), fc.array(rowData), rowData, (messages, parts, session) => {
    const rows = messages.map((data, at) => parseMessage({ id: `msg_${at}`, time_created: at, data }));
    const tools = parts.map(parseTool).filter((part) => part !== null && part !== "other");
    parseSession({ id: session, directory: session, title: parts[0], time_created: messages[0] });
    const folded = foldRows({
      messages: rows.filter((row) => row !== null),
      tools,
      children: new Map([["running", tools]]),
    });
    const asks = tools.some((one) => one.tool === "question" || one.tool === "plan_exit");
    if (!asks) expect(folded.phase.kind).not.toBe("asking");
    expect(folded.contextTokens === null || Number.isSafeInteger(folded.contextTokens)).toBe(true);
  });
  fc.assert(property, { numRuns: 500 });
});
