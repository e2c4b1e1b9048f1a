import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { SessionSearch, SessionsFound } from "@kolu/anyagent/plugin.ts";
import type { ProcessEntry, ProcessFacts } from "@kolu/anyagent/process-tree.ts";
import type { ProgramRecord } from "@kolu/contract/program-status.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findSessions } from "./find.ts";
import { createStore } from "./store.ts";
import {
  LOGS_TABLE,
  OLD_THREADS_TABLE,
  type TestThread,
  THREADS_TABLE,
  threadValues,
} from "./test-database.ts";
import { codexVocab } from "./vocab.ts";

const START_MS = Date.now() - 60_000;
const A = "01a22ba9-ab8b-7561-943f-cabddc094b84";
const B = "01a22bac-537e-7ce0-a5e8-cccbe878d8de";
const C = "01a22bb5-52e9-7533-8be2-191ea84e52c8";

let home: string;
let openFiles: string[];
let environ: Record<string, string> | null;
let store: ReturnType<typeof createStore>;
let overrides: Record<string, string>;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "codex-find-"));
  mkdirSync(join(home, ".codex"));
  openFiles = [];
  environ = { HOME: home };
  store = createStore();
  overrides = {};
});
afterEach(() => rmSync(home, { recursive: true }));

const agent = (changes: Partial<ProcessEntry> = {}): ProcessEntry => {
  return {
    pid: 22,
    parentPid: 21,
    groupPid: 21,
    name: "codex",
    startTime: "1",
    startedAtMs: START_MS,
    ...changes,
  };
};
const processes: ProcessFacts = {
  foregroundTree: async () => [],
  entry: async () => null,
  environ: async () =>
    environ === null ? { kind: "hidden", reason: "EACCES" } : { kind: "known", value: environ },
  argv: async () => ({ kind: "hidden", reason: "" }),
  cwd: async () => ({ kind: "hidden", reason: "" }),
  tty: async () => ({ kind: "hidden", reason: "" }),
  openFiles: async () => ({ kind: "known", value: openFiles }),
};
const reported = (updatedAtMs: number, state: ProgramRecord["state"] = "idle"): ProgramRecord[] => [
  {
    id: "",
    app: "codex",
    state,
    kind: null,
    progress: null,
    message: null,
    title: null,
    updatedAtMs,
  },
];

function find(
  changes: Partial<SessionSearch> & { words?: string[]; process?: ProcessEntry } = {},
): Promise<SessionsFound> {
  const { words, process = agent(), ...rest } = changes;
  const invocation =
    words === undefined ? null : { vocab: codexVocab, prefix: ["codex"], argv: ["codex", ...words] };
  const search: SessionSearch = {
    chain: [process],
    agent: process,
    invocation,
    cwd: "/p",
    processes,
    ...rest,
  };
  return findSessions(search, overrides, store);
}
const offersOf = async (...args: Parameters<typeof find>) =>
  (await find(...args)).candidates.map((one) => `${one.evidence} ${one.key.slice(9, 13)}`);

const root = () => join(home, ".codex");
function database(table = THREADS_TABLE, name = "state_5.sqlite"): DatabaseSync {
  const made = new DatabaseSync(join(root(), name));
  made.exec(table);
  return made;
}
function threads(...rows: TestThread[]): void {
  const made = database();
  for (const row of rows) insert(made, row);
  made.close();
}
function insert(into: DatabaseSync, row: TestThread, isOld = false): void {
  const { columns, values } = threadValues(row, isOld);
  into
    .prepare(`INSERT INTO threads (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`)
    .run(...values);
}
function opens(threadId: string, atMs: number): void {
  const dir = join(root(), "tui-thread-reference-capabilities");
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, threadId), "");
  utimesSync(join(dir, threadId), atMs / 1_000, atMs / 1_000);
}
function logs(...lines: [pid: number, atMs: number][]): void {
  const made = new DatabaseSync(join(root(), "logs_2.sqlite"));
  made.exec(`${LOGS_TABLE.replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS")}`);
  for (const [pid, atMs] of lines) {
    made
      .prepare("INSERT INTO logs (ts, ts_nanos, target, process_uuid) VALUES (?, ?, ?, ?)")
      .run(
        Math.floor(atMs / 1_000),
        (atMs % 1_000) * 1e6,
        "rmcp::transport::streamable_http_server::session::local",
        `pid:${pid}:u`,
      );
  }
  made.close();
}

