import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findInvocation, normalise, quoteWords, resumeWords, shellWords, useOf } from "./command-line.ts";
import { testVocab } from "./test-vocab.ts";

const agent = testVocab("acme");
const other = testVocab("zed");
const find = (line: string) => findInvocation(shellWords(line), [other, agent]);

describe("words of a line", () => {
  const cases: Record<string, [line: string, words: string[]]> = {
    "quotes keep spaces": ["a 'b c' \"d e\"", ["a", "b c", "d e"]],
    "an escaped space is no border": ["a\\ b c", ["a b", "c"]],
    "an empty quoted word is a word": ["a '' b", ["a", "", "b"]],
    "a quote left open ends with the line": ["a 'b c", ["a", "b c"]],
    "another command after ; or | or & is not ours": ["a b; c", ["a", "b"]],
    "a pipe sign inside quotes is a character": ["a 'b|c'", ["a", "b|c"]],
  };
  for (const [title, [line, words]] of Object.entries(cases))
    it(title, () => expect(shellWords(line)).toEqual(words));

  it("quoting is undone by splitting, and by a real shell", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme-ascii", minLength: 1 }), { minLength: 1 }),
        (words) => {
          expect(shellWords(quoteWords(words))).toEqual(words);
        },
      ),
    );
    const words = ["it's", 'a "b"', "$HOME `x`", "A=1 2", "\\n", "-x=1"];
    const printed = execFileSync("/bin/sh", ["-c", `printf '%s\\n' ${quoteWords(words)}`], {
      encoding: "utf8",
    });
    expect(printed.trimEnd().split("\n")).toEqual(words);
  });
});

describe("which agent a command starts", () => {
  const cases: Record<string, [line: string, argv: string[] | null]> = {
    "the program alone": ["acme", ["acme"]],
    "by its path": ["/opt/bin/acme --fast", ["acme", "--fast"]],
    "a versioned name": ["acme-2.1 x", ["acme-2.1", "x"]],
    "after assignments": ["FOO=1 BAR='a b' acme", ["acme"]],
    "behind env, nice and nohup": ["env -u X A=1 nice -n 5 nohup acme -c", ["acme", "-c"]],
    "behind sudo for somebody": ["sudo -u me acme", ["acme"]],
    "through a package runner": ["npx -y @acme/acme@2.1.3 --fast", ["acme@2.1.3", "--fast"]],
    "through npm exec": ["npm exec -- acme --fast", ["acme", "--fast"]],
    "inside script's quoted command": ["script -q -c 'acme --fast' out.log", ["acme", "--fast"]],
    "after script's log file (as on macOS)": ["script -q out.log acme -c", ["acme", "-c"]],
    "an editor that opens a file of that name is not it": ["vim acme", null],
    "a word that only begins like it is not it": ["acmelike", null],
    "an argument of an unknown program is not it": ["xargs acme", null],
    "a package runner that runs something else": ["npx eslint acme", null],
    "nothing at all": ["", null],
  };
  for (const [title, [line, argv]] of Object.entries(cases)) {
    it(title, () => expect(find(line)?.argv ?? null).toEqual(argv));
  }

  it("tells a session from one answer and from what is no session", () => {
    const use = (line: string) => useOf(find(line)!);
    expect(use("acme --fast 'do it'")).toBe("session");
    expect(use("acme --fast --no-trace 'do it'")).toBe("ephemeral");
    expect(use("acme -p 'do it'")).toBe("one-shot");
    expect(use("acme update")).toBe("other");
    expect(use("acme --version")).toBe("other");
  });
});

describe("what is kept of a command", () => {
  const kept: Record<string, [line: string, kept: string | null]> = {
    "prompts go": ["acme --model big 'write a poem'", "acme --model big"],
    "a boolean flag does not swallow a prompt": ["acme --fast 'write a poem'", "acme --fast"],
    "a value behind an equals sign": ["acme --model=big", "acme --model big"],
    "a dropped flag takes its value along": ["acme --name bob -m x", "acme -m x"],
    "choosers of a conversation go": ["acme --resume abcd --fast -c", "acme --fast"],
    "a chooser without its optional value": ["acme --resume --fast", "acme --fast"],
    "nothing counts after --": ["acme --fast -- --model x", "acme --fast"],
    "what is no session is not kept": ["acme update", null],
  };
  for (const [title, [line, expected]] of Object.entries(kept)) {
    it(title, () => expect(normalise(find(line)!)?.join(" ") ?? null).toBe(expected));
  }

  const resumed: Record<string, [line: string, reference: string | null, expected: string | null]> = {
    exactly: ["acme --fast", "ab12", "acme --resume ab12 --fast"],
    "the latest without a reference": ["acme -m x", null, "acme -c -m x"],
    "never another one when the reference is none": ["acme", "no such form", null],
    "the way it was started": [
      "A=1 npx @acme/acme@2 --fast hello",
      "ab12",
      "A=1 npx @acme/acme@2 --resume ab12 --fast",
    ],
    "bare when it was inside a quoted command": [
      "script -c 'acme --fast' x",
      "ab12",
      "acme --resume ab12 --fast",
    ],
  };
  for (const [title, [line, reference, expected]] of Object.entries(resumed)) {
    it(`resumes ${title}`, () => {
      const words = resumeWords(find(line)!, reference);
      expect(words === null ? null : quoteWords(words)).toBe(expected);
    });
  }
});
