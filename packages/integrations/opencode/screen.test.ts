import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readOpencodeScreen } from "./screen.ts";

const screenOf = (situation: string) =>
  readFileSync(join(import.meta.dirname, "fixtures", "1.18.33", situation, "screen.txt"), "utf8");
const linesOf = (situation: string) => screenOf(situation).split("\n");

describe("what a dialog asks", () => {
  const cases: Record<string, [kind: string, message: string]> = {
    "awaiting-permission-bash": ["permission", "Access external directory /tmp/demo"],
    "awaiting-permission-shell": ["permission", "Shell command"],
    "awaiting-permission-write": ["permission", "Edit out.txt"],
    "awaiting-permission-always": [
      "permission",
      "This will allow the following patterns until OpenCode is restarted",
    ],
    "screen-refusal-words-typed": ["permission", "Tell OpenCode what to do differently"],
    "awaiting-question": ["question", "Which colour should the button be?"],
    "screen-wide-ask": ["question", "Which colour should the button be?"],
    "screen-narrow-perm": ["permission", "Shell command"],
    "screen-sessions": ["dialog", "Sessions"],
    "screen-palette": ["dialog", "Commands"],
    "screen-noauth-connect": ["dialog", "Connect a provider"],
  };
  for (const [situation, [kind, message]] of Object.entries(cases)) {
    it(situation, () => {
      expect(readOpencodeScreen(screenOf(situation))).toMatchObject({
        state: "awaiting",
        awaiting: { kind, message },
      });
    });
  }

  it("is told over several lines", () => {
    expect(readOpencodeScreen(screenOf("awaiting-plan-exit"))?.awaiting?.message).toMatch(
      /^Plan at tmp.*Would you like to switch to the build agent and start implementing\?$/,
    );
  });
});

describe("what is quoted above the composer is prose", () => {
  // The dialog's own lines, put where an answer, a diff or a command's output stands.
  const quoted = ["awaiting-permission-bash", "awaiting-question", "screen-wide-perm", "screen-narrow-perm"];
  for (const situation of quoted) {
    for (const [under, state] of [
      ["waiting", "waiting"],
      ["thinking", "thinking"],
      ["tool-use", "thinking"],
    ] as const) {
      it(`${situation} over ${under}`, () => {
        const dialog = linesOf(situation).filter((line) => line.startsWith("  ┃"));
        const composer = linesOf(under).slice(-8);
        const indented = dialog.map((line) => `     ${line}`);
        for (const prose of [dialog, indented]) {
          const text = [...prose, "", ...composer].join("\n");
          expect(readOpencodeScreen(text)).toMatchObject({ state, awaiting: null });
        }
      });
    }
  }

  it("a working line in an answer is none", () => {
    const text = ["     ⬝⬝■■■■⬝⬝  esc interrupt", "", ...linesOf("waiting").slice(-8)].join("\n");
    expect(readOpencodeScreen(text)).toMatchObject({ state: "waiting" });
  });

  it("a composer that a shell's output quotes is none", () => {
    const text = [...linesOf("waiting").filter(Boolean), "$ ls", ...Array(6).fill("a file"), "$"].join("\n");
    expect(readOpencodeScreen(text)).toBeNull();
  });
});

it("every cut of a screen is read without throwing, and never as a gate that is not there", () => {
  const lines = linesOf("waiting-after-esc");
  for (let from = 0; from < lines.length; from += 1) {
    for (let to = from; to <= lines.length; to += 1) {
      expect(readOpencodeScreen(lines.slice(from, to).join("\n"))?.state).not.toBe("awaiting");
    }
  }
  expect(readOpencodeScreen("")).toBeNull();
});
