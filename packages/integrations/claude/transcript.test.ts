// Entries of our own order first, then the captured conversations.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Transcript } from "@kolu/contract/transcript.ts";
import { describe, expect, test } from "vitest";
import {
  answer,
  apiError,
  at,
  bookkeeping,
  call,
  echo,
  interruption,
  prompt,
  rejection,
  result,
} from "./test-entries.ts";
import { foldTranscript } from "./transcript.ts";
import { readClaudeTranscript } from "./transcript-file.ts";

type Entry = Record<string, unknown>;

function transcriptOf(entries: readonly (Entry | string)[], context = {}): Transcript {
  const fold = foldTranscript();
  for (const entry of entries) fold.add(typeof entry === "string" ? entry : JSON.stringify(entry));
  return Transcript.parse(fold.finish({ sessionId: "s", titleFromFile: null, skippedLines: 0, ...context }));
}

/** Items in few words: their kind, then what tells them apart. */
function told({ items }: Transcript): string[] {
  return items.map((item) => {
    if (item.kind !== "tool") return `${item.kind}: ${item.text}`;
    return `tool: ${item.name} ${item.input} -> ${item.output}${item.failed ? " (failed)" : ""}`;
  });
}

const blocks = (content: Entry[], more: Entry = {}): Entry => ({
  ...answer(),
  message: { ...(answer().message as Entry), content },
  ...more,
});
const resultOf = (id: string, content: unknown, more: Entry = {}): Entry => ({
  ...result(id),
  message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
  ...more,
});
const editCall = (name: string, input: Entry): Entry => call("c", name, { file_path: "/p/a.ts", ...input });
const meta = (text: string): Entry => ({ ...prompt(text), isMeta: true });

