import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findInvocation, shellWords } from "@kolu/anyagent/command-line.ts";
import type { SessionSearch } from "@kolu/anyagent/plugin.ts";
import type { ProcessEntry, ProcessFacts } from "@kolu/anyagent/process-tree.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSessionFinder, rowOf } from "./find.ts";
import { placesOf, projectDirName } from "./places.ts";
import { grokVocab } from "./vocab.ts";

const NOW_MS = Date.parse("2026-11-30T10:00:00Z");
const STARTED_AT_MS = NOW_MS - 60_000;
let home: string;
let living: Map<number, ProcessEntry>;
let hidden: boolean;

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), "grok-find-")));
  living = new Map();
  hidden = false;
});
afterEach(() => rm(home, { recursive: true }));

const process = (pid: number, more: Partial<ProcessEntry> = {}): ProcessEntry => {
  const entry = {
    pid,
    parentPid: 1,
    groupPid: pid,
    name: "grok",
    startTime: "1",
    startedAtMs: STARTED_AT_MS,
  };
  living.set(pid, { ...entry, ...more });
  return living.get(pid)!;
};
const processes: ProcessFacts = {
  foregroundTree: async () => [],
  entry: async (pid) => living.get(pid) ?? null,
  environ: async () =>
    hidden ? { kind: "hidden", reason: "EACCES" } : { kind: "known", value: { HOME: home } },
  argv: async () => ({ kind: "hidden", reason: "" }),
  cwd: async () => ({ kind: "hidden", reason: "" }),
  tty: async () => ({ kind: "hidden", reason: "" }),
  openFiles: async () => ({ kind: "hidden", reason: "" }),
};
const cwd = () => join(home, "my project");
const find = (
  chain: ProcessEntry[],
  { line = "grok", ...more }: Partial<SessionSearch> & { line?: string } = {},
  finder = createSessionFinder({}, () => NOW_MS),
) => {
  const invocation = findInvocation(shellWords(line), [grokVocab]);
  const agent = chain.find((one) => one.name === "grok") ?? null;
  return finder.find({ chain, agent, invocation, cwd: cwd(), processes, ...more });
};
const iso = (ms: number) => new Date(ms).toISOString();
const put = async (path: string, text: string) => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
};
const row = (pid: number, sessionId: string, openedAtMs = STARTED_AT_MS + 3_000) => {
  return { session_id: sessionId, pid, cwd: cwd(), opened_at: iso(openedAtMs) };
};
const putList = (...rows: object[]) => put(join(home, ".grok", "active_sessions.json"), JSON.stringify(rows));
const projectDir = () => join(home, ".grok", "sessions", projectDirName(cwd()));
const putSession = (id: string, more: object = {}, dir = projectDir()) => {
  const summary = {
    info: { id, cwd: cwd() },
    created_at: iso(NOW_MS - 30_000),
    updated_at: iso(NOW_MS),
    ...more,
  };
  return put(join(dir, id, "summary.json"), JSON.stringify(summary));
};
const keys = (found: { candidates: { key: string }[] }) => found.candidates.map(({ key }) => key);

describe("the session of a terminal", () => {
  it("is the one that the list names beside a process of its tree", async () => {
    await putSession("a");
    await putSession("b");
    await putList(row(7, "a"), row(22, "b"));
    const found = await find([process(20, { name: "script" }), process(22)]);
    expect(found.candidates).toMatchObject([
      { key: "b", evidence: "exact", process: { pid: 22 }, locator: join(projectDir(), "b") },
    ]);
  });

  it("is named before its directory is there", async () => {
    await putList(row(22, "b"));
    expect((await find([process(22)])).candidates).toMatchObject([
      { key: "b", locator: join(projectDir(), "b") },
    ]);
  });

  it("is none of an earlier process with that pid", async () => {
    await putSession("a", { created_at: iso(STARTED_AT_MS - 9_000) });
    await putList(row(22, "a", STARTED_AT_MS - 60_000));
    const found = await find([process(22, { startedAtMs: NOW_MS - 5_000 })]);
    expect(keys(found)).toEqual([]);
    expect(found.missing.join("\n")).toContain("earlier process 22");
  });

  it("is the newest row where several name its pid", () => {
    const list = [1, 3, 2].map((at) => {
      return { sessionId: `s${at}`, pid: 22, cwd: null, openedAtMs: STARTED_AT_MS + at };
    });
    expect(rowOf(list, process(22))?.sessionId).toBe("s3");
  });

  it("is kept under GROK_HOME, and where kolu is told to look", async () => {
    expect(placesOf({ HOME: "/h", GROK_HOME: "/g" }, {}).sessionsDir).toBe("/g/sessions");
    expect(placesOf({ HOME: "/h" }, { KOLU_GROK_DIR: "/k" }).activeSessionsPath).toBe(
      "/k/active_sessions.json",
    );
    expect(placesOf({ HOME: "/h" }, {}).sessionsDir).toBe("/h/.grok/sessions");
  });

  it("is looked for where its command says when the environment is hidden", async () => {
    hidden = true;
    await put(join(home, "other", "active_sessions.json"), JSON.stringify([row(22, "a")]));
    const found = await find([process(22)], { line: `GROK_HOME=${join(home, "other")} grok` });
    expect(keys(found)).toEqual(["a"]);
    expect(found.missing.join("\n")).toContain("hidden (EACCES)");
  });
});