describe("the thread of a terminal", () => {
  it("is the one that its process opened, by the log, also without a row", async () => {
    threads();
    opens(A, START_MS + 2_000);
    opens(B, START_MS + 2_500);
    logs([22, START_MS + 2_040], [33, START_MS + 2_480]);
    expect(await offersOf()).toEqual(["exact ab8b"]);
    expect(await offersOf({ process: agent({ pid: 33 }) })).toEqual(["exact 537e"]);
  });

  it("is the latest that it opened: /new moves it on", async () => {
    threads({ id: A, createdAtMs: START_MS + 2_000 });
    opens(A, START_MS + 2_000);
    logs([22, START_MS + 2_040]);
    expect(await offersOf()).toEqual(["exact ab8b"]);
    opens(B, START_MS + 30_000);
    logs([22, START_MS + 30_010]);
    expect(await offersOf()).toEqual(["exact 537e"]);
  });

  it("moves on before the log tells, when its program becomes idle right after the opening", async () => {
    threads({ id: A, createdAtMs: START_MS + 2_000 });
    opens(A, START_MS + 2_000);
    logs([22, START_MS + 2_040]);
    opens(B, START_MS + 30_000);
    expect(await offersOf({ inBand: reported(START_MS + 9_000) })).toEqual(["exact ab8b"]);
    expect(await offersOf({ inBand: reported(START_MS + 30_300, "done") })).toEqual(["exact ab8b"]);
    expect(await offersOf({ inBand: reported(START_MS + 30_300) })).toEqual([
      "created-after-start 537e",
      "same-directory ab8b",
    ]);
  });

  it("stays where it moved while it works and the log still does not tell, and goes back where the log says so", async () => {
    threads({ id: A, createdAtMs: START_MS + 2_000 });
    opens(A, START_MS + 2_000);
    logs([22, START_MS + 2_040]);
    opens(B, START_MS + 30_000);
    const [bound] = (await find({ inBand: reported(START_MS + 30_300) })).candidates;
    const working = { inBand: reported(START_MS + 40_000, "working"), bound: bound! };
    expect(await offersOf(working)).toEqual(["created-after-start 537e", "same-directory ab8b"]);
    logs([33, START_MS + 30_010]);
    expect(await offersOf(working)).toEqual(["exact ab8b"]);
  });

  it("moves on when its title names a thread that nobody is known to have opened, and not the one it left", async () => {
    threads(
      { id: A, createdAtMs: START_MS + 2_000, title: "The old matter" },
      { id: B, createdAtMs: START_MS + 30_000, title: "Another matter" },
    );
    opens(A, START_MS + 2_000);
    logs([22, START_MS + 2_040]);
    opens(B, START_MS + 30_000);
    const inBand = reported(START_MS + 40_000, "working");
    expect(await offersOf({ inBand, title: "⠏ The old matter | p" })).toEqual(["exact ab8b"]);
    expect(await offersOf({ inBand, title: "⠏ Another matter | p" })).toEqual([
      "created-after-start 537e",
      "same-directory ab8b",
    ]);
  });

  it("stays known after the log has forgotten it", async () => {
    threads();
    opens(A, START_MS + 2_000);
    logs([22, START_MS + 2_040]);
    await find();
    rmSync(join(root(), "logs_2.sqlite"));
    expect(await offersOf()).toEqual(["exact ab8b"]);
  });

  it("is the one whose files the process has open, without the shared server", async () => {
    threads({ id: A, createdAtMs: START_MS + 2_000 });
    opens(A, START_MS + 2_000);
    opens(B, START_MS + 9_000);
    const lock = (id: string) => join(root(), "thread-writer-locks", `${id}.lock`);
    openFiles = [
      join(root(), "sessions", "2026", "11", "30", `rollout-2026-11-30T08-54-29-${A}.jsonl`),
      lock(A),
    ];
    expect(await offersOf()).toEqual(["exact ab8b"]);
    openFiles.push(lock(B));
    expect(await offersOf()).toEqual(["exact 537e"]);
  });

  it("is not an older one of the directory: a fresh program shows nothing of it", async () => {
    threads({ id: A, createdAtMs: START_MS - 90_000, updatedAtMs: START_MS + 5_000 });
    opens(A, START_MS - 90_000);
    expect(await offersOf()).toEqual([]);
    opens(B, START_MS + 2_000);
    expect(await offersOf()).toEqual(["created-after-start 537e"]);
  });

  it("is the one that the terminal's title names, when the log has forgotten who opened which", async () => {
    threads(
      { id: A, createdAtMs: START_MS + 2_000, title: "Rename the button" },
      { id: B, createdAtMs: START_MS + 3_000, title: "A very long title that the terminal cuts" },
    );
    opens(A, START_MS + 2_000);
    opens(B, START_MS + 3_000);
    expect(await offersOf({ title: "project" })).toHaveLength(2);
    expect(await offersOf({ title: "⠏ Rename the button | p" })).toEqual(["created-after-start ab8b"]);
    expect(await offersOf({ title: "[ ! ] Action Required | A very long title that the… | p" })).toEqual([
      "created-after-start 537e",
    ]);
  });

  it("is the one that the command names, until something better tells", async () => {
    threads({ id: A, createdAtMs: START_MS - 90_000 }, { id: B, createdAtMs: START_MS - 80_000 });
    opens(A, START_MS - 90_000);
    expect(await offersOf({ words: ["resume", A] })).toEqual(["created-after-start ab8b"]);
    expect(await offersOf({ words: ["fork", A] })).toEqual([]);
  });

  it("is of the directory that the command names", async () => {
    threads(
      { id: A, cwd: "/elsewhere/sub", createdAtMs: START_MS + 1_000 },
      { id: B, createdAtMs: START_MS + 2_000 },
    );
    opens(A, START_MS + 1_000);
    opens(B, START_MS + 2_000);
    expect(await offersOf({ words: ["-C", "sub"], cwd: "/elsewhere" })).toEqual(["created-after-start ab8b"]);
  });

  it("is never archived, never a sub-agent, never one that another process opened", async () => {
    const createdAtMs = START_MS + 1_000;
    threads(
      { id: A, createdAtMs, archived: true },
      { id: B, createdAtMs, source: '{"subagent":{"thread_spawn":{"depth":1}}}' },
      { id: C, createdAtMs },
    );
    for (const id of [A, B, C]) opens(id, createdAtMs);
    logs([33, createdAtMs]);
    expect((await offersOf()).filter((one) => !one.endsWith("52e9"))).toEqual([]);
  });
});

