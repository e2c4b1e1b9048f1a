// A conversation with one of everything, for tests and to look at.
import type { Transcript, TranscriptItem } from "@kolu/contract/transcript.ts";

const STARTED_AT_MS = Date.parse("2026-11-30T08:54:00Z");
const at = (minutes: number): { atMs: number } => ({ atMs: STARTED_AT_MS + minutes * 60_000 });

const BEFORE = `export function retryDelayMs(attempt: number): number {
  return 1000;
}

/** Dials until it works. */
export async function dial(url: string): Promise<Socket> {
  for (let attempt = 0; ; attempt++) {
    const socket = await open(url).catch(() => null);
    if (socket) return socket;
    await sleep(retryDelayMs(attempt));
  }
}
`;
const AFTER = `const FIRST_MS = 250;
const LAST_MS = 5_000;

/** Doubles up to a bound, with jitter: many clients of one server must not come back at the same moment. */
export function retryDelayMs(attempt: number, random = Math.random): number {
  const bound = Math.min(LAST_MS, FIRST_MS * 2 ** attempt);
  return bound / 2 + (random() * bound) / 2;
}

/** Dials until it works. */
export async function dial(url: string): Promise<Socket> {
  for (let attempt = 0; ; attempt++) {
    const socket = await open(url).catch(() => null);
    if (socket) return socket;
    await sleep(retryDelayMs(attempt));
  }
}
`;

type Tool = Extract<TranscriptItem, { kind: "tool" }>;
const tool = (minutes: number, more: Partial<Tool> & { name: string }): Tool => ({
  kind: "tool",
  ...at(minutes),
  callId: null,
  input: "",
  output: "",
  failed: false,
  edits: [],
  ...more,
});

const model = "claude-opus-5-5";

export const SAMPLE: Transcript = {
  agent: "claude-code",
  sessionId: "eccb0912-455d-47be-a001-10e7369e1abf",
  title: "Stop the reconnect storm",
  cwd: "/home/ana/harbour",
  model,
  version: "2.1.332",
  startedAtMs: STARTED_AT_MS,
  items: [
    {
      kind: "user",
      ...at(0),
      text: "After a deploy every client reconnects in the same second and the gateway falls over.\nCan you find out why, and fix it? Tests please.",
    },
    {
      kind: "reasoning",
      ...at(0),
      text: "A constant delay means that clients which lost their connection together come back together. I should look at `dial` first.",
    },
    {
      kind: "assistant",
      ...at(0),
      model,
      text: "I'll look at how clients come back after a lost connection.",
    },
    tool(0, {
      name: "Bash",
      input: "rg -n 'retryDelay' src",
      output:
        "src/dial.ts:1:export function retryDelayMs(attempt: number): number {\nsrc/dial.ts:10:    await sleep(retryDelayMs(attempt));\n",
    }),
    tool(1, {
      name: "Read",
      input: JSON.stringify({ file_path: "/home/ana/harbour/src/dial.ts" }, null, 2),
      output: BEFORE,
    }),
    {
      kind: "assistant",
      ...at(1),
      model,
      text: `Found it: \`retryDelayMs\` ignores its argument.

\`\`\`ts
return 1000;
\`\`\`

So every client waits **exactly one second**, and they all left at the same moment. Two things are missing:

1. a delay that *grows*, so that a gateway in trouble gets room;
2. jitter, so that clients spread out ([why](https://example.org/backoff)).

| attempt | now | then |
| --- | ---: | ---: |
| 0 | 1000 ms | 125–250 ms |
| 1 | 1000 ms | 250–500 ms |
| 5 | 1000 ms | 2.5–5 s |

> The first retry becomes *faster*, which is what a person with a flaky network wants.`,
    },
    tool(2, {
      name: "Edit",
      input: "{}",
      output: "The file /home/ana/harbour/src/dial.ts has been updated.",
      edits: [{ path: "/home/ana/harbour/src/dial.ts", before: BEFORE, after: AFTER }],
    }),
    tool(2, {
      name: "Write",
      input: "{}",
      output: "File created successfully.",
      edits: [
        {
          path: "/home/ana/harbour/src/dial.test.ts",
          before: null,
          after:
            'test("the delay grows and is bounded", () => {\n  expect(retryDelayMs(0, () => 1)).toBe(250);\n  expect(retryDelayMs(9, () => 1)).toBe(5_000);\n});\n',
        },
      ],
    }),
    tool(3, {
      name: "Bash",
      input: "npm test -- dial",
      failed: true,
      output:
        "\u001b[31m✗\u001b[0m the delay grows and is bounded\n  ReferenceError: retryDelayMs is not defined\n",
    }),
    { kind: "reasoning", ...at(3), text: "The test lacks its import." },
    tool(3, {
      name: "MultiEdit",
      input: "{}",
      output: "Applied 1 edit.",
      edits: [
        {
          path: "/home/ana/harbour/src/dial.test.ts",
          before: 'test("the delay',
          after: 'import { retryDelayMs } from "./dial.ts";\n\ntest("the delay',
        },
      ],
    }),
    tool(4, {
      name: "Bash",
      input: "npm test -- dial",
      output: "✓ the delay grows and is bounded\n\n1 passed\n",
    }),
    {
      kind: "assistant",
      ...at(4),
      model,
      text: "The delay now doubles from 250 ms up to 5 s, with jitter over its upper half. The test passes.\n\n- [x] `src/dial.ts`\n- [x] `src/dial.test.ts`\n- [ ] the gateway's own limit on new connections",
    },
    { kind: "user", ...at(9), text: "What about the limit?" },
    { kind: "note", ...at(9), text: "Request interrupted by user" },
    { kind: "user", ...at(10), text: "Leave the limit. Commit what you have." },
    tool(11, { name: "Bash", input: 'git commit -qam "Spread reconnects out"', output: null }),
    { kind: "note", ...at(12), text: "API Error: 529 Overloaded" },
    { kind: "note", ...at(13), text: "The conversation was compacted from 48211 to 6120 tokens" },
    {
      kind: "note",
      ...at(13),
      text: "What was kept of the conversation so far:\n\nReconnects came at the same moment because the delay was constant. It now grows and has jitter.",
    },
    { kind: "note", ...at(14), text: "The model is now claude-sonnet-5" },
    { kind: "user", ...at(14), text: "And push" },
    {
      kind: "assistant",
      ...at(14),
      model: "claude-sonnet-5",
      text: "Committed. I don't push without being told where to: `origin` has two branches of that name.",
    },
  ],
  usage: { input: 4_211, output: 18_903, cacheRead: 1_204_500, cacheWrite: 88_120 },
  skippedRecords: 1,
};

export const SAMPLE_OPTIONS = {
  agentName: "Claude Code",
  exportedAtMs: Date.parse("2026-11-30T10:02:00Z"),
  timeZone: "UTC",
} as const;
