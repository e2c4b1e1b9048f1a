import { describe, expect, it } from "vitest";
import { readPiScreen } from "./screen.ts";

const rule = "─".repeat(80);
const working = `── ⠧ Working ${"─".repeat(60)}`;
const facts = ["~/project (master)", "↑220 ↓42 R1.0k CH82.0% 0.6%/200k (auto)                demo-large"];
const composer = (typed = "", upper = rule) => [upper, typed, rule, ...facts];
const picker = [
  rule,
  "",
  "Resume Session (Current Folder)     ◉ Current Folder | ○ All  Name: All  Sort: Threaded",
  'tab scope · re:<pattern> regex · "phrase" exact',
  "ctrl+s sort · ctrl+n named · ctrl+d delete",
  "",
  "› hello        3 now",
  rule,
];
const options = [
  rule,
  "",
  " Trust project folder?",
  " /tmp/project",
  "",
  " → Yes",
  "   No",
  "",
  " ↑↓ navigate  enter select  escape/ctrl+c cancel",
  "",
  rule,
];

describe("the live bottom of Pi's screen", () => {
  const cases: Record<string, [lines: string[], state: string | null]> = {
    "an idle composer": [["Hello.", "", ...composer()], "waiting"],
    "with something typed": [composer("half a sentence"), "waiting"],
    "its working line": [["Hello.", ...composer("", working)], "thinking"],
    "a retry": [
      composer("", `── ⠹ Retrying (2/3) in 4s... (escape to cancel) ${"─".repeat(14)}`),
      "thinking",
    ],
    "the working line before 1.0": [["Hello.", "", " ⠧ Working...", "", ...composer()], "thinking"],
    "the picker before any session": [picker, "awaiting"],
    "the picker over a session": [["Hello.", ...picker, ...facts], "awaiting"],
    "the trust of a folder": [options, "awaiting"],
    "a question over a session": [["⠦ Working...", "", ...options, ...facts], "awaiting"],
    "a picker that an answer quotes": [[...picker, "as you can see", "", ...composer()], "waiting"],
    "options that an answer quotes": [[...options, "", ...composer()], "waiting"],
    "a working line that an answer quotes": [[working, "is what it shows", "", ...composer()], "waiting"],
    "a title that somebody types": [composer("Resume Session ("), "waiting"],
    "what a killed one left above a prompt": [[working, "Killed", `$ ${rule}`, ...facts], null],
    "what one that has left shows above a prompt": [[...composer(), "To resume this session:", "$ "], null],
    nothing: [[], null],
  };
  for (const [title, [lines, state]] of Object.entries(cases)) {
    it(title, () => expect(readPiScreen(lines.join("\n"))?.state ?? null).toBe(state));
  }

  it("tells a question by its title, and a start's dialog as one", () => {
    const asked = options.map((line) => line.replace("Trust project folder?", "Which colour?"));
    expect(readPiScreen(asked.join("\n"))?.awaiting).toEqual({ kind: "question", message: "Which colour?" });
    expect(readPiScreen(options.join("\n"))?.awaiting?.kind).toBe("dialog");
  });
});
