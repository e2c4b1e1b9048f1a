import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { describe, expect, test } from "vitest";
import { testAgent, testId, testRecord } from "../test-records.ts";
import { hasCircle, mergeBackup, mergeFile } from "./bring-in.ts";
import { type SavedTerminal, toSaved } from "./saved.ts";
import { parseFile, toFile } from "./workspace-file.ts";

const here = (...records: TerminalRecord[]): Map<string, TerminalRecord> =>
  new Map(records.map((record) => [record.id, record]));
const saved = (n: number, changes: Partial<TerminalRecord> = {}): SavedTerminal =>
  toSaved(testRecord(n, changes), { agentCommand: "claude", lastConversation: null });
const at = (x: number): TerminalRecord["layout"] => ({ x, y: 0, w: 100, h: 100 });

describe("a backup over what is here", () => {
  test("brings back what is gone, parked with its agent, and only rearranges what is here", () => {
    const running = testRecord(1, { pid: 7, intent: "now", agent: testAgent("thinking") });
    const { newcomers, arranged } = mergeBackup(
      here(running, testRecord(9)),
      [saved(1, { intent: "then", layout: at(5) }), saved(2, { agent: testAgent("tool_use") })],
      50,
    );
    expect(arranged).toEqual([
      {
        id: testId(1),
        changes: { parentId: null, intent: "then", themeName: null, fontPx: null, layout: at(5) },
      },
    ]);
    expect(newcomers).toHaveLength(1);
    expect(newcomers[0]).toMatchObject({
      record: { id: testId(2), life: "parked", pid: null, agent: { state: "unknown", sessionId: "s-1" } },
      known: { agentCommand: "claude" },
    });
  });

  test("keeps what slept asleep, and has no split of a terminal that is nowhere", () => {
    const { newcomers } = mergeBackup(
      here(),
      [saved(1, { life: "sleeping", parentId: testId(8) }), saved(2, { parentId: testId(1) })],
      50,
    );
    expect(newcomers.map(({ record: { life, parentId } }) => [life, parentId])).toEqual([
      ["sleeping", null],
      ["parked", testId(1)],
    ]);
  });
});

const source = {
  repos: [],
  agents: [{ command: "API=1 claude", kind: "claude-code", repoRoot: null, usedAtMs: 1 }],
  agentCommand: () => "claude 'a secret prompt'",
  shareableCommand: () => "claude",
};
const file = (...records: TerminalRecord[]): string => JSON.stringify(toFile({ ...source, records }, 99));

describe("a file", () => {
  test("comes in asleep, beside what is here, and replaces nothing", () => {
    const text = file(
      testRecord(1, { intent: "theirs" }),
      testRecord(2, { layout: at(0), agent: testAgent("waiting") }),
    );
    const newcomers = mergeFile(here(testRecord(1, { layout: at(400) })), parseFile(text), 50);
    expect(newcomers).toHaveLength(1);
    expect(newcomers[0]).toMatchObject({
      record: {
        id: testId(2),
        life: "sleeping",
        layout: { x: 596 },
        agent: { sessionId: "s-1", state: "unknown", prompted: true },
      },
      known: { agentCommand: "claude", lastConversation: { sessionId: "s-1" } },
    });
  });

  test("holds no command line as it was typed", () => {
    const command = {
      line: "TOKEN=x deploy",
      running: true,
      exitStatus: null,
      startedAtMs: 1,
      endedAtMs: null,
    };
    const text = file(testRecord(1, { command, title: command.line, agent: testAgent("waiting") }));
    expect(text).not.toMatch(/TOKEN|secret|API=1/);
  });

  const one = JSON.parse(file(testRecord(1))) as { terminals: Record<string, unknown>[] };
  const changed = (changes: Record<string, unknown>): string => JSON.stringify({ ...one, ...changes });
  const wrong: Record<string, [text: string, reason: RegExp]> = {
    "that is no JSON is refused": ["{", /not JSON/],
    "of something else is refused": ['{"format":"other"}', /format: must be kolu-workspace/],
    "of a later version is refused": [changed({ version: 2 }), /another version than 1/],
    "with a relative directory is refused, named": [
      changed({ terminals: [{ ...one.terminals[0], cwd: "src" }] }),
      /terminals\.0\.cwd: must be an absolute path/,
    ],
    "with one terminal twice is refused": [
      changed({ terminals: [one.terminals[0], one.terminals[0]] }),
      /in it twice/,
    ],
    "whose splits are a circle is refused": [
      changed({ terminals: [{ ...one.terminals[0], parentId: testId(1) }] }),
      /circle/,
    ],
    "that is too large is refused unread": [" ".repeat(5_000_000), /larger than 4 MiB/],
  };
  test.each(Object.entries(wrong))("%s", (_title, [text, reason]) => {
    expect(() => parseFile(text)).toThrow(reason);
  });
});

test("a circle of parents is found, a chain is none", () => {
  const chain = [
    { id: "a", parentId: null },
    { id: "b", parentId: "a" },
    { id: "c", parentId: "b" },
  ];
  expect(hasCircle(chain)).toBe(false);
  expect(hasCircle([{ id: "a", parentId: "c" }, ...chain.slice(1)])).toBe(true);
});
