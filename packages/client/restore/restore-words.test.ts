import type { RestorePlanRow, RestoreRow } from "@kolu/contract/sessions.ts";
import { describe, expect, test } from "vitest";
import { idForTest } from "../store/record-for-test.ts";
import { type Choice, planWords, progressOf, wishOf } from "./restore-words.ts";

const plan = (changed: Partial<RestorePlanRow>): RestorePlanRow => ({
  id: idForTest(1),
  agent: null,
  lostAgent: null,
  notRerun: null,
  ...changed,
});
const claude = (on: NonNullable<RestorePlanRow["agent"]>["on"]): Partial<RestorePlanRow> => ({
  agent: { kind: "claude-code", on, line: "claude" },
});

describe("a terminal comes back as", () => {
  const cases: Record<
    string,
    [row: Partial<RestorePlanRow>, title: string | null, choice: Choice, words: string]
  > = {
    "its agent, on what it was about": [claude("conversation"), "Cart", "all", "Claude Code, on “Cart”"],
    "its agent, on a conversation without a title": [
      claude("conversation"),
      null,
      "all",
      "Claude Code, on its conversation",
    ],
    "its agent, on what is newest": [
      claude("newest"),
      null,
      "all",
      "Claude Code, on the newest conversation of its directory",
    ],
    "a shell where a person wants no more": [
      claude("conversation"),
      "Cart",
      "shell",
      "a shell, without Claude Code",
    ],
    "a shell, and what does not run again": [
      { notRerun: "npm run dev" },
      null,
      "all",
      "a shell; npm run dev is not started again",
    ],
    "a shell where the conversation is not known": [
      { lostAgent: "codex" },
      null,
      "all",
      "a shell: which conversation Codex was on is not known",
    ],
    "nothing, where it is left": [claude("fresh"), null, "leave", "stays as it is"],
  };
  test.each(Object.entries(cases))("%s", (_title, [row, title, choice, words]) =>
    expect(planWords(plan(row), title, choice)).toBe(words),
  );
});

test("what is left is not asked for, and shells alone are named", () => {
  const choices = new Map<string, Choice>([
    ["b", "leave"],
    ["c", "shell"],
  ]);
  expect(wishOf(["a", "b", "c"], choices)).toEqual({ ids: ["a", "c"], shellOnlyIds: ["c"] });
});

describe("progress", () => {
  const row = (n: number, step: RestoreRow["step"], reason: string | null = null): RestoreRow => ({
    id: idForTest(n),
    step,
    reason,
    mend: null,
  });
  test("of one terminal is no card, of several it is", () => {
    expect(progressOf([row(1, "agent")]).title).toBeNull();
    expect(progressOf([row(1, "done"), row(2, "agent"), row(3, "queued")])).toMatchObject({
      title: "Bringing back 2 of 3…",
      underWay: true,
      done: 1,
    });
  });
  test("that went well goes away, what failed stays until it is read", () => {
    expect(progressOf([row(1, "done"), row(2, "done")]).title).toBeNull();
    expect(progressOf([row(1, "done"), row(2, "failed", "no"), row(3, "left")])).toMatchObject({
      title: "Not everything is back.",
      underWay: false,
      shown: [{ id: idForTest(2) }],
    });
  });
});
