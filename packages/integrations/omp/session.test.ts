import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { LiveSignals, SessionHost, SessionSearch } from "@kolu/anyagent/plugin.ts";
import type { ProcessEntry, ProcessFacts, Visible } from "@kolu/anyagent/process-tree.ts";
import { answer, header, prompt } from "@kolu/entry-log/test-entries.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseBreadcrumb } from "./breadcrumb.ts";
import { findSessions } from "./find.ts";
import { openSession } from "./session.ts";

const STARTED_AT_MS = Date.parse("2026-11-30T10:00:00.000Z");

let home: string;
let argv: string[];
let environ: Visible<Record<string, string>>;
let tty: Visible<string>;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "omp-"));
  argv = ["bun", "/bin/omp"];
  environ = { kind: "known", value: { HOME: home } };
  tty = { kind: "known", value: "/dev/pts/3" };
});
afterEach(() => rm(home, { recursive: true }));

const omp: ProcessEntry = {
  pid: 7,
  parentPid: 1,
  groupPid: 7,
  name: "omp",
  startTime: "7",
  startedAtMs: STARTED_AT_MS,
};
const processes: ProcessFacts = {
  foregroundTree: async () => [],
  entry: async () => null,
  environ: async () => environ,
  argv: async () => ({ kind: "known", value: argv }),
  cwd: async () => ({ kind: "hidden", reason: "" }),
  tty: async () => tty,
  openFiles: async () => ({ kind: "hidden", reason: "" }),
};
const search = (agent: ProcessEntry | null = omp, hidesEnvironments = false) => {
  const request: SessionSearch = { chain: [omp], agent, invocation: null, cwd: home, processes };
  return findSessions(request, { overrides: {}, hidesEnvironments });
};
const host: SessionHost = {
  files: { watch: () => () => {}, dispose: () => {} },
  changed: () => {},
  log: (message, cause) => {
    throw new Error(message, { cause });
  },
};
const live: LiveSignals = { inBand: [], title: null, screen: null, nowMs: STARTED_AT_MS + 60_000 };
const breadcrumb = (): string => join(home, ".omp", "agent", "terminal-sessions", "pts-3");

/** `at` in seconds after the start of the process. */
async function writeCrumb(text: string, at = 1): Promise<void> {
  await mkdir(dirname(breadcrumb()), { recursive: true });
  await writeFile(breadcrumb(), text);
  const time = new Date(STARTED_AT_MS + at * 1000);
  await utimes(breadcrumb(), time, time);
}
const titleLine = (title: string) =>
  `${JSON.stringify({ type: "title", v: 1, title, pad: "" }).padEnd(255)}\n`;
async function opened() {
  const { candidates } = await search();
  const session = openSession(candidates[0]!, host);
  await session.refresh();
  return session;
}

describe("the process of a terminal", () => {
  it("is the candidate, with the breadcrumb of its terminal", async () => {
    expect((await search()).candidates).toMatchObject([
      { key: "7@7", evidence: "exact", locator: breadcrumb(), process: { pid: 7 } },
    ]);
  });

  it("publishes nothing of a place that is not known, and says why", async () => {
    const nothing = async (why: string, ...args: Parameters<typeof search>) => {
      const { candidates, missing } = await search(...args);
      expect(candidates).toEqual([]);
      expect(missing.join()).toContain(why);
    };
    await nothing("is starting", null);
    tty = { kind: "known", value: "pipe:[1]" };
    await nothing("no terminal");
    tty = { kind: "hidden", reason: "ENOENT" };
    await nothing("ENOENT");
    argv = ["omp", "--profile", "Bad"];
    await nothing("Bad");
    environ = { kind: "hidden", reason: "EACCES" };
    await nothing("EACCES");
  });

  it("is looked for in its default place where the system hides every environment", async () => {
    environ = { kind: "hidden", reason: "macOS" };
    expect((await search(omp, true)).candidates).toHaveLength(1);
  });
});

describe("its session", () => {
  it("is the one that the breadcrumb names, and another one after /new", async () => {
    const [first, second] = [join(home, "a.jsonl"), join(home, "b.jsonl")];
    await writeFile(first, `${titleLine("One")}${header("a")}\n${prompt()}\n${answer("stop")}\n`);
    await writeCrumb(`/work\n${first}\ncwdstat 1 2\n`);
    const session = await opened();
    expect(session.report(live)).toMatchObject({ sessionId: "a", sessionPath: first, title: "One" });
    await writeFile(second, `${titleLine("")}${header("b")}\n`);
    await writeCrumb(`/work\n${second}\ncwdstat 1 2\n`);
    await session.refresh();
    expect(session.report(live)).toMatchObject({ sessionId: "b", title: null, prompted: false, model: null });
    session.close();
  });

  it("takes a new title that is written into its slot, and a log that was replaced", async () => {
    const path = join(home, "a.jsonl");
    const rest = `${header("a")}\n${prompt()}\n${answer("stop")}\n`;
    await writeFile(path, titleLine("One") + rest);
    await writeCrumb(`/work\n${path}\n`);
    const session = await opened();
    await writeFile(path, titleLine("Two") + rest);
    await session.refresh();
    expect(session.report(live)).toMatchObject({ title: "Two", state: "waiting", malformedRecords: 0 });
    await writeFile(`${path}.new`, `${titleLine("Two")}${header("a")}\n${prompt()}\n`);
    await rename(`${path}.new`, path);
    await session.refresh();
    expect(session.report({ ...live, title: null }).signals[0]?.value).toContain("a prompt");
    session.close();
  });

  it("is none while the breadcrumb is another program's, or there is no file yet", async () => {
    const path = join(home, "a.jsonl");
    await writeFile(path, `${titleLine("One")}${header("a")}\n${prompt()}\n`);
    await writeCrumb(`/work\n${path}\n`, -60);
    const session = await opened();
    expect(session.report(live)).toMatchObject({ sessionId: null, title: null });
    expect(session.report(live).missing.join()).toContain("not written by this process");
    await writeCrumb(`/work\n${join(home, "none.jsonl")}\nfresh\n`);
    await session.refresh();
    const fresh = session.report({ ...live, title: "π ⠧ project" });
    expect(fresh).toMatchObject({ sessionId: null, sessionPath: null, state: "thinking", source: "title" });
    session.close();
  });

  it("is none of a process that keeps none, whatever breadcrumb lies there", async () => {
    argv = ["omp", "--no-session"];
    await writeCrumb(`/work\n${join(home, "a.jsonl")}\n`);
    const session = await opened();
    expect(session.report({ ...live, title: "π > x" })).toMatchObject({ sessionId: null, state: "waiting" });
    session.close();
  });
});

describe("a breadcrumb", () => {
  it("is resolved against its own directory, and none while it is half-written", () => {
    expect(parseBreadcrumb("/w\nrel/s.jsonl\nfresh\ncwdstat 1 2\n")).toEqual({
      cwd: "/w",
      sessionPath: "/w/rel/s.jsonl",
      fresh: true,
    });
    for (const text of ["", "/w", "/w\n", "/w\n/s.js", "w\n/s.jsonl\n"]) {
      expect(parseBreadcrumb(text), text).toBeNull();
    }
  });
});
