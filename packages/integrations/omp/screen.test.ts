import { describe, expect, it } from "vitest";
import { readOmpScreen } from "./screen.ts";

const wide = (left: string, fill: string, right: string) => left + fill.repeat(60 - left.length - 1) + right;
const line = (text: string) => `│ ${text.padEnd(56)} │`;
const allow = [
  wide("╭─ Allow tool: bash ", "─", "╮"),
  line(""),
  line("Command: sleep 5; echo done"),
  line(""),
  line(" ❯ Approve"),
  line("   Deny"),
  line("up/down navigate  enter select  esc cancel"),
  wide("╰", "─", "╯"),
];
const ask = [
  wide("╭─ Ask ", "─", "╮"),
  line("Which colour?"),
  wide("├", "─", "┤"),
  line("❯ ○ Red"),
  wide("╰", "─", "╯"),
];
const plan = [
  wide("├", "─", "┤"),
  line("Plan mode - next step"),
  line("❯ Approve and execute"),
  wide("├", "─", "┤"),
  line("↑↓ select · ⏎ confirm · ◂▸ model · c copy"),
  wide("╰", "─", "╯"),
];
const picker = [
  line("❯ Rename the demo button"),
  line("[Del/⌫ delete · Enter select · Esc cancel]"),
  wide("╰", "─", "╯"),
];
const card = [wide("╭─── Ask 1 questions ", "─", "╮"), line("Which colour?"), wide("╰", "─", "╯")];
const ascii = allow.map((one) =>
  one
    .replaceAll("─", "-")
    .replaceAll(/[╭╮╰╯]/g, "+")
    .replaceAll("│", "|")
    .replace("❯", ">"),
);
const bar = (mark: string) => [` ${mark} > ⬢ Demo Large > project > ⑂ master ▶──8%──╎──┃──200K─`, "╰─"];

describe("the live bottom of Oh My Pi's screen", () => {
  const cases: Record<string, [lines: string[], state: string | null]> = {
    "an approval": [["Running.", ...allow], "awaiting"],
    "a question": [[...card, "  ⎋ Working…", ...ask], "awaiting"],
    "an approval in ASCII": [ascii, "awaiting"],
    "the review of a plan": [plan, "awaiting"],
    "the picker of a session": [picker, "awaiting"],
    "a plan's review that an answer quotes": [[...plan, "", ...bar("π")], "waiting"],
    "an idle bar": [["Hello.", "", ...bar("π")], "waiting"],
    "a bar with something typed": [["Hello.", bar("π")[0]!, "╰─ half a sentence"], "waiting"],
    "a working bar": [["  ⎋ Working…", ...bar("⠸ 2s")], "thinking"],
    "after minutes": [bar("⠸ 1m 20s"), "thinking"],
    "a dialog that an answer quotes": [[...allow, "", ...bar("π")], "waiting"],
    "a dialog that an answer quotes while it streams": [
      [...allow, "  ⎋ Working…", ...bar("⠸ 2s")],
      "thinking",
    ],
    "the card of a question that is answered": [[...card, ...bar("π")], "waiting"],
    "a card at the very bottom": [card, null],
    "a dialog cut off above": [[...allow.slice(1)], null],
    "prose between a title and an end": [[allow[0]!, "and then", allow.at(-1)!], null],
    "what a killed one left above a prompt": [[bar("⠸ 2s")[0]!, "╰─ Killed", "$"], null],
    nothing: [[], null],
  };
  for (const [title, [lines, state]] of Object.entries(cases)) {
    it(title, () => expect(readOmpScreen(lines.join("\n"))?.state ?? null).toBe(state));
  }

  it("names the sub-agents that it shows, and counts those that it does not", () => {
    const list = [
      "Subagents",
      " └─ • LookAround: Rename the button",
      "",
      ` ⠹ 20s > ⬢ Demo > p ▶──◀ 👥 2`,
      "╰─",
    ];
    expect(readOmpScreen(list.join("\n"))).toMatchObject({
      state: "background",
      background: { agents: [{ name: "LookAround" }, { name: "sub-agent" }] },
    });
  });

  it("tells what is asked", () => {
    expect(readOmpScreen(allow.join("\n"))?.awaiting).toEqual({
      kind: "permission",
      message: "bash: sleep 5; echo done",
    });
    expect(readOmpScreen(ask.join("\n"))?.awaiting).toEqual({ kind: "question", message: "Which colour?" });
  });
});