describe("what was said and done", () => {
  const cases: Record<string, [entries: (Entry | string)[], told: string[]]> = {
    "a prompt and its answer": [
      [prompt("hi"), answer("hello")],
      ["user: hi", "assistant: hello"],
    ],
    "bookkeeping says nothing": [[...bookkeeping, prompt("hi")], ["user: hi"]],
    "thinking is reasoning; empty thinking is left out": [
      [
        prompt(),
        blocks([
          { type: "thinking", thinking: "" },
          { type: "thinking", thinking: "hm" },
        ]),
      ],
      ["user: do it", "reasoning: hm"],
    ],
    "a call stands where it was made, with its result": [
      [prompt(), call("a"), result("a"), answer()],
      ["user: do it", "tool: Bash sleep 5 -> ok", "assistant: done"],
    ],
    "results of parallel calls find their calls in any order": [
      [call("a"), call("b", "Read", { file_path: "x" }), resultOf("b", "two"), resultOf("a", "one")],
      ["tool: Bash sleep 5 -> one", 'tool: Read {\n  "file_path": "x"\n} -> two'],
    ],
    "a call without a result has none": [[call("a")], ["tool: Bash sleep 5 -> null"]],
    "a result of several blocks is their text; what is no text is named": [
      [call("a"), resultOf("a", [{ type: "text", text: "x" }, { type: "image" }])],
      ["tool: Bash sleep 5 -> x\n[image]"],
    ],
    "a refused call failed, and the interruption is a note": [
      [call("a"), rejection("a"), interruption(" for tool use")],
      [
        "tool: Bash sleep 5 -> The user doesn't want to proceed with this tool use. The tool use was rejected (failed)",
        "note: Request interrupted by user for tool use",
      ],
    ],
    "an error of the API is a note": [
      [prompt(), apiError("API Error: 400 no")],
      ["user: do it", "note: API Error: 400 no"],
    ],
    "another model is a note, once": [
      [
        answer("a"),
        apiError("x"),
        blocks([{ type: "text", text: "b" }], {
          message: { id: "2", model: "sonnet", content: [{ type: "text", text: "b" }] },
        }),
      ],
      ["assistant: a", "note: x", "note: The model is now sonnet", "assistant: b"],
    ],
    "a compaction and its summary are notes": [
      [
        { type: "system", subtype: "compact_boundary", compactMetadata: { preTokens: 9, postTokens: 2 } },
        { ...prompt("we did things"), isCompactSummary: true },
      ],
      [
        "note: The conversation was compacted from 9 to 2 tokens",
        "note: What was kept of the conversation so far:\n\nwe did things",
      ],
    ],
    "words to the model alone are left out": [
      [meta("caveat"), prompt("<system-reminder>be good</system-reminder>\nhi")],
      ["user: hi"],
    ],
    "an echo of a local command is a note, what it printed too": [
      [
        echo("<command-name>/compact</command-name>\n<command-args></command-args>"),
        echo("<local-command-stdout>Compacted</local-command-stdout>"),
      ],
      ["note: /compact", "note: Compacted"],
    ],
    "a command that goes to the model is a prompt": [
      [
        {
          ...prompt(
            "<command-message>r</command-message>\n<command-name>/r</command-name>\n<command-args>42</command-args>",
          ),
        },
      ],
      ["user: /r 42"],
    ],
    "a command in the shell is the user's": [
      [
        echo("<bash-input>ls</bash-input>"),
        echo("<bash-stdout>a.ts</bash-stdout><bash-stderr></bash-stderr>"),
      ],
      ["user: !ls", "note: a.ts"],
    ],
    "a prompt that was taken up within a turn stands where it was": [
      [
        prompt(),
        call("a"),
        { type: "queue-operation", operation: "enqueue", content: "and this" },
        result("a"),
        {
          type: "attachment",
          attachment: {
            type: "queued_command",
            prompt: "and this",
            commandMode: "prompt",
            origin: { kind: "human" },
          },
        },
        answer(),
      ],
      ["user: do it", "tool: Bash sleep 5 -> ok", "user: and this", "assistant: done"],
    ],
    "news of a background task is a note": [
      [
        {
          ...prompt("<task-notification>\n<task-id>b1</task-id>\n<summary>It ended</summary>"),
          origin: { kind: "task-notification" },
        },
      ],
      ["note: It ended"],
    ],
    "a sub-agent's entries are left out": [
      [prompt("hi"), { ...answer("sub"), isSidechain: true }],
      ["user: hi"],
    ],
  };
  for (const [title, [entries, expected]] of Object.entries(cases)) {
    test(title, () => expect(told(transcriptOf(entries))).toEqual(expected));
  }
});

describe("edits", () => {
  const path = "/p/a.ts";
  const cases: Record<string, [called: Entry, result: Entry, edits: unknown[]]> = {
    "of Edit: the replaced text and its replacement": [
      editCall("Edit", { old_string: "a", new_string: "b" }),
      result("c"),
      [{ path, before: "a", after: "b" }],
    ],
    "of MultiEdit: each of them": [
      editCall("MultiEdit", {
        edits: [
          { old_string: "a", new_string: "b" },
          { old_string: "", new_string: "c" },
        ],
      }),
      result("c"),
      [
        { path, before: "a", after: "b" },
        { path, before: null, after: "c" },
      ],
    ],
    "of Write: a new file has no before": [
      editCall("Write", { content: "x" }),
      result("c", { toolUseResult: { originalFile: null } }),
      [{ path, before: null, after: "x" }],
    ],
    "of Write: the file as it was": [
      editCall("Write", { content: "x" }),
      result("c", { toolUseResult: { originalFile: "old" } }),
      [{ path, before: "old", after: "x" }],
    ],
    "none of a refused call": [editCall("Write", { content: "x" }), rejection("c"), []],
    "none of a call that changes nothing": [call("c"), result("c"), []],
  };
  for (const [title, [called, ended, edits]] of Object.entries(cases)) {
    test(title, () => expect(transcriptOf([called, ended]).items[0]).toMatchObject({ edits }));
  }
});

