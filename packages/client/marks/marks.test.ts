import type { AgentReading } from "@kolu/contract/agent.ts";
import { DEFAULT_PREFERENCES } from "@kolu/contract/preferences.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { expect, test } from "vitest";
import { agentForTest, gitForTest, recordForTest } from "../store/record-for-test.ts";
import { announcements, countAttention, countBadges, pageTitle } from "./announcements.ts";
import { iconFor } from "./favicon.ts";
import { attentionOf, type MarkKind, markLabel, markOf } from "./mark-of.ts";
import { doingOf, nameOf } from "./name-of.ts";
import { SHAPES } from "./shapes.ts";

const agent = (changed: Partial<AgentReading>): Partial<TerminalRecord> => ({ agent: agentForTest(changed) });
const program = (state: "idle" | "working" | "blocked" | "done" | "error"): Partial<TerminalRecord> => ({
  program: {
    id: "",
    app: "deploy",
    state,
    kind: null,
    progress: state === "working" ? 41.7 : null,
    message: null,
    title: null,
    updatedAtMs: 0,
  },
});

const cases: Record<string, [record: Partial<TerminalRecord>, kind: MarkKind, words: string]> = {
  "no agent is a shell": [{}, "shell", "Shell"],
  thinking: [agent({ state: "thinking" }), "thinking", "Thinking"],
  "tool use": [agent({ state: "tool_use" }), "tool_use", "Running tools"],
  "background names the workflow and counts agents": [
    agent({
      state: "background",
      background: { workflows: [{ name: "deploy", agents: 3 }], agents: [], shells: 0 },
    }),
    "background",
    "In background (deploy, 3 agents)",
  ],
  "background with one sub-agent": [
    agent({ state: "background", background: { workflows: [], agents: [{ name: "a" }], shells: 0 } }),
    "background",
    "In background (1 agent)",
  ],
  "background without a name": [agent({ state: "background" }), "background", "In background"],
  awaiting: [agent({ state: "awaiting" }), "awaiting", "Needs you"],
  "waiting after a turn": [agent({ state: "waiting" }), "waiting", "Finished"],
  "waiting before the first prompt": [agent({ state: "waiting", prompted: false }), "waiting", "Ready"],
  "waiting with a shell left running is still waiting": [
    agent({ state: "waiting", background: { workflows: [], agents: [], shells: 1 } }),
    "waiting",
    "Finished, 1 shell running",
  ],
  "an error ends a turn": [
    agent({ state: "waiting", error: "rate limit" }),
    "error",
    "Stopped with an error",
  ],
  unknown: [agent({ state: "unknown", unknownReason: "no session file" }), "unknown", "Unknown"],
  "a parked terminal is parked whatever its agent said": [
    { life: "parked", ...agent({ state: "thinking" }) },
    "parked",
    "Waiting for restore",
  ],
  asleep: [{ life: "sleeping" }, "sleeping", "Asleep"],
  exited: [{ life: "exited", exit: { code: 3, signal: 0 } }, "exited", "Ended with status 3"],
  "killed by a signal": [{ life: "exited", exit: { code: 0, signal: 9 } }, "exited", "Ended by signal 9"],
  "a program at work": [program("working"), "thinking", "Working, 42 %"],
  "a program that asks": [program("blocked"), "awaiting", "Needs you"],
  "a program that is done": [program("done"), "waiting", "Done"],
  "a program that failed": [program("error"), "error", "Stopped with an error"],
};
for (const [title, [record, kind, words]] of Object.entries(cases))
  test(`mark: ${title}`, () => {
    const mark = markOf(recordForTest(1, record));
    expect([mark.kind, mark.words]).toEqual([kind, words]);
  });

test("every state has a silhouette of its own", () => {
  const outlines = Object.values(SHAPES).map(({ parts }) => JSON.stringify(parts));
  expect(new Set(outlines).size).toBe(outlines.length);
});

test("a label says everything that the picture does", () => {
  const record = recordForTest(1, {
    unread: 2,
    ...agent({ state: "awaiting", awaiting: { kind: "permission", message: "Run rm?" } }),
  });
  expect(markLabel(markOf(record))).toBe("Needs you, Run rm?, not seen");
});

test("needing you beats not being seen", () => {
  expect(attentionOf(markOf(recordForTest(1, { unread: 1, ...agent({ state: "awaiting" }) })))).toBe(
    "needs-you",
  );
  expect(attentionOf(markOf(recordForTest(1, { unread: 1, ...agent({}) })))).toBe("not-seen");
  expect(attentionOf(markOf(recordForTest(1, agent({}))))).toBeNull();
});

const map = (...records: TerminalRecord[]): Map<string, TerminalRecord> =>
  new Map(records.map((record) => [record.id, record]));

