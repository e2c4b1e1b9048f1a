import fc from "fast-check";
import { expect, test } from "vitest";
import { parseInvocation, splitVerb, type VerbShape } from "./arguments.ts";
import { EscapeReader } from "./escape.ts";
import { OuterFilter } from "./outer-screen.ts";

const typed: Record<string, [string[], sent: string, actions: string[]]> = {
  "at the very beginning": [["~."], "", ["detach"]],
  "after Enter": [["ls\r~."], "ls\r", ["detach"]],
  "cut in the middle": [["ls\r", "~", "."], "ls\r", ["detach"]],
  "not in the middle of a line": [["a~."], "a~.", []],
  "twice is once": [["~~."], "~.", []],
  "before another character both are sent": [["~a\r~?~."], "~a\r", ["help", "detach"]],
  "nothing after a detach is sent": [["x\r~.rm -rf\r"], "x\r", ["detach"]],
};
test.each(Object.entries(typed))("the escape character %s", (_name, [chunks, sent, actions]) => {
  const reader = new EscapeReader("~");
  const results = chunks.map((chunk) => reader.read(Buffer.from(chunk)));
  expect(Buffer.concat(results.map((result) => result.send)).toString()).toBe(sent);
  expect(results.flatMap((result) => result.actions)).toEqual(actions);
});

test("without an escape character everything is sent", () => {
  expect(Buffer.from(new EscapeReader(null).read(Buffer.from("~.")).send).toString()).toBe("~.");
});

const QUERIES = [
  "\x1b[c",
  "\x1b[>c",
  "\x1b[6n",
  "\x1b[?6n",
  "\x1b[?2004$p",
  "\x1b[>q",
  "\x1b[>0q",
  "\x1b[18t",
  "\x1b[?u",
  "\x1bP$qm\x1b\\",
  "\x1bP+q544e\x1b\\",
  "\x1b]11;?\x07",
  "\x1b]10;?\x1b\\",
  "\x1b]4;1;?\x07",
  "\x1b]52;c;?\x07",
  "\x1b]7501;?\x1b\\",
];
const OUTPUT = [
  "plain 漢字\r\n",
  "\x1b[31;1mred\x1b[0m",
  "\x1b[2 q",
  "\x1b]0;a title\x07",
  "\x1b]52;c;aGk=\x07",
  "\x1b[?1049h\x1b[H\x1b[2J",
  "\x1b[10;20H",
  "\x1b[4h",
];

test("queries are taken out wherever they stand and however they are cut, all else passes", () => {
  const piece = fc.oneof(
    fc.constantFrom(...QUERIES).map((text) => ({ text, kept: "" })),
    fc.constantFrom(...OUTPUT).map((text) => ({ text, kept: text })),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }),
      fc.array(fc.nat(300), { maxLength: 8 }),
      (pieces, cuts) => {
        const all = Buffer.from(pieces.map((one) => one.text).join(""));
        const filter = new OuterFilter();
        const out: Uint8Array[] = [];
        let from = 0;
        for (const cut of [...cuts.map((at) => Math.min(at, all.length)).sort((a, b) => a - b), all.length]) {
          out.push(Buffer.from(filter.filter(all.subarray(from, cut))));
          from = cut;
        }
        expect(Buffer.concat(out).toString()).toBe(pieces.map((one) => one.kept).join(""));
      },
    ),
    { numRuns: 500 },
  );
});

test("the alternate screen is known", () => {
  const filter = new OuterFilter();
  filter.filter(Buffer.from("\x1b[?1049"));
  filter.filter(Buffer.from("hx"));
  expect(filter.showsAlternateScreen).toBe(true);
  filter.filter(Buffer.from("\x1b[?1049l"));
  expect(filter.showsAlternateScreen).toBe(false);
});

const shape: VerbShape = {
  usage: "x <id>",
  summary: "",
  minOperands: 1,
  maxOperands: 1,
  flags: { json: "switch", tail: "count", env: "texts" },
};

test("endpoint flags stand on either side of the verb", () => {
  const { verb, rest } = splitVerb(["--socket", "/s", "x", "abc", "--json", "--", "--tail"]);
  expect(verb).toBe("x");
  const invocation = parseInvocation(shape, rest);
  expect(invocation).toMatchObject({ operands: ["abc"], command: ["--tail"] });
  expect(invocation.texts.get("socket")).toEqual(["/s"]);
  expect(invocation.switches.has("json")).toBe(true);
});

test.each([
  [["a", "--bogus"], /--bogus is no flag/],
  [["a", "--tail", "0"], /at least 1/],
  [["a", "--tail=x"], /at least 1/],
  [["a", "--socket="], /blank/],
  [["a", "--socket", "/s", "--state-root", "/r"], /give one/],
  [["a", "b"], /usage/],
  [[], /usage/],
])("%j is refused", (words, sentence) => {
  expect(() => parseInvocation(shape, words)).toThrow(sentence);
});
