import { describe, expect, it } from "vitest";
import { backfill, type Conversation, fold, foldJournal, lacksFacts, NO_CONVERSATION } from "./fold.ts";
import { parseTranscriptLine } from "./records.ts";
import {
  agentLaunch,
  answer,
  apiError,
  bookkeeping,
  call,
  echo,
  interruption,
  notification,
  prompt,
  rejection,
  result,
  shellLaunch,
  turnEnd,
  workflowLaunch,
} from "./test-entries.ts";

type Entry = Record<string, unknown>;

function foldAll(entries: readonly Entry[], from: Conversation = NO_CONVERSATION): Conversation {
  return entries.reduce<Conversation>((conversation, entry) => {
    const record = parseTranscriptLine(JSON.stringify(entry));
    return typeof record === "string" ? conversation : fold(conversation, record);
  }, from);
}
const open = (conversation: Conversation) => conversation.openCalls.map((one) => one.id);

describe("where a conversation stands", () => {
  const cases: Record<string, { entries: Entry[]; turn: Conversation["turn"]; open?: string[] }> = {
    "nothing was said": { entries: [...bookkeeping], turn: "none" },
    "a prompt is being answered": { entries: [prompt(), ...bookkeeping], turn: "open" },
    "a call runs": { entries: [prompt(), call("t1")], turn: "open", open: ["t1"] },
    "two calls run, one entry each": {
      entries: [prompt(), call("t1"), call("t2")],
      turn: "open",
      open: ["t1", "t2"],
    },
    "one of two results is in: the other call still runs": {
      entries: [prompt(), call("t1"), call("t2"), result("t1")],
      turn: "open",
      open: ["t2"],
    },
    "all results are in: the model thinks on": {
      entries: [prompt(), call("t1"), result("t1")],
      turn: "open",
    },
    "the model had its last word": { entries: [prompt(), answer(), ...bookkeeping], turn: "over" },
    "the turn's length was noted": { entries: [prompt(), answer(), turnEnd()], turn: "over" },
    "Esc while it streamed": {
      entries: [
        prompt(),
        {
          ...answer("par"),
          message: { model: "m", content: [{ type: "text", text: "par" }], stop_reason: null },
        },
        interruption(),
      ],
      turn: "over",
    },
    "Esc on a tool": {
      entries: [prompt(), call("t1"), rejection("t1"), interruption(" for tool use")],
      turn: "over",
    },
    "a refusal without its marker": { entries: [prompt(), call("t1"), rejection("t1")], turn: "over" },
    "a refusal after which it goes on": {
      entries: [prompt(), call("t1"), rejection("t1"), call("t2")],
      turn: "open",
      open: ["t2"],
    },
    "the API refused": { entries: [prompt(), apiError()], turn: "over" },
    "/clear in a new file": {
      entries: [
        echo("<local-command-caveat>…", { isMeta: true, rowSource: "harness" }),
        echo("<command-name>/clear</command-name>"),
      ],
      turn: "none",
    },
    "/clear as 2.1.197 writes it": {
      entries: [echo("<command-name>/clear</command-name>", {})],
      turn: "none",
    },
    "/rename after a turn": {
      entries: [prompt(), answer(), echo("<system-reminder>The user named…", { isMeta: true })],
      turn: "over",
    },
    "/compact": {
      entries: [
        prompt(),
        answer(),
        { type: "system", subtype: "compact_boundary" },
        echo("This session is being continued", { isCompactSummary: true }),
        echo("<command-name>/compact</command-name>"),
        echo("<local-command-stdout>Compacted</local-command-stdout>"),
      ],
      turn: "over",
    },
    "a shell command of the user goes to the model": {
      entries: [answer(), echo("<bash-input>ls</bash-input>")],
      turn: "open",
    },
    "a task's end begins a turn": {
      entries: [
        answer(),
        turnEnd(),
        notification("b01234567"),
        {
          ...prompt("<task-notification>\n<task-id>b01234567</task-id>\n<status>completed</status>"),
          origin: { kind: "task-notification" },
          rowSource: "recorded",
        },
      ],
      turn: "open",
    },
    "a queued prompt is none until it is taken": {
      entries: [prompt(), { type: "queue-operation", operation: "enqueue", content: "next" }],
      turn: "open",
    },
    "rows of a sub-agent are not its parent's": {
      entries: [prompt(), answer(), { ...call("t9"), isSidechain: true }],
      turn: "over",
    },
  };
  for (const [title, { entries, turn, open: calls }] of Object.entries(cases)) {
    it(title, () => {
      const conversation = foldAll(entries);
      expect(conversation.turn).toBe(turn);
      expect(open(conversation)).toEqual(calls ?? []);
    });
  }
});