describe("turns that the conversation went back over", () => {
  const node = (entry: Entry, uuid: string, parentUuid: string | null): Entry => ({
    ...entry,
    uuid,
    parentUuid,
  });

  test("a prompt that was cancelled before any answer is left out", () => {
    const entries = [
      node(prompt("first"), "1", null),
      node(answer("one"), "2", "1"),
      node(prompt("cancelled"), "3", "2"),
      node(prompt("sent again"), "4", "2"),
      node(answer("two"), "5", "4"),
    ];
    expect(told(transcriptOf(entries))).toEqual([
      "user: first",
      "assistant: one",
      "user: sent again",
      "assistant: two",
    ]);
  });

  test("an answered prompt that was taken back stays, and is said to be", () => {
    const entries = [
      node(prompt("first"), "1", null),
      node(answer("one"), "2", "1"),
      node(prompt("wrong"), "3", "2"),
      node(answer("hm"), "4", "3"),
      node(prompt("instead"), "5", "2"),
      node(answer("two"), "6", "5"),
    ];
    expect(told(transcriptOf(entries))).toEqual([
      "user: first",
      "assistant: one",
      "user: wrong",
      "assistant: hm",
      "note: Taken back: the conversation went on from before this prompt",
      "user: instead",
      "assistant: two",
    ]);
  });

  test("the first prompt of all may have been cancelled", () => {
    const entries = [node(prompt("cancelled"), "1", null), node(prompt("again"), "2", null)];
    expect(told(transcriptOf(entries))).toEqual(["user: again"]);
  });

  test("the newest prompt, parallel results, and what lies before a compaction all stay", () => {
    const entries = [
      node(prompt("first"), "1", null),
      node(call("a"), "2", "1"),
      node(call("b"), "3", "2"),
      node(result("a"), "4", "2"),
      node(result("b"), "5", "3"),
      { type: "system", subtype: "compact_boundary", uuid: "6", parentUuid: null, logicalParentUuid: "5" },
      node(prompt("second"), "7", "6"),
    ];
    expect(told(transcriptOf(entries))).toHaveLength(5);
  });

  test("nothing is judged before an entry that could not be read", () => {
    const entries = [node(prompt("first"), "1", null), "torn", node(prompt("second"), "3", "2")];
    expect(told(transcriptOf(entries))).toEqual(["user: first", "user: second"]);
  });
});

describe("what is known of the whole", () => {
  test("tokens are counted once for each message, however many entries repeat them", () => {
    const usage = {
      input_tokens: 10,
      output_tokens: 5,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 7,
    };
    const entry = (id: string, text: string): Entry => ({
      ...answer(),
      message: { id, model: "m", content: [{ type: "text", text }], usage },
    });
    const { usage: counted } = transcriptOf([entry("1", "a"), entry("1", "b"), entry("2", "c"), apiError()]);
    expect(counted).toEqual({ input: 20, output: 10, cacheRead: 200, cacheWrite: 14 });
  });

  test("before an answer no tokens are known", () => {
    const nothing = { input: null, output: null, cacheRead: null, cacheWrite: null };
    expect(transcriptOf([prompt()])).toMatchObject({ usage: nothing, model: null, title: null });
  });

  test("lines that cannot be read are counted, the torn last one too", () => {
    const lines = [prompt("hi"), "not json", "[1]", JSON.stringify(answer("hello")).slice(0, 40)];
    expect(transcriptOf(lines, { skippedLines: 1 })).toMatchObject({
      skippedRecords: 4,
      items: [{ text: "hi" }],
    });
  });

  test("a name that a person gave wins over the agent's, the file's over the entry's", () => {
    const entries = [
      { type: "custom-title", customTitle: "mine" },
      { type: "ai-title", aiTitle: "its" },
    ];
    expect(transcriptOf(entries.slice(1)).title).toBe("its");
    expect(transcriptOf(entries).title).toBe("mine");
    expect(transcriptOf(entries, { titleFromFile: "filed" }).title).toBe("filed");
  });

  test("start, directory, version and model", () => {
    const entries = [
      { ...prompt("hi", 500), cwd: "/p", version: "1" },
      { ...answer(), cwd: "/q", version: "2" },
    ];
    expect(transcriptOf(entries)).toMatchObject({
      agent: "claude-code",
      sessionId: "s",
      startedAtMs: Date.parse(at(500)),
      cwd: "/p",
      version: "2",
      model: "claude-opus-5-5",
    });
  });
});

