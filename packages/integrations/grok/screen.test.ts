import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readGrokScreen } from "./screen.ts";

const captured = (name: string) =>
  readFileSync(join(import.meta.dirname, "fixtures", "1.0.41", name, "screen.txt"), "utf8");
/** Lines of a screen's end, blank ones aside. */
const bottom = (name: string, count: number) =>
  captured(name)
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(-count)
    .join("\n");

describe("what a dialog asks", () => {
  it.each([
    ["awaiting-ask", { kind: "question", message: "Which color do you prefer?" }],
    ["awaiting-two-questions", { kind: "question", message: "Which colour should the button be?" }],
    ["awaiting-permission", { kind: "permission", message: "demo" }],
    ["awaiting-permission-edit", { kind: "permission", message: "Allow Edit to /tmp/zz-x.txt?" }],
    ["awaiting-plan-approval", { kind: "plan", message: null }],
    ["awaiting-plan-narrow", { kind: "plan", message: null }],
    ["minimal-awaiting-ask", { kind: "question", message: "Which colour should the button be?" }],
    ["minimal-awaiting-permission", { kind: "permission", message: "Run a demo command" }],
    ["panel-resume", { kind: "dialog", message: "Resume session" }],
    ["screen-trust", { kind: "dialog", message: "Do you trust the contents of this directory?" }],
    ["screen-sign-in", { kind: "dialog", message: "Login with Grok" }],
  ])("%s", (name, awaiting) => {
    expect(readGrokScreen(captured(name))?.awaiting).toEqual(awaiting);
  });
});

describe("a dialog that is quoted", () => {
  const quotes = [
    "awaiting-ask",
    "awaiting-permission",
    "awaiting-plan-approval",
    "panel-resume",
    "panel-settings",
    "screen-trust",
    "screen-sign-in",
    "thinking-waiting-for-model",
    "minimal-awaiting-ask",
    "minimal-awaiting-permission",
    "minimal-responding",
  ];
  /** The composer at rest below an answer that ends as every answer does. */
  const rest = bottom("waiting", 4);

  it.each(quotes)("%s: above the composer is prose", (name) => {
    const answer = `${captured(name)}\n\n     Worked for 2.0s\n\n${rest}`;
    expect(readGrokScreen(answer)).toMatchObject({ name: "composer", state: "waiting" });
  });

  it.each(quotes)("%s: in the diff of a running turn is prose", (name) => {
    const diff = captured(name)
      .split("\n")
      .map((line) => `     ${line.slice(0, 60)}`)
      .join("\n");
    expect(readGrokScreen(`${diff}\n${bottom("thinking-streaming", 5)}`)?.state).toBe("thinking");
  });

  it.each(quotes)("%s: in the scrollback of a shell is nothing", (name) => {
    expect(readGrokScreen(`${captured(name)}\nroot@vm:~/project# `)).toBeNull();
  });

  it("typed into the composer is a draft", () => {
    const draft = rest.replace(/❯ .{40}/, "❯ 1 (●) Yes, and don't ask again for any");
    expect(readGrokScreen(draft)?.state).toBe("waiting");
  });
});

describe("a screen", () => {
  it("that is empty, torn or of something else tells nothing", () => {
    for (const text of ["", "\n\n", "$ ", "┃", "╰────────────╯", "  1 (●) Yes\n1/4:select"])
      expect(readGrokScreen(text)).toBeNull();
  });

  it("of a gate that is half painted tells nothing yet", () => {
    const lines = captured("awaiting-permission").split("\n");
    const half = lines
      .slice(
        0,
        lines.findIndex((line) => line.includes("1 (●)")),
      )
      .join("\n");
    expect(readGrokScreen(half)?.state ?? null).not.toBe("waiting");
  });
});