describe("a session of a process that the list does not name", () => {
  it("is the newest that began after it, before any older one", async () => {
    await putSession("old", { created_at: iso(STARTED_AT_MS - 60_000), updated_at: iso(NOW_MS + 1) });
    await putSession("new");
    const { candidates } = await find([process(22)]);
    expect(candidates.map(({ key, evidence }) => [key, evidence])).toEqual([
      ["old", "same-directory"],
      ["new", "created-after-start"],
    ]);
  });

  it("is no older one while its row may still come", async () => {
    await putSession("old", { created_at: iso(STARTED_AT_MS - 60_000) });
    expect(keys(await find([process(22, { startedAtMs: NOW_MS - 3_000 })]))).toEqual([]);
    expect(keys(await find([process(22)]))).toEqual(["old"]);
  });

  it("is any where kolu is told to look", async () => {
    await putSession("old", { created_at: iso(STARTED_AT_MS - 60_000) });
    const finder = createSessionFinder({ KOLU_GROK_DIR: join(home, ".grok") }, () => NOW_MS);
    expect(keys(await find([process(22, { startedAtMs: NOW_MS })], {}, finder))).toEqual(["old"]);
  });

  it("is none that a living process of another terminal is in; a dead one's is free", async () => {
    await putSession("theirs");
    await putSession("left");
    await putList(row(7, "theirs"), row(8, "left"));
    process(7);
    expect(keys(await find([process(22)]))).toEqual(["left"]);
  });

  it("is no sub-agent's, nothing half-written and no other file", async () => {
    await putSession("child", { session_kind: "subagent" });
    await put(join(projectDir(), "torn", "summary.json"), '{"info":{"id":"to');
    await put(join(projectDir(), "prompt_history.jsonl"), "{}\n");
    await mkdir(join(projectDir(), "empty"));
    expect(keys(await find([process(22)]))).toEqual([]);
  });

  it("is found in a directory by its physical name, by --cwd, and by a shortened name", async () => {
    await putSession("here");
    await mkdir(cwd());
    await symlink(cwd(), join(home, "link"));
    expect(keys(await find([process(22)], { cwd: join(home, "link") }))).toEqual(["here"]);
    expect(keys(await find([process(22)], { cwd: home, line: "grok --cwd 'my project'" }))).toEqual(["here"]);
    const long = `/${"x".repeat(300)}`;
    const dir = join(home, ".grok", "sessions", "xxx-5a17");
    await put(join(dir, ".cwd"), long);
    await putSession("far", {}, dir);
    expect(keys(await find([process(22)], { cwd: long }))).toEqual(["far"]);
  });

  it("is said to be missing with the path, and watched for", async () => {
    const { missing, watchPaths } = await find([process(22)]);
    const list = join(home, ".grok", "active_sessions.json");
    expect(missing.join("\n")).toContain(`${list} does not name process 22`);
    expect(watchPaths).toEqual([list, join(home, ".grok", "sessions")]);
  });

  it("is none, with a clear sentence, when the list is torn or cannot be read", async () => {
    await put(join(home, ".grok", "active_sessions.json"), '[{"session_id":"a","pi');
    expect((await find([process(22)])).missing.join("\n")).toContain("cannot be read as a list");
    await rm(join(home, ".grok", "active_sessions.json"));
    await mkdir(join(home, ".grok", "active_sessions.json"));
    const found = await find([process(22)]);
    expect(found.candidates).toEqual([]);
    expect(found.missing.join("\n")).toContain("cannot read");
  });

  it("costs no reading of summaries that did not change", async () => {
    const finder = createSessionFinder({}, () => NOW_MS);
    await putSession("a");
    expect(keys(await find([process(22)], {}, finder))).toEqual(["a"]);
    // Were it read again, it could not be.
    if (globalThis.process.getuid?.() !== 0) await chmod(join(projectDir(), "a", "summary.json"), 0);
    expect(keys(await find([process(22)], {}, finder))).toEqual(["a"]);
    await putSession("a2", { updated_at: iso(NOW_MS + 5) });
    expect(keys(await find([process(22)], {}, finder))).toEqual(["a2", "a"]);
  });
});

describe("the name of a project's directory", () => {
  it.each([
    ["/tmp/demo-b/project-a", "%2Ftmp%2Fdemo-b%2Fproject-a"],
    ["/a b/(c)'!*~._", "%2Fa%20b%2F%28c%29%27%21%2A~._"],
    ["/語", "%2F%E8%AA%9E"],
  ])("%s is encoded", (path, name) => {
    expect(projectDirName(path)).toBe(name);
  });
});