describe("captured conversations", () => {
  const fixtures = join(import.meta.dirname, "fixtures");
  const homeOf = (situation: string): string => join(fixtures, situation, "home");
  const projectOf = (situation: string): string => {
    const projects = join(homeOf(situation), ".claude", "projects");
    return join(projects, readdirSync(projects)[0]!);
  };
  const read = async (situation: string, sessionId?: string): Promise<Transcript> => {
    const project = projectOf(situation);
    const name = readdirSync(project).find(
      (one) => one === `${sessionId}.jsonl` || (!sessionId && one.endsWith(".jsonl")),
    )!;
    const reference = { sessionId: name.slice(0, -".jsonl".length), sessionPath: join(project, name) };
    return Transcript.parse(await readClaudeTranscript(reference, {}));
  };

  test("a cancelled prompt that was sent again appears once, and a compaction does not hide what was before", async () => {
    const transcript = await read("2.1.332/waiting-after-esc-before-output");
    const prompts = transcript.items.flatMap((item) => (item.kind === "user" ? [item.text] : []));
    expect(prompts).toEqual([
      "please rename the button on the demo page SLOW(3) TOOL(sleep 3)",
      "ASK something",
      "ERR(400) now",
      "ERR(500) nowLONG(30) TOOL(sleep 2)",
      "ERR(500) again",
    ]);
    expect(told(transcript)).toContain("note: The conversation was compacted from 14104 to 2901 tokens");
    expect(told(transcript).filter((one) => one.startsWith("note: API Error: 400"))).toHaveLength(1);
  });

  test("parallel calls that still run have no result", async () => {
    const { items, skippedRecords } = await read("2.1.332/tool-use-parallel");
    const last = items.filter((item) => item.kind === "tool").slice(-2);
    expect(last.every((item) => item.name === "Bash")).toBe(true);
    expect(last.some((item) => item.output === null)).toBe(true);
    expect(skippedRecords).toBe(0);
  });

  test("a file that was written is an edit", async () => {
    const { items } = await read("2.1.332/plan-approval");
    const edits = items.flatMap((item) => (item.kind === "tool" ? item.edits : []));
    const path = "/tmp/demo/home/.claude/plans/calm-kindling-wren.md";
    expect(edits).toContainEqual({
      path,
      before: null,
      after: "# Plan\n\n1. Rename the button\n2. Run the tests\n",
    });
  });

  test("every captured conversation becomes a transcript, with its title", async () => {
    for (const version of readdirSync(fixtures))
      for (const situation of readdirSync(join(fixtures, version))) {
        if (!existsSync(join(homeOf(`${version}/${situation}`), ".claude", "projects"))) continue;
        const transcript = await read(`${version}/${situation}`).catch((error: unknown) => {
          throw new Error(`${version}/${situation}`, { cause: error });
        });
        expect(transcript.skippedRecords).toBe(0);
      }
    expect((await read("2.1.197/awaiting-ask")).title).toBe("Rename the demo button");
  });

  test("without a path it is found by its id; an id that is no name is not looked for", async () => {
    const env = { HOME: homeOf("2.1.332/waiting") };
    const name = readdirSync(projectOf("2.1.332/waiting"))[0]!;
    const sessionId = name.slice(0, -".jsonl".length);
    expect(await readClaudeTranscript({ sessionId, sessionPath: null }, env)).toMatchObject({ sessionId });
    expect(await readClaudeTranscript({ sessionId: "absent", sessionPath: null }, env)).toBeNull();
    expect(await readClaudeTranscript({ sessionId: `../x/${sessionId}`, sessionPath: null }, env)).toBeNull();
    expect(await readClaudeTranscript({ sessionId, sessionPath: "/nowhere.jsonl" }, env)).toBeNull();
  });
});
