import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nearest, parseInvocation, parseRoute } from "./arguments.ts";
import { UsageError } from "./exit.ts";
import { verbs } from "./verb-table.ts";

describe("the route", () => {
  const cases: Record<string, [argv: string[], route: unknown]> = {
    "nothing at all is bare": [[], { kind: "bare" }],
    "an endpoint flag alone is bare": [["--socket", "/s"], { kind: "bare" }],
    "the verb is the first word": [["ls", "--json"], { kind: "verb", verb: "ls", words: ["--json"] }],
    "an endpoint flag may stand before the verb": [
      ["--socket", "/s", "ls"],
      { kind: "verb", verb: "ls", words: ["--socket", "/s"] },
    ],
    "with its value in one word too": [
      ["--state-root=/r", "ls"],
      { kind: "verb", verb: "ls", words: ["--state-root=/r"] },
    ],
    "help wins over everything before --": [["kill", "x", "--help"], { kind: "help", verb: "kill" }],
    "-h alone is the whole help": [["-h"], { kind: "help", verb: null }],
    "help is a word too": [["help", "send"], { kind: "help", verb: "send" }],
    version: [["--version"], { kind: "version" }],
    "-v": [["-v"], { kind: "version" }],
    "help behind -- belongs to the command": [
      ["create", "--toplevel", "--", "claude", "--help"],
      { kind: "verb", verb: "create", words: ["--toplevel", "--", "claude", "--help"] },
    ],
  };
  for (const [title, [argv, route]] of Object.entries(cases))
    test(title, () => expect(parseRoute(argv)).toEqual(route));

  test("a verb's own flag before the verb is refused by name", () => {
    expect(() => parseRoute(["--json", "ls"])).toThrow(/--json stands before the verb/);
  });
  test("an unknown flag without a verb is refused", () => {
    expect(() => parseRoute(["--jsno"])).toThrow(UsageError);
  });
});

describe("the words of a verb", () => {
  const create = (...words: string[]) => parseInvocation(verbs.create, words);
  const send = (...words: string[]) => parseInvocation(verbs.send, words);

  test("words after -- are the command of create, dashes and all", () => {
    expect(create("--toplevel", "--", "claude", "--continue", "--", "-x").command).toEqual([
      "claude",
      "--continue",
      "--",
      "-x",
    ]);
  });
  test("words after -- are text for send", () => {
    expect(send("abc", "--", "-rf", "x")).toMatchObject({ operands: ["abc", "-rf", "x"], command: null });
  });
  test("a flag that may be repeated keeps its order", () => {
    expect(send("abc", "--key", "Down", "--key=Enter").flags.key).toEqual(["Down", "Enter"]);
  });
  test("an inherited name is no flag", () => {
    expect(() => send("abc", "--constructor")).toThrow(/Unknown flag --constructor/);
    expect(() => send("abc", "--__proto__")).toThrow(/Unknown flag --__proto__/);
  });

  const refused: Record<string, [words: string[], sentence: RegExp]> = {
    "a blank endpoint flag is named": [["--toplevel", "--socket", ""], /--socket is blank.*shell variable/],
    "blanks count as blank": [["--toplevel", "--state-root", "  "], /--state-root is blank/],
    "a blank create flag is named": [["--toplevel", "--intent", " "], /--intent is blank/],
    "a blank is seen before exclusion": [["--socket", "/s", "--host", ""], /--host is blank/],
    "endpoints exclude each other": [["--socket", "/s", "--host", "box"], /--socket and --host exclude/],
    "a value is missing at the end": [["--toplevel", "--cwd"], /--cwd needs a value/],
    "a flag is no value": [["--cwd", "--toplevel"], /--cwd needs a value, but --toplevel follows/],
    "a flag twice": [["--cwd", "/a", "--cwd", "/b"], /--cwd is given 2 times/],
    "a switch with a value": [["--toplevel=yes"], /--toplevel is a switch/],
    "an unknown flag gets a hint": [["--topleve"], /Did you mean --toplevel/],
    "a short flag": [["-x"], /Unknown flag -x/],
    "a command without --": [["--toplevel", "claude"], /Unexpected: "claude".*A command goes after --/],
  };
  for (const [title, [words, sentence]] of Object.entries(refused))
    test(title, () => expect(() => create(...words)).toThrow(sentence));

  const wait = (...words: string[]) => parseInvocation(verbs.wait, words);
  test("durations are plain milliseconds", () => {
    expect(wait("abc", "--timeout", "1500").flags.timeout).toBe(1500);
    for (const bad of ["1.5", "2s", "0", "1e3", "0x10", "99999999999"])
      expect(() => wait("abc", `--timeout=${bad}`)).toThrow(/--timeout takes a whole number of ms/);
    expect(() => wait("abc", "--timeout=-1")).toThrow(/--timeout takes/);
  });
  test("a blank id hints at the shell variable", () => {
    expect(() => wait("")).toThrow(/blank.*shell variable/);
    expect(() => wait()).toThrow(/Missing: <id>/);
    expect(() => wait("a", "b")).toThrow(/Unexpected: "b"/);
  });

  test("whatever the words are, they parse or are refused with a sentence", () => {
    const word = fc.oneof(
      fc.constantFrom(
        "--",
        "-",
        "--json",
        "--key",
        "--file=x",
        "--no-paste",
        "-h",
        "=",
        "--=",
        "---",
        "--socket",
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (words) => {
        try {
          send(...words);
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
        }
      }),
    );
  });
});

test("the nearest word is at most two edits away", () => {
  expect(nearest("sned", ["send", "ls"])).toBe("send");
  expect(nearest("x", ["ls"])).toBe(null);
  expect(nearest("snapshoot", ["snapshot", "send"])).toBe("snapshot");
});
