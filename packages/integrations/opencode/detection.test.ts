// The whole detector over a living database: which terminal is in which session, as sessions come and go.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  createDetector,
  type DetectionOutcome,
  type Detector,
  type TerminalSignals,
} from "@kolu/anyagent/detector.ts";
import type { ProcessEntry, ProcessFacts } from "@kolu/anyagent/process-tree.ts";
import { afterEach, beforeEach, expect, it } from "vitest";
import { opencodePlugin } from "./plugin.ts";
import { answerData, CWD, createStore, userData } from "./test-rows.ts";

const FIXTURES = join(import.meta.dirname, "fixtures", "1.18.33");
const screenOf = (situation: string) => readFile(join(FIXTURES, situation, "screen.txt"), "utf8");

let dir: string;
let store: ReturnType<typeof createStore>;
let detector: Detector;
let outcomes: Map<string, DetectionOutcome>;
let screens: Map<string, string>;
let wake: () => void;
let startPage: string;
let composer: string;
const startedAtMs = Date.now() - 60_000;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "opencode-"));
  store = createStore(join(dir, "opencode", "opencode.db"), (file) => new DatabaseSync(file));
  outcomes = new Map();
  screens = new Map();
  wake = () => {};
  startPage = await screenOf("idle-fresh");
  composer = await screenOf("waiting");
  detector = createDetector({
    plugins: [opencodePlugin({})],
    processes,
    host: {
      readScreen: async (id) => screens.get(id) ?? null,
      publish: (id, outcome) => {
        outcomes.set(id, outcome);
        wake();
      },
      log: (message, cause) => {
        throw new Error(message, { cause });
      },
    },
    now: Date.now,
  });
});
afterEach(async () => {
  await detector.dispose();
  store.writer.close();
  await rm(dir, { recursive: true });
});

const PIDS: Record<string, number> = { one: 11, two: 12 };
const entry = (pid: number): ProcessEntry => {
  return { pid, parentPid: 1, groupPid: pid, name: "opencode", startTime: `t${pid}`, startedAtMs };
};
const processes: ProcessFacts = {
  foregroundTree: async ({ foregroundPid }) => [entry(foregroundPid)],
  entry: async (pid) => entry(pid),
  environ: async () => ({ kind: "known", value: { XDG_DATA_HOME: dir } }),
  argv: async () => ({ kind: "known", value: ["opencode"] }),
  cwd: async () => ({ kind: "hidden", reason: "" }),
  tty: async () => ({ kind: "hidden", reason: "" }),
  openFiles: async () => ({ kind: "hidden", reason: "" }),
};

function see(id: string, screen: string, title = "OpenCode"): void {
  screens.set(id, screen);
  const signals: TerminalSignals = {
    id,
    rootPid: 10,
    rootArgv: null,
    foregroundPid: PIDS[id]!,
    atPrompt: false,
    command: { line: "opencode", running: true, startedAtMs, exitStatus: null, endedAtMs: null },
    title,
    cwd: CWD,
    program: [],
    lastOutputAtMs: Date.now(),
  };
  detector.observe(signals);
}

function begin(id: string, title: string): void {
  const atMs = Date.now() - 1_000;
  store.session(id, { title, createdAtMs: atMs, updatedAtMs: atMs });
  // Ids of messages are their times: each session's are its own.
  const shift = Number(id.at(-1));
  store.message(id, atMs + shift, userData(atMs + shift));
  store.message(id, atMs + 10 + shift, answerData(atMs + 10 + shift, { finish: "stop" }, atMs + 900));
}

const sessionOf = (id: string) => outcomes.get(id)?.agent?.sessionId ?? null;

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) {
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}

it("a start page is ready, beside another's older and newer sessions", async () => {
  store.session("ses_0", { createdAtMs: startedAtMs - 9_000, updatedAtMs: Date.now() });
  begin("ses_1", "Of another terminal, not kolu's");
  see("one", startPage);
  await detector.settled();
  await until(() => outcomes.get("one")?.agent?.state === "waiting");
  expect(outcomes.get("one")?.agent).toMatchObject({ sessionId: null, prompted: false, title: null });
});

it("two terminals of one directory have each their own session", async () => {
  see("one", startPage);
  see("two", startPage);
  await detector.settled();
  begin("ses_1", "First");
  see("two", composer);
  await until(() => sessionOf("two") === "ses_1");
  expect(sessionOf("one")).toBeNull();
  begin("ses_2", "Second");
  see("one", composer);
  await until(() => sessionOf("one") === "ses_2");
  expect(sessionOf("two")).toBe("ses_1");
});

it("what was bound the wrong way round is put right by the titles", async () => {
  begin("ses_1", "First");
  begin("ses_2", "Second");
  see("one", composer);
  see("two", composer);
  await until(() => sessionOf("one") !== null && sessionOf("two") !== null);
  expect(sessionOf("one")).not.toBe(sessionOf("two"));
  const crossed = sessionOf("one") === "ses_1";
  see("one", composer, crossed ? "OC | Second" : "OC | First");
  see("two", composer, crossed ? "OC | First" : "OC | Second");
  await until(() => sessionOf("one") === (crossed ? "ses_2" : "ses_1"));
  await until(() => sessionOf("two") === (crossed ? "ses_1" : "ses_2"));
});

it("a session that was begun inside the running agent is followed once the title names it", async () => {
  begin("ses_1", "First");
  see("one", composer, "OC | First");
  await until(() => sessionOf("one") === "ses_1");
  begin("ses_2", "Second");
  see("one", composer, "OpenCode");
  await detector.settled();
  expect(sessionOf("one")).toBe("ses_1");
  see("one", composer, "OC | Second");
  await until(() => sessionOf("one") === "ses_2");
  see("one", composer, "OC | First");
  await until(() => sessionOf("one") === "ses_1");
});
