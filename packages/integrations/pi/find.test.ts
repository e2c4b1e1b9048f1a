import { mkdir, mkdtemp, realpath, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { arbitrate } from "@kolu/anyagent/arbiter.ts";
import { findInvocation, shellWords } from "@kolu/anyagent/command-line.ts";
import type { SessionSearch } from "@kolu/anyagent/plugin.ts";
import type { ProcessEntry, ProcessFacts } from "@kolu/anyagent/process-tree.ts";
import type { ProgramRecord } from "@kolu/contract/program-status.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findSessions } from "./find.ts";
import { dirNameOf, storeOf } from "./store.ts";
import { piVocab } from "./vocab.ts";

const STARTED_AT_MS = Date.parse("2026-11-30T10:00:00.000Z");

describe("the store of one process", () => {
  const question = (changes: {
    environ?: Record<string, string>;
    argv?: string[];
    settings?: Record<string, string>;
    overrides?: Record<string, string>;
  }) =>
    storeOf({
      environ: { HOME: "/h", ...changes.environ },
      argv: changes.argv ?? ["pi"],
      cwd: "/w/p",
      overrides: changes.overrides ?? {},
      readText: (path) => changes.settings?.[path] ?? null,
    });
  const home = "/h/.pi/agent/settings.json";
  const project = "/w/p/.pi/settings.json";
  const says = (sessionDir: string) => JSON.stringify({ sessionDir });
  const all = { PI_CODING_AGENT_SESSION_DIR: "/env", PI_CODING_AGENT_DIR: "/agent" };

  const rows: Record<string, [Parameters<typeof question>[0], string, boolean]> = {
    "by default its own directory below the agent's": [{}, "/h/.pi/agent/sessions/--w-p--", false],
    "the agent's directory moves, and its sessions with it": [
      { environ: { PI_CODING_AGENT_DIR: "/agent" } },
      "/agent/sessions/--w-p--",
      false,
    ],
    "settings of the agent's directory make it flat": [
      { settings: { [home]: says("/flat") } },
      "/flat",
      true,
    ],
    "also of a moved one": [
      { environ: { PI_CODING_AGENT_DIR: "/agent" }, settings: { "/agent/settings.json": says("/flat") } },
      "/flat",
      true,
    ],
    "the project's settings go before them": [
      { settings: { [home]: says("/flat"), [project]: says("/own") } },
      "/own",
      true,
    ],
    "the environment goes before settings": [
      { environ: all, settings: { [project]: says("/own") } },
      "/env",
      true,
    ],
    "the flag goes before all": [
      { environ: all, argv: ["pi", "--session-dir", "/flag"], settings: { [project]: says("/own") } },
      "/flag",
      true,
    ],
    "also with an equals sign": [{ argv: ["pi", "--session-dir=/flag"] }, "/flag", true],
    "an empty variable is none": [
      { environ: { PI_CODING_AGENT_SESSION_DIR: "", PI_CODING_AGENT_DIR: "" } },
      "/h/.pi/agent/sessions/--w-p--",
      false,
    ],
    "a relative one is the working directory's": [{ argv: ["pi", "--session-dir", "rel"] }, "/w/p/rel", true],
    "a tilde is the home": [{ settings: { [home]: says("~/flat") } }, "/h/flat", true],
    "a tilde in the agent's directory too": [
      { environ: { PI_CODING_AGENT_DIR: "~/agent" } },
      "/h/agent/sessions/--w-p--",
      false,
    ],
    "settings that are none are no settings": [
      { settings: { [home]: "{", [project]: "[]" } },
      "/h/.pi/agent/sessions/--w-p--",
      false,
    ],
    "kolu's override stands for the default": [
      { overrides: { KOLU_PI_DIR: "/k" } },
      "/k/sessions/--w-p--",
      false,
    ],
    "and replaces nothing that the process was told": [
      { overrides: { KOLU_PI_DIR: "/k" }, environ: { PI_CODING_AGENT_DIR: "/agent" } },
      "/agent/sessions/--w-p--",
      false,
    ],
  };
  for (const [title, [changes, dir, flat]] of Object.entries(rows)) {
    it(title, () => expect(question(changes)).toEqual({ dir, flat }));
  }

  it("is named after the directory as Pi does it", () => {
    expect(dirNameOf("/tmp/demo-b/we.ird dir:x/a_b")).toBe("--tmp-demo-b-we.ird dir-x-a_b--");
  });
});

describe("the sessions of a terminal", () => {
  let home: string;
  let cwd: string;
  let environ: Record<string, string> | null;
  beforeEach(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), "find-")));
    cwd = join(home, "project");
    await mkdir(cwd);
    environ = { HOME: home };
  });
  afterEach(() => rm(home, { recursive: true }));

  const pi = (startedAtMs: number | null = STARTED_AT_MS, pid = 7): ProcessEntry => {
    return { pid, parentPid: 1, groupPid: pid, name: "pi", startTime: String(pid), startedAtMs };
  };
  const processes: ProcessFacts = {
    foregroundTree: async () => [],
    entry: async () => null,
    environ: async () =>
      environ === null ? { kind: "hidden", reason: "EACCES" } : { kind: "known", value: environ },
    argv: async () => ({ kind: "known", value: ["pi"] }),
    cwd: async () => ({ kind: "hidden", reason: "" }),
    tty: async () => ({ kind: "hidden", reason: "" }),
    openFiles: async () => ({ kind: "hidden", reason: "" }),
  };
  const search = (
    line = "pi",
    changes: Partial<SessionSearch> = {},
    overrides: Record<string, string> = {},
  ) => {
    const agent = changes.agent === undefined ? pi() : changes.agent;
    const invocation = findInvocation(shellWords(line), [piVocab]);
    const chain = agent === null ? [] : [agent];
    return findSessions({ chain, agent, invocation, cwd, processes, ...changes }, overrides);
  };
  /** `began` and `written` in seconds after the start of the process. */
  const write = async (
    id: string,
    began: number,
    written = began,
    changes: { cwd?: string; dir?: string } = {},
  ) => {
    const timestamp = new Date(STARTED_AT_MS + began * 1000).toISOString();
    const dir = changes.dir ?? join(home, ".pi", "agent", "sessions", dirNameOf(cwd));
    const path = join(dir, `${timestamp.replaceAll(/[:.]/g, "-")}_${id}.jsonl`);
    const header = { type: "session", version: 3, id, timestamp, cwd: changes.cwd ?? cwd };
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `${JSON.stringify(header)}\n`);
    const at = new Date(STARTED_AT_MS + written * 1000);
    await utimes(path, at, at);
    return path;
  };
  const offered = async (...args: Parameters<typeof search>) =>
    (await search(...args)).candidates.map(({ key, evidence }) => [key, evidence]);

  it("are those that began after its start", async () => {
    await write("older", -60);
    const own = await write("own", 0.4, 30);
    expect(await offered()).toEqual([[own, "created-after-start"]]);
    expect((await search()).candidates[0]).toMatchObject({ sinceStartMs: 400, process: { pid: 7 } });
  });

  it("are of the directory that its process works in, where the shell's line went there first", async () => {
    const inner = join(cwd, "inner");
    await mkdir(inner);
    const dir = join(home, ".pi", "agent", "sessions", dirNameOf(inner));
    const own = await write("own", 0.4, 30, { cwd: inner, dir });
    await write("beside", 0.4, 30);
    expect(await offered("pi", { processCwd: inner })).toEqual([[own, "created-after-start"]]);
  });

  it("are older ones too when it was told to continue", async () => {
    const older = await write("older", -60);
    expect(await offered("pi -c")).toEqual([[older, "same-directory"]]);
    expect(await offered("pi --continue --model x")).toEqual([[older, "same-directory"]]);
    expect(await offered("pi")).toEqual([]);
    expect(await offered("some-alias")).toEqual([]);
  });

  it("are older ones that were written to since: it was told so by hand", async () => {
    const resumed = await write("resumed", -60, 20);
    expect(await offered()).toEqual([[resumed, "same-directory"]]);
  });

  it("are all of the directory when the start is not known", async () => {
    const older = await write("older", -60);
    expect(await offered("pi", { agent: pi(null) })).toEqual([[older, "same-directory"]]);
  });

  it("are the one that the command names, by its path, its id or the beginning of it", async () => {
    const pointed = async (line: string) =>
      (await search(line)).candidates.filter((one) => one.pointedTo).map((one) => one.key);
    const elsewhere = await write("abc-def", -60, -60, { dir: join(home, "moved"), cwd: "/elsewhere" });
    expect(await pointed(`pi --session ${elsewhere}`)).toEqual([elsewhere]);
    const own = await write("abc-xyz", -60);
    await write("other", -50);
    for (const line of ["--session abc-xyz", "--session abc", "--session-id abc-xyz", `--session ${own}`]) {
      expect(await pointed(`pi ${line}`), line).toEqual([own]);
      expect(await offered(`pi ${line}`), line).toEqual([[own, "same-directory"]]);
    }
    expect(await offered("pi --session nobody")).toEqual([]);
    expect(await offered("pi --session /nowhere/x.jsonl")).toEqual([]);
  });

  it("are attributed by their headers where directories share a name or a store", async () => {
    const flat = join(home, "flat");
    const own = await write("own", 1, 1, { dir: flat });
    await write("other", 2, 2, { dir: flat, cwd: "/other" });
    expect(await offered(`pi --session-dir ${flat}`)).toEqual([[own, "created-after-start"]]);
    await write("alike", 1, 1, { cwd: `${home}-project` });
    expect(await offered()).toEqual([]);
  });

  it("are found through a link, where Pi sees the directory behind it", async () => {
    const own = await write("own", 1);
    await symlink(cwd, join(home, "link"));
    expect(await offered("pi", { cwd: join(home, "link") })).toEqual([[own, "created-after-start"]]);
  });

  it("are in step when one alone was written to as Pi spoke of a turn", async () => {
    const said = (state: ProgramRecord["state"], at: number): ProgramRecord => ({
      id: "",
      app: "pi",
      state,
      kind: null,
      progress: null,
      message: null,
      title: null,
      updatedAtMs: STARTED_AT_MS + at * 1000,
    });
    const inStep = async (record: ProgramRecord) => {
      const { candidates } = await search("pi", { inBand: [record] });
      return candidates.filter((one) => one.pointedTo).map((one) => one.key);
    };
    await write("own", 0.4, 30);
    const renewed = await write("renewed", 90, 100);
    expect(await inStep(said("working", 100.1))).toEqual([renewed]);
    expect(await inStep(said("done", 99.9))).toEqual([renewed]);
    expect(await inStep(said("working", 102))).toEqual([]);
    expect(await inStep(said("blocked", 100.1))).toEqual([]);
    await write("another", 91, 100.2);
    expect(await inStep(said("working", 100.1))).toEqual([]);
  });

  it("are none while only the shell is there, and a runtime's that has no name yet", async () => {
    const older = await write("older", -60);
    const shell = { ...pi(STARTED_AT_MS - 3_600_000, 5), name: "bash" };
    expect((await search("pi -c", { agent: null, chain: [shell] })).candidates).toEqual([]);
    const node = { ...pi(STARTED_AT_MS, 7), name: "MainThread" };
    const { candidates } = await search("pi -c", { agent: null, chain: [shell, node] });
    expect(candidates).toMatchObject([{ key: older, process: { pid: 7 } }]);
  });

  it("are none for a process that keeps none, and the reason is said", async () => {
    await write("own", 1);
    const { candidates, missing } = await search("pi --no-session");
    expect(candidates).toEqual([]);
    expect(missing.join()).toContain("--no-session");
  });

  it("are looked for in the default place when the environment is hidden, which is said", async () => {
    environ = null;
    const own = await write("own", 1, 1, { dir: join(home, "k", "sessions", dirNameOf(cwd)) });
    const found = await search("pi", {}, { KOLU_PI_DIR: join(home, "k") });
    expect(found.candidates.map((one) => one.key)).toEqual([own]);
    expect(found.missing.join()).toContain("EACCES");
  });

  it("are watched for where they will appear", async () => {
    const dir = join(home, ".pi", "agent", "sessions", dirNameOf(cwd));
    expect(await search()).toMatchObject({ candidates: [], watchPaths: [dir] });
    expect((await search()).missing.join()).toContain(dir);
  });

  it("are dealt each to its own of two terminals, whichever was prompted first", async () => {
    const second = { ...pi(STARTED_AT_MS + 3_000, 8) };
    const deal = async () => {
      const claims = await Promise.all([search(), search("pi", { agent: second })]);
      const terminals = claims.map(({ candidates }, at) => ({
        terminalId: at === 0 ? "first" : "second",
        heldKey: null,
        claims: candidates,
      }));
      return Object.fromEntries(arbitrate(terminals));
    };
    const ofSecond = await write("b", 3.4, 20);
    expect(await deal()).toEqual({ second: ofSecond });
    const ofFirst = await write("a", 0.4, 40);
    expect(await deal()).toEqual({ first: ofFirst, second: ofSecond });
  });
});