describe("releases that leave no trace of an opening", () => {
  const oldThreads = (...rows: TestThread[]) => {
    const made = database(OLD_THREADS_TABLE);
    for (const row of rows) insert(made, row, true);
    made.close();
  };
  it("are matched by time: begun since first, then used since, nothing older", async () => {
    oldThreads(
      { id: A, createdAtMs: START_MS - 90_000, updatedAtMs: START_MS + 5_000 },
      { id: B, createdAtMs: START_MS + 2_000 },
      { id: C, createdAtMs: START_MS - 90_000 },
    );
    expect((await offersOf()).sort()).toEqual(["created-after-start 537e", "same-directory ab8b"]);
  });
});

describe("where it is looked for", () => {
  it("is where the process itself keeps it", async () => {
    const elsewhere = join(home, "elsewhere");
    threads({ id: A, createdAtMs: START_MS + 1_000 });
    renameSync(root(), elsewhere);
    environ = { HOME: "/nowhere", CODEX_HOME: elsewhere };
    expect(await offersOf()).toEqual(["created-after-start ab8b"]);
  });

  it("is where its configuration puts the databases", async () => {
    threads({ id: A, createdAtMs: START_MS + 1_000 });
    mkdirSync(join(home, "databases"));
    renameSync(join(root(), "state_5.sqlite"), join(home, "databases", "state_5.sqlite"));
    expect(await offersOf()).toEqual([]);
    environ = { HOME: home, CODEX_SQLITE_HOME: join(home, "databases") };
    expect(await offersOf()).toEqual(["created-after-start ab8b"]);
    environ = { HOME: home };
    writeFileSync(
      join(root(), "config.toml"),
      `model = "x"\nsqlite_home = "${join(home, "databases")}"\n[tui]\n`,
    );
    expect(await offersOf()).toEqual(["created-after-start ab8b"]);
  });

  it("is the highest-numbered database, or the one that kolu was told", async () => {
    threads({ id: A, createdAtMs: START_MS + 1_000 });
    const newer = database(THREADS_TABLE, "state_12.sqlite");
    insert(newer, { id: B, createdAtMs: START_MS + 1_000 });
    newer.close();
    expect(await offersOf()).toEqual(["created-after-start 537e"]);
    overrides = { KOLU_CODEX_DB: join(root(), "state_5.sqlite") };
    expect(await offersOf()).toEqual(["created-after-start ab8b"]);
  });

  it("is said when the environment is hidden", async () => {
    environ = null;
    expect((await find()).missing.join("\n")).toContain("environment of process 22 is hidden");
  });
});

