// Two terminals in one directory, through the whole detector: never the same thread, and each its own where anything tells.
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
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
import type { ProgramRecord } from "@kolu/contract/program-status.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { codexPlugin } from "./plugin.ts";
import { LOGS_TABLE, THREADS_TABLE, threadValues } from "./test-database.ts";
import { complete, started } from "./test-rollout.ts";

const START_MS = Date.now() - 60_000;
const IDS = {
  a: "01a22ba9-ab8b-7561-943f-cabddc094b84",
  b: "01a22bac-537e-7ce0-a5e8-cccbe878d8de",
  c: "01a22bb5-52e9-7533-8be2-191ea84e52c8",
};
let home: string;
let detector: Detector;
let last: Map<string, DetectionOutcome>;
let startedAtMs: Map<number, number>;
let database: DatabaseSync;

/** The agent of terminal n: process n1, child of a wrapper n0. */
const agentOf = (foregroundPid: number): ProcessEntry => ({
  pid: foregroundPid + 1,
  parentPid: foregroundPid,
  groupPid: foregroundPid,
  name: "codex",
  startTime: `t${foregroundPid}`,
  startedAtMs: startedAtMs.get(foregroundPid)!,
});
const processes: ProcessFacts = {
  foregroundTree: async ({ foregroundPid }) =>
    startedAtMs.has(foregroundPid) ? [agentOf(foregroundPid)] : [],
  entry: async (pid) => (startedAtMs.has(pid - 1) ? agentOf(pid - 1) : null),
  environ: async () => ({ kind: "known", value: { HOME: home } }),
  argv: async () => ({ kind: "hidden", reason: "" }),
  cwd: async () => ({ kind: "hidden", reason: "" }),
  tty: async () => ({ kind: "hidden", reason: "" }),
  openFiles: async () => ({ kind: "known", value: [] }),
};

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "codex-terminals-"));
  mkdirSync(join(home, ".codex", "tui-thread-reference-capabilities"), { recursive: true });
  database = new DatabaseSync(join(home, ".codex", "state_5.sqlite"));
  database.exec(THREADS_TABLE);
  const logs = new DatabaseSync(join(home, ".codex", "logs_2.sqlite"));
  logs.exec(LOGS_TABLE);
  logs.close();
  startedAtMs = new Map([
    [10, START_MS],
    [20, START_MS + 1_000],
  ]);
  last = new Map();
  detector = createDetector({
    plugins: [codexPlugin({})],
    processes,
    now: Date.now,
    host: {
      readScreen: async () => "",
      publish: (id, outcome) => last.set(id, outcome),
      log: (message, cause) => {
        throw new Error(message, { cause });
      },
    },
  });
});
afterEach(async () => {
  await detector.dispose();
  database.close();
  rmSync(home, { recursive: true });
});

function prompted(id: string, createdAtMs: number): void {
  const rolloutPath = join(home, ".codex", `rollout-${id}.jsonl`);
  writeFileSync(rolloutPath, `${started()}\n${complete()}\n`);
  const { columns, values } = threadValues({ id, createdAtMs, rolloutPath, title: id.slice(9, 13) });
  database
    .prepare(`INSERT INTO threads (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`)
    .run(...values);
}
function opened(id: string, atMs: number): void {
  const path = join(home, ".codex", "tui-thread-reference-capabilities", id);
  writeFileSync(path, "");
  utimesSync(path, atMs / 1_000, atMs / 1_000);
}
function logged(pid: number, atMs: number): void {
  const logs = new DatabaseSync(join(home, ".codex", "logs_2.sqlite"));
  logs
    .prepare("INSERT INTO logs (ts, ts_nanos, target, process_uuid) VALUES (?, ?, ?, ?)")
    .run(
      Math.floor(atMs / 1_000),
      (atMs % 1_000) * 1e6,
      "rmcp::transport::streamable_http_server::session::local",
      `pid:${pid}:u`,
    );
  logs.close();
}
const reports = (updatedAtMs: number): ProgramRecord[] => [
  {
    id: "",
    app: "codex",
    state: "idle",
    kind: null,
    progress: null,
    message: null,
    title: null,
    updatedAtMs,
  },
];
async function look(id: string, foregroundPid: number, program: ProgramRecord[] = []): Promise<void> {
  const signals: TerminalSignals = {
    id,
    rootPid: foregroundPid - 1,
    rootArgv: null,
    foregroundPid,
    atPrompt: false,
    command: { line: "codex", running: true, startedAtMs: START_MS, exitStatus: null, endedAtMs: null },
    title: null,
    cwd: "/p",
    program,
    lastOutputAtMs: null,
  };
  detector.observe(signals);
  await detector.settled();
}
const threadOf = (id: string) => last.get(id)?.agent?.title ?? null;

