// Whatever a conversation holds, the page is made of our own tags alone, loads nothing and runs nothing.
import type { Transcript, TranscriptItem } from "@kolu/contract/transcript.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renderPage } from "./page.ts";
import { STYLE } from "./style.ts";
import { SAMPLE, SAMPLE_OPTIONS } from "./test-transcript.ts";

const TAGS =
  "html|head|title|body|header|main|footer|nav|section|h[1-6]|p|div|span|dl|dt|dd|ul|ol|li|pre|code|strong|em|del|br|hr|blockquote|table|thead|tbody|tr|th|td|a|time|details|summary|figure|figcaption";
/** The only attributes and the only values that the page has. */
const ATTRIBUTES = [
  ' class="[a-z -]+"',
  ' dir="(auto|ltr)"',
  ' lang="en"',
  ' id="prompt-\\d+"',
  ' start="\\d+"',
  ' aria-label="Prompts"',
  ' datetime="[\\dT:.Z-]+"',
  ' href="#prompt-\\d+"',
  ' href="(https?://|mailto:)[^"<>]+" rel="noopener noreferrer nofollow" target="_blank"',
].join("|");
const OURS = new RegExp(`</?(${TAGS})(${ATTRIBUTES})*>`, "gi");

/** What is left of a page without our own tags: text, in which nothing may open or close one. */
function textOf(page: string): string {
  const [head, rest] = page.split(`<style>${STYLE}</style>`) as [string, string];
  expect(rest).toBeDefined();
  return (head.replace(/^<!doctype html>/, "").replaceAll(/<meta [^>]*>/g, "") + rest).replaceAll(OURS, "");
}

function expectInert(transcript: Transcript): void {
  for (const mode of ["full", "chat"] as const) {
    const page = renderPage(transcript, { ...SAMPLE_OPTIONS, mode, agentName: transcript.agent });
    const text = textOf(page);
    expect(text).not.toMatch(/[<>]/);
    expect(text).not.toMatch(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/,
    );
    expect(page.isWellFormed()).toBe(true);
  }
}

const PIECES = [
  "<script>alert(1)</script>",
  "</style><script>",
  "</title>",
  "<img src=x onerror=alert(1)>",
  "<!--",
  "]]>",
  '" onmouseover="alert(1)',
  "'",
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt:alert(1))",
  "[x](data:text/html,<script>alert(1)</script>)",
  "[x](https://e.org/?a=1&b='\"<>)",
  "[x](vbscript:x)",
  "[x]( \u0001javascript:alert(1))",
  "[x](&#106;avascript:alert(1))",
  "![x](https://tracker.example/pixel.png)",
  "![x](data:image/svg+xml,<svg onload=alert(1)>)",
  "<https://e.org>",
  "<javascript:alert(1)>",
  "https://e.org/<b>",
  "[a]: javascript:alert(1)\n\n[a]",
  "```html\n</code></pre><script>\n```",
  '````x"><script>\n',
  "`</code><b>`",
  "| a |\n|---|\n| <i> |\n",
  "- [x] <u>\n",
  "> # <s>\n",
  "1. \n",
  "999999999999. x\n",
  "\u202egnp.exe",
  "\u2066\u0000\u001b[31m\u009b\ud800",
  "&lt;script&gt;",
  "\\<script\\>",
  "<svg/onload=alert(1)>",
  "\n",
  "\n\n    ",
  "*",
  "_",
  "[",
  "](",
  "|",
  "~~~",
  "<a href='",
];
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: "binary", maxLength: 12 })), {
    maxLength: 12,
  })
  .map((pieces) => pieces.join(""));
