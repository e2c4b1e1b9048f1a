import type { ExplainedSignal, Explanation } from "@kolu/contract/agent.ts";
import { expect, test } from "vitest";
import { recognitionWords, whySentence } from "./why.ts";

const signal = (changed: Partial<ExplainedSignal>): ExplainedSignal => ({
  source: "transcript",
  value: "newest entry: tool_use Bash",
  state: "tool_use",
  atMs: null,
  verdict: "agreed",
  note: null,
  ...changed,
});
const explanation = (...signals: ExplainedSignal[]): Explanation => ({
  kind: "claude-code",
  recognition: {
    foregroundPid: 7,
    chain: [
      { pid: 7, name: "claude", startTime: null },
      { pid: 5, name: "bash", startTime: null },
    ],
    matchedBy: "process name claude",
  },
  signals,
  missing: [],
  malformedRecords: 0,
});

const sentences: Record<string, [Explanation, string | null]> = {
  "what decided, in its own words, with its age": [
    explanation(signal({ source: "in-band", value: "state=working", atMs: 1_000, verdict: "won" })),
    "It says so itself in the terminal: state=working, 4s ago.",
  ],
  "who disagrees is named": [
    explanation(
      signal({ verdict: "won" }),
      signal({ source: "screen", verdict: "disagreed" }),
      signal({ source: "title", verdict: "disagreed" }),
    ),
    "Its transcript says so: newest entry: tool_use Bash. Screen and Title disagree.",
  ],
  "nothing decided": [explanation(signal({ verdict: "silent" })), null],
};

test.each(Object.entries(sentences))("%s", (_name, [given, sentence]) => {
  expect(whySentence(given, 5_000)).toBe(sentence);
});

test("says how an agent was recognised, and what is in front where none is", () => {
  expect(recognitionWords(explanation())).toBe(
    "Recognised by process name claude. In front: claude (7) ← bash (5).",
  );
  const none = {
    ...explanation(),
    kind: null,
    recognition: { foregroundPid: null, chain: [], matchedBy: null },
  };
  expect(recognitionWords(none)).toBe("No agent is recognised. In front: no process.");
});