describe("two terminals in one directory", () => {
  it("each show the thread that their own process opened, whichever is newer", async () => {
    prompted(IDS.a, START_MS + 2_000);
    prompted(IDS.b, START_MS + 2_400);
    opened(IDS.a, START_MS + 2_000);
    opened(IDS.b, START_MS + 2_400);
    logged(21, START_MS + 2_010);
    logged(11, START_MS + 2_420);
    await look("one", 10);
    await look("two", 20);
    expect([threadOf("one"), threadOf("two")]).toEqual(["537e", "ab8b"]);
  });

  it("never share a thread when nothing tells whose it is", async () => {
    prompted(IDS.a, START_MS + 2_000);
    opened(IDS.a, START_MS + 2_000);
    await look("one", 10);
    await look("two", 20);
    expect([threadOf("one"), threadOf("two")]).toEqual(["ab8b", null]);
  });

  it("a guess is given up as soon as the log tells better", async () => {
    prompted(IDS.a, START_MS + 2_000);
    opened(IDS.a, START_MS + 2_000);
    await look("one", 10);
    logged(21, START_MS + 2_010);
    await look("two", 20);
    expect([threadOf("one"), threadOf("two")]).toEqual([null, "ab8b"]);
  });

  it("one moves on with /new, the other stays", async () => {
    for (const [id, pid, atMs] of [
      [IDS.a, 11, 2_000],
      [IDS.b, 21, 2_400],
    ] as const) {
      prompted(id, START_MS + atMs);
      opened(id, START_MS + atMs);
      logged(pid, START_MS + atMs);
    }
    await look("one", 10, reports(START_MS + 2_100));
    await look("two", 20, reports(START_MS + 2_500));
    prompted(IDS.c, START_MS + 30_000);
    opened(IDS.c, START_MS + 30_000);
    await look("one", 10, reports(START_MS + 30_300));
    await look("two", 20, reports(START_MS + 2_500));
    expect([threadOf("one"), threadOf("two")]).toEqual(["52e9", "537e"]);
    // What it left is nobody's, and stays so once the log has told.
    logged(11, START_MS + 30_010);
    await look("one", 10, reports(START_MS + 40_000));
    expect([threadOf("one"), threadOf("two")]).toEqual(["52e9", "537e"]);
  });

  it("a second start is not taken for the first one's /new", async () => {
    startedAtMs.delete(20);
    prompted(IDS.a, START_MS + 2_000);
    opened(IDS.a, START_MS + 2_000);
    logged(11, START_MS + 2_010);
    await look("one", 10, reports(START_MS + 2_100));
    startedAtMs.set(20, START_MS + 20_000);
    opened(IDS.b, START_MS + 21_000);
    await look("two", 20, reports(START_MS + 21_200));
    await look("one", 10, reports(START_MS + 25_000));
    expect([threadOf("one"), threadOf("two")]).toEqual(["ab8b", null]);
    expect(last.get("two")?.agent).toMatchObject({ state: "waiting", prompted: false, contextTokens: null });
  });
});