describe("a database that cannot be read", () => {
  const cases: Record<string, [make: () => void, sentence: RegExp]> = {
    "is not there yet": [() => {}, /no state_<n>\.sqlite in .*\.codex/],
    "is half-migrated: no table": [
      () => database("CREATE TABLE other (x)").close(),
      /"threads" has no column id/,
    ],
    "has a column under another name": [
      () => database(THREADS_TABLE.replace("rollout_path", "rollout_file")).close(),
      /state_5\.sqlite: the table "threads" has no column rollout_path.*KOLU_CODEX_DB/,
    ],
    "is no database": [
      () => writeFileSync(join(root(), "state_5.sqlite"), "x".repeat(4_096)),
      /state_5\.sqlite/,
    ],
  };
  for (const [title, [make, sentence]] of Object.entries(cases)) {
    it(`${title}: no match, and a sentence that says so`, async () => {
      make();
      opens(A, START_MS + 2_000);
      const found = await find();
      expect(found.candidates).toEqual([]);
      expect(found.missing.join("\n")).toMatch(sentence);
      expect(found.watchPaths.length).toBeGreaterThan(1);
    });
  }

  it("is locked: what was read stands", async () => {
    threads({ id: A, createdAtMs: START_MS + 1_000 });
    expect(await offersOf()).toEqual(["created-after-start ab8b"]);
    const writer = new DatabaseSync(join(root(), "state_5.sqlite"));
    writer.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE threads SET title = 'b'");
    utimesSync(join(root(), "state_5.sqlite"), 1, 1);
    writeFileSync(join(root(), "state_5.sqlite-wal"), "");
    expect(await offersOf()).toEqual(["created-after-start ab8b"]);
    const anew = await findSessions(
      { chain: [agent()], agent: agent(), invocation: null, cwd: "/p", processes },
      {},
      createStore(),
    );
    expect(anew.missing.join("\n")).toContain("locked");
    writer.close();
  });

  it("was replaced: the new one counts", async () => {
    threads({ id: A, createdAtMs: START_MS + 1_000 });
    await find();
    rmSync(join(root(), "state_5.sqlite"));
    threads({ id: B, createdAtMs: START_MS + 1_000 });
    expect(await offersOf()).toEqual(["created-after-start 537e"]);
  });
});