test("asking and finishing are announced once, and what was so at the start is not", () => {
  const calm = recordForTest(1, { intent: "api", ...agent({ state: "thinking" }) });
  const asking = recordForTest(1, { intent: "api", unread: 1, ...agent({ state: "awaiting" }) });
  const finished = recordForTest(1, { intent: "api", unread: 2, ...agent({ state: "waiting" }) });
  const words = (before: Map<string, TerminalRecord>, after: Map<string, TerminalRecord>): string[] =>
    announcements(before, after).map((said) => said.words);
  expect(words(new Map(), map(asking))).toEqual([]);
  expect(words(map(calm), map(asking))).toEqual(["api needs you"]);
  expect(words(map(asking), map({ ...asking, busy: true }))).toEqual([]);
  expect(words(map(asking), map(finished))).toEqual(["api finished"]);
  expect(words(map(finished), map({ ...finished, unread: 0 }))).toEqual([]);
});

test("an agent found again after a restart of padi announces nothing", () => {
  const unread = recordForTest(1, { unread: 1 });
  const found = { ...unread, ...agent({ state: "awaiting" }) };
  expect(announcements(map(unread), map(found))).toEqual([]);
});

test("the title counts who needs a person first, who is not seen else", () => {
  const asking = recordForTest(1, agent({ state: "awaiting" }));
  const unseen = recordForTest(2, { unread: 1, ...agent({}) });
  expect(pageTitle(countAttention(map(asking, unseen)))).toBe("(1) kolu: needs you");
  expect(pageTitle(countAttention(map(unseen)))).toBe("(1) kolu: finished");
  expect(pageTitle(countAttention(map()))).toBe("kolu");
});

test("a turn that an error ended is announced as such", () => {
  const working = recordForTest(1, { intent: "api", ...agent({ state: "thinking" }) });
  const stopped = recordForTest(1, {
    intent: "api",
    unread: 1,
    ...agent({ state: "waiting", error: "quota" }),
  });
  expect(announcements(map(working), map(stopped))).toEqual([
    { id: working.id, kind: "error", words: "api stopped with an error", why: "quota" },
  ]);
});

test("the tab counts the kinds that a person wants there", () => {
  const records = map(
    recordForTest(1, agent({ state: "awaiting" })),
    recordForTest(2, { unread: 1, ...agent({}) }),
    recordForTest(3, { unread: 1, ...agent({ error: "quota" }) }),
  );
  const { alerts } = DEFAULT_PREFERENCES;
  expect(countBadges(records, alerts)).toEqual({ needsYou: 1, notSeen: 2 });
  const fewer = { ...alerts, finished: { ...alerts.finished, badge: false } };
  expect(countBadges(records, fewer)).toEqual({ needsYou: 1, notSeen: 1 });
  expect(decodeURIComponent(iconFor({ needsYou: 3, notSeen: 2 }))).toMatch(/<path.*>3<\/text>/);
  expect(decodeURIComponent(iconFor({ needsYou: 0, notSeen: 12 }))).toMatch(/<circle.*>9\+<\/text>/);
  expect(iconFor({ needsYou: 0, notSeen: 0 })).toBe("/icon.svg");
});

test("a terminal is called by its label, branch or directory", () => {
  expect(nameOf(recordForTest(1, { intent: "fix login\nmore", git: gitForTest("kolu") }))).toBe("fix login");
  expect(nameOf(recordForTest(1, { intent: "  ", git: gitForTest("kolu", "main") }))).toBe("main");
  expect(nameOf(recordForTest(1, { git: gitForTest("kolu", null) }))).toBe("at abc1234");
  expect(nameOf(recordForTest(1, { cwd: "/home/me/notes/" }))).toBe("notes");
  expect(nameOf(recordForTest(1, { cwd: "/" }))).toBe("/");
});

test("what it does is its own words, not the shell's idea of a title", () => {
  const command = { line: "npm test", running: true, exitStatus: null, startedAtMs: 0, endedAtMs: null };
  expect(doingOf(recordForTest(1, { title: "me@box: ~/x", command }))).toBe("npm test");
  expect(doingOf(recordForTest(1, { title: "vim notes" }))).toBe("vim notes");
  expect(doingOf(recordForTest(1, { title: "~/x", foreground: { pid: 1, name: "bash" } }))).toBeNull();
  expect(doingOf(recordForTest(1, { title: "~", foreground: { pid: 1, name: "htop" } }))).toBe("htop");
  expect(doingOf(recordForTest(1, agent({ title: "Fix login" })))).toBe("Fix login");
  expect(doingOf(recordForTest(1))).toBeNull();
});
