// Several terminals of one directory: each shows its own Grok, and no conversation is shown twice.
import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  createDetector,
  type DetectionOutcome,
  type Detector,
  type TerminalSignals,
} from "@kolu/anyagent/detector.ts";
import type { ProcessEntry, ProcessFacts } from "@kolu/anyagent/process-tree.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { projectDirName } from "./places.ts";
import { grokPlugin } from "./plugin.ts";

let home: string;
let living: Map<number, ProcessEntry>;
let last: Map<string, DetectionOutcome>;
let wake: () => void;
let faults: unknown[];
let detector: Detector;
let startedAtMs: number;

const processes: ProcessFacts = {
  foregroundTree: async ({ foregroundPid }) => [living.get(foregroundPid)].filter((one) => one !== undefined),
  entry: async (pid) => living.get(pid) ?? null,
  environ: async () => ({ kind: "known", value: { HOME: home } }),
  argv: async () => ({ kind: "hidden", reason: "" }),
  cwd: async () => ({ kind: "hidden", reason: "" }),
  tty: async () => ({ kind: "hidden", reason: "" }),
  openFiles: async () => ({ kind: "hidden", reason: "" }),
};
const put = async (path: string, text: string) => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.tmp`, text);
  await rename(`${path}.tmp`, path);
};
const putSession = async (id: string, createdAtMs = startedAtMs + 1_000) => {
  const dir = join(home, ".grok", "sessions", projectDirName(home), id);
  const time = new Date(createdAtMs).toISOString();
  await put(join(dir, "events.jsonl"), "");
  await put(
    join(dir, "summary.json"),
    JSON.stringify({
      info: { id, cwd: home },
      created_at: time,
      updated_at: time,
      generated_title: `of ${id}`,
    }),
  );
};
const putList = (rows: Record<number, string>) => {
  const openedAt = new Date(startedAtMs + 1_000).toISOString();
  const list = Object.entries(rows).map(([pid, id]) => {
    return { session_id: id, pid: Number(pid), cwd: home, opened_at: openedAt };
  });
  return put(join(home, ".grok", "active_sessions.json"), JSON.stringify(list));
};
const see = async (id: string, pid: number) => {
  living.set(pid, { pid, parentPid: 1, groupPid: pid, name: "grok", startTime: "1", startedAtMs });
  const signals: TerminalSignals = {
    id,
    rootPid: 1,
    rootArgv: null,
    foregroundPid: pid,
    atPrompt: false,
    command: null,
    title: null,
    cwd: home,
    program: [],
    lastOutputAtMs: null,
  };
  detector.observe(signals);
  await detector.settled();
};
const shown = () => [...last].map(([id, { agent }]) => [id, agent?.sessionId ?? null]);
const until = async (holds: () => boolean) => {
  while (!holds()) {
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
};
const show = (id: string) => last.get(id)?.agent?.sessionId ?? null;

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), "grok-terminals-")));
  living = new Map();
  last = new Map();
  faults = [];
  wake = () => {};
  startedAtMs = Date.now() - 60_000;
  detector = createDetector({
    plugins: [grokPlugin({})],
    processes,
    host: {
      readScreen: async () => null,
      publish: (id, outcome) => {
        last.set(id, outcome);
        const ids = [...last.values()].flatMap(({ agent }) => agent?.sessionId ?? []);
        if (new Set(ids).size !== ids.length) faults.push(`one session in two terminals: ${ids}`);
        wake();
      },
      log: (message, cause) => faults.push(message, cause),
    },
    now: Date.now,
  });
});
afterEach(async () => {
  await detector.dispose();
  await rm(home, { recursive: true });
  expect(faults).toEqual([]);
});

describe("two terminals of one directory", () => {
  it("each show the session that the list names for their process", async () => {
    await putSession("a");
    await putSession("b");
    await putList({ 20: "b", 21: "a" });
    await see("one", 20);
    await see("two", 21);
    expect(shown()).toEqual([
      ["one", "b"],
      ["two", "a"],
    ]);
  });

  it("never show one session, also where the list names neither", async () => {
    await putSession("a");
    await see("one", 20);
    await see("two", 21);
    expect(shown()).toEqual([
      ["one", "a"],
      ["two", null],
    ]);
  });

  it("give a guessed session up to the one that it is named for", async () => {
    await putSession("a");
    await see("one", 20);
    await see("two", 21);
    await putSession("b");
    await putList({ 20: "b", 21: "a" });
    await until(() => show("one") === "b" && show("two") === "a");
  });
});

describe("a process that goes on to another session", () => {
  it("is followed there, and what it left may be shown by another terminal", async () => {
    await putSession("a");
    await putList({ 20: "a" });
    await see("one", 20);
    expect(show("one")).toBe("a");
    await putSession("new");
    await putList({ 20: "new" });
    await until(() => show("one") === "new");
    await putList({ 20: "new", 21: "a" });
    await see("two", 21);
    expect(shown()).toEqual([
      ["one", "new"],
      ["two", "a"],
    ]);
  });

  it("stays where it was when the list loses its row", async () => {
    await putSession("a");
    await putSession("b");
    await putList({ 20: "a" });
    await see("one", 20);
    await putList({ 21: "b" });
    await see("two", 21);
    // The list is read again, as after Ctrl-Z.
    await see("one", 20);
    expect(shown()).toEqual([
      ["one", "a"],
      ["two", "b"],
    ]);
  });
});