const atMs = fc.option(fc.integer({ min: 0, max: 4e12 }), { nil: null });
const item: fc.Arbitrary<TranscriptItem> = fc.oneof(
  fc.record({ kind: fc.constant("user" as const), atMs, text: hostile }),
  fc.record({
    kind: fc.constant("assistant" as const),
    atMs,
    text: hostile,
    model: fc.option(hostile, { nil: null }),
  }),
  fc.record({ kind: fc.constant("reasoning" as const), atMs, text: hostile }),
  fc.record({ kind: fc.constant("note" as const), atMs, text: hostile }),
  fc.record({
    kind: fc.constant("tool" as const),
    atMs,
    callId: fc.option(hostile, { nil: null }),
    name: hostile,
    input: fc.oneof(
      hostile,
      hostile.map((text) => JSON.stringify({ path: text })),
    ),
    output: fc.option(hostile, { nil: null }),
    failed: fc.boolean(),
    edits: fc.array(fc.record({ path: hostile, before: fc.option(hostile, { nil: null }), after: hostile }), {
      maxLength: 2,
    }),
  }),
);
const transcript: fc.Arbitrary<Transcript> = fc.record({
  agent: hostile,
  sessionId: fc.option(hostile, { nil: null }),
  title: fc.option(hostile, { nil: null }),
  cwd: fc.option(hostile, { nil: null }),
  model: fc.option(hostile, { nil: null }),
  version: fc.option(hostile, { nil: null }),
  startedAtMs: atMs,
  items: fc.array(item, { maxLength: 6 }),
  usage: fc.constant(SAMPLE.usage),
  skippedRecords: fc.nat(),
});

describe("hostile content is inert", () => {
  test("whatever it is and wherever it stands", () => {
    fc.assert(fc.property(transcript, expectInert), { numRuns: 400 });
  });

  for (const piece of PIECES)
    test(`as an answer: ${JSON.stringify(piece)}`, () =>
      expectInert({
        ...SAMPLE,
        title: piece,
        items: [{ kind: "assistant", atMs: null, text: piece, model: piece }],
      }));

  test("the check itself sees a tag that is not ours, and an attribute", () => {
    for (const foreign of [
      "<script>",
      "<img src=x>",
      '<p onclick="x">',
      '<a href="javascript:x">',
      "<style>",
    ])
      expect(foreign.replaceAll(OURS, "")).toContain("<");
  });

  test("what a person typed is shown to the letter", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii", minLength: 1 }), (typed) => {
        const items: TranscriptItem[] = [{ kind: "user", atMs: null, text: typed }];
        const page = renderPage({ ...SAMPLE, items }, { ...SAMPLE_OPTIONS, mode: "chat" });
        const shown = /<div class="plain" dir="auto">([\s\S]*?)<\/div>/.exec(page)![1]!;
        expect(decoded(shown)).toBe(typed);
      }),
    );
  });

  /** Each of these once took a Markdown parser quadratic or exponential time, or its stack. */
  const costly: Record<string, string> = {
    "nested quotes": ">".repeat(20_000),
    "nested lists": Array.from({ length: 400 }, (_, depth) => `${"  ".repeat(depth)}- x`).join("\n"),
    "nested lists on one line": "- ".repeat(20_000),
    "nested lists just below the limit": Array.from(
      { length: 49 },
      (_, depth) => `${"  ".repeat(depth)}- x`,
    ).join("\n"),
    "nested lists behind a word": `a\n${"1. ".repeat(2_000)}`,
    "nested quotes and lists": "> - ".repeat(2_000),
    "open brackets": "[".repeat(20_000),
    "open emphasis": "*a ".repeat(10_000),
    "alternating emphasis": "*_".repeat(10_000),
    backticks: Array.from({ length: 600 }, (_, count) => "`".repeat(count)).join(" "),
    "one long word": "a".repeat(199_000),
    "one huge line": "word ".repeat(400_000),
    "open tags": "<a ".repeat(20_000),
    "pipes without a table": "|".repeat(50_000),
    "blank lines": "\n".repeat(100_000),
    addresses: "a@".repeat(20_000),
  };
  for (const [title, text] of Object.entries(costly))
    test(`costly text ends: ${title}`, { timeout: 5_000 }, () =>
      expectInert({
        ...SAMPLE,
        items: [
          { kind: "assistant", atMs: null, text, model: null },
          { kind: "note", atMs: null, text },
          {
            ...(SAMPLE.items.find((one) => one.kind === "tool") as TranscriptItem & { kind: "tool" }),
            output: text,
          },
        ],
      }),
    );
});

function decoded(html: string): string {
  const characters: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
  return html.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => characters[name]!);
}