describe("facts", () => {
  it("model and tokens are the newest real answer's, carried over everything else", () => {
    const { model, contextTokens } = foldAll([
      prompt(),
      answer(),
      prompt(),
      apiError(),
      prompt(),
      interruption(),
    ]);
    expect({ model, contextTokens }).toEqual({ model: "claude-opus-5-5", contextTokens: 123 });
  });

  it("an aborted message of zero tokens is no measurement", () => {
    const aborted = {
      ...answer("", { isAbortedMidStream: true }),
      message: { model: "m2", content: [], usage: { input_tokens: 0 } },
    };
    expect(foldAll([prompt(), answer(), prompt(), aborted])).toMatchObject({
      model: "m2",
      contextTokens: 123,
      turn: "over",
    });
  });

  it("an error lasts until the next prompt", () => {
    expect(foldAll([prompt(), apiError("API Error: 529 busy")]).error).toBe("API Error: 529 busy");
    expect(foldAll([prompt(), apiError(), prompt()]).error).toBeNull();
  });

  it("the last title of each kind counts, and a repeated one is no news", () => {
    const titled = foldAll([
      { type: "ai-title", aiTitle: "First" },
      { type: "custom-title", customTitle: "Mine" },
      { type: "ai-title", aiTitle: "Second" },
    ]);
    expect(titled).toMatchObject({ agentTitle: "Second", userTitle: "Mine" });
    expect(foldAll([{ type: "ai-title", aiTitle: "Second" }], titled)).toBe(titled);
  });

  it("a todo list that the agent rewrites is counted", () => {
    const todos = [{ status: "completed" }, { status: "in_progress" }, { status: "pending" }];
    expect(foldAll([call("t1", "TodoWrite", { todos })]).todos).toEqual({ completed: 1, total: 3 });
  });

  it("prompted means that there was a prompt, not an echo", () => {
    expect(foldAll([echo("<command-name>/model</command-name>")]).prompted).toBe(false);
    expect(foldAll([prompt()]).prompted).toBe(true);
  });

  it("older lines give only what newer ones lack", () => {
    const record = (entry: Entry) =>
      parseTranscriptLine(JSON.stringify(entry)) as Parameters<typeof backfill>[1];
    const end = foldAll([prompt(), { type: "ai-title", aiTitle: "New" }]);
    expect(lacksFacts(end)).toBe(true);
    const filled = backfill(end, record(answer()));
    expect(filled).toMatchObject({ model: "claude-opus-5-5", contextTokens: 123, turn: "open" });
    expect(backfill(filled, record({ type: "ai-title", aiTitle: "Old" }))).toBe(filled);
    expect(lacksFacts(filled)).toBe(false);
  });
});

describe("background work", () => {
  const launched = foldAll([
    prompt(),
    result("t1", { toolUseResult: agentLaunch }),
    result("t2", { toolUseResult: workflowLaunch }),
    result("t3", { toolUseResult: shellLaunch }),
  ]);

  it("is what was launched", () => {
    expect(launched.launches.map(({ kind, taskId }) => [kind, taskId])).toEqual([
      ["agent", "a0123456789abcdef"],
      ["workflow", "w01234567"],
      ["shell", "b01234567"],
    ]);
  });

  it("ends with its notification, not with a note of progress", () => {
    expect(foldAll([notification("w01234567", "running")], launched)).toBe(launched);
    const after = foldAll([notification("w01234567"), notification("b01234567", "killed")], launched);
    expect(after.launches.map(({ kind }) => kind)).toEqual(["agent"]);
  });

  it("is counted at the end of a turn", () => {
    const { pending } = foldAll([turnEnd({ pendingWorkflowCount: 1, pendingBackgroundAgentCount: 2 })]);
    expect(pending).toEqual({ workflows: 1, agents: 2 });
    expect(foldAll([turnEnd()]).pending).toEqual({ workflows: 0, agents: 0 });
  });

  it("a workflow's live sub-agents are those that started and gave no result", () => {
    const entries = [
      { type: "launched", agentId: null },
      { type: "started", agentId: "a" },
      { type: "started", agentId: "b" },
      { type: "result", agentId: "a" },
    ];
    expect([...entries.reduce(foldJournal, new Set<string>())]).toEqual(["b"]);
  });
});

it("lines that are no record are told apart from lines without news", () => {
  expect(parseTranscriptLine('{"type":"mode"}')).toBe("no-news");
  expect(parseTranscriptLine('{"type":"user","mess')).toBe("malformed");
  expect(parseTranscriptLine("[]")).toBe("malformed");
});
