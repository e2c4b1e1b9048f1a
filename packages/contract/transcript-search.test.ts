import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TranscriptItem } from "./transcript.ts";
import { searchTranscript } from "./transcript-search.ts";

const user = (text: string): TranscriptItem => ({ kind: "user", atMs: null, text });
const tool = (more: Partial<TranscriptItem & { kind: "tool" }>): TranscriptItem => ({
  kind: "tool",
  atMs: 7,
  callId: null,
  name: "Bash",
  input: "",
  output: null,
  failed: false,
  edits: [],
  ...more,
});

/** Hits as "index: line", the occurrence in brackets. */
function found(items: TranscriptItem[], query: string, maxHits = 10): string[] {
  return searchTranscript(items, query, maxHits).map(
    ({ itemIndex, line, start, end }) =>
      `${itemIndex}: ${line.slice(0, start)}[${line.slice(start, end)}]${line.slice(end)}`,
  );
}

const items = [
  user("find\nthe Button please"),
  tool({ input: "rg button src", output: "a.ts" }),
  user("no (.*) here"),
];
const cases: Record<string, [query: string, hits: string[]]> = {
  "newest first, any letter case": ["button", ["1: rg [button] src", "0: the [Button] please"]],
  "a capital makes letter case count": ["Button", ["0: the [Button] please"]],
  "it is a text, not a pattern": ["(.*)", ["2: no [(.*)] here"]],
  "an output counts too": ["a.ts", ["1: [a.ts]"]],
  "nothing is in nothing": [" ", []],
  "what is not there": ["absent", []],
  "a line's end at the start": ["\nthe", ["0: find[\nthe] Button please"]],
  "over the end of a line": ["find\nthe", ["0: [find\nthe] Button please"]],
};

describe("a text in a conversation", () => {
  for (const [title, [query, hits]] of Object.entries(cases))
    test(title, () => expect(found(items, query)).toEqual(hits));

  test("edits are searched by path, and by what came and went", () => {
    const edits = [{ path: "/p/dial.ts", before: "old words", after: "new words" }];
    for (const query of ["dial", "old", "new"]) expect(found([tool({ edits })], query)).toHaveLength(1);
  });

  test("no more than asked for", () => expect(found(items, "button", 1)).toEqual(["1: rg [button] src"]));

  test("a hit is the query, wherever it stands and whatever surrounds it", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 200 });
    fc.assert(
      fc.property(text, fc.string({ minLength: 1, maxLength: 5 }), text, (before, query, after) => {
        fc.pre(query.trim() !== "");
        const [hit] = searchTranscript([user(before + query + after)], query, 1);
        expect(hit!.line.slice(hit!.start, hit!.end).toLowerCase()).toBe(query.toLowerCase());
        expect(hit!.line.length).toBeLessThanOrEqual(query.length + 160);
      }),
    );
  });
});
