import { mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { arbitrate } from "@kolu/anyagent/arbiter.ts";
import type { ScreenFinding, SessionSearch } from "@kolu/anyagent/plugin.ts";
import type { ProcessEntry, ProcessFacts } from "@kolu/anyagent/process-tree.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chooserOf, claimsOf, databasePathOf, findSessions, isSettled, type Sight } from "./find.ts";
import { START_PAGE } from "./screen.ts";
import { CWD, STARTED_AT_MS, sessionRow } from "./test-rows.ts";

describe("the database is where that process has it", () => {
  const cases: Record<string, [environ: Record<string, string>, path: string | null]> = {
    "by default": [{ HOME: "/h" }, "/h/.local/share/opencode/opencode.db"],
    "in a data directory of its own": [{ HOME: "/h", XDG_DATA_HOME: "/x" }, "/x/opencode/opencode.db"],
    "under another name": [{ HOME: "/h", OPENCODE_DB: "mine.db" }, "/h/.local/share/opencode/mine.db"],
    elsewhere: [{ HOME: "/h", OPENCODE_DB: "/y/mine.db" }, "/y/mine.db"],
    "in memory": [{ HOME: "/h", OPENCODE_DB: ":memory:" }, null],
  };
  for (const [title, [environ, path]] of Object.entries(cases)) {
    it(title, () => expect(databasePathOf(environ, {})).toBe(path));
  }
  it("unless kolu was told", () => {
    expect(databasePathOf({ OPENCODE_DB: "/y/mine.db" }, { KOLU_OPENCODE_DB: "/k.db" })).toBe("/k.db");
  });
});

describe("how a command chooses a conversation", () => {
  const cases: Record<string, Partial<ReturnType<typeof chooserOf>>> = {
    opencode: { kind: "fresh", directory: null },
    "opencode ../other": { kind: "fresh", directory: "../other" },
    "opencode -m anthropic/opus -c": { kind: "latest", directory: null },
    "opencode --session ses_1 .": { kind: "exact", sessionId: "ses_1", directory: "." },
    "opencode --session=ses_1": { kind: "exact", sessionId: "ses_1" },
    "opencode -s ses_1 --fork": { kind: "fresh", sessionId: null },
    "opencode --prompt hello --agent plan": { kind: "fresh", directory: null },
    "opencode -s": { kind: "fresh" },
  };
  for (const [line, chooser] of Object.entries(cases)) {
    it(line, () => expect(chooserOf(line.split(" "))).toMatchObject(chooser));
  }
  it("is not known without its words", () => expect(chooserOf(null).kind).toBe("unknown"));
});

const process = (more: Partial<ProcessEntry> = {}): ProcessEntry => ({
  pid: 22,
  parentPid: 1,
  groupPid: 22,
  name: "opencode",
  startTime: "1",
  startedAtMs: STARTED_AT_MS,
  ...more,
});
const sight = (more: Partial<Sight> = {}): Sight => ({
  chooser: chooserOf(["opencode"]),
  process: process(),
  title: null,
  screen: null,
  heldId: null,
  ...more,
});
const own = sessionRow({ id: "ses_own", title: "Own", createdAtMs: STARTED_AT_MS + 5_000 });
const older = sessionRow({
  id: "ses_older",
  title: "Older",
  createdAtMs: STARTED_AT_MS - 90_000,
  updatedAtMs: STARTED_AT_MS - 50_000,
});
const page: ScreenFinding = { name: START_PAGE, state: "waiting", awaiting: null };
const evidence = (sessions: Parameters<typeof claimsOf>[0], at: Partial<Sight>) =>
  Object.fromEntries(claimsOf(sessions, sight(at)).map((claim) => [claim.session.id, claim.evidence]));

describe("which sessions could be a terminal's", () => {
  const latest = chooserOf(["opencode", "-c"]);
  const olderNow = { ...older, updatedAtMs: STARTED_AT_MS + 9_000 };
  const cases: Record<string, [Parameters<typeof claimsOf>[0], Partial<Sight>, Record<string, string>]> = {
    "one begun since, not one from before": [[own, older], {}, { ses_own: "created-after-start" }],
    "an older one for a command that goes on": [
      [older],
      { chooser: latest },
      { ses_older: "same-directory" },
    ],
    "an older one when the command is not known": [
      [older],
      { chooser: chooserOf(null) },
      { ses_older: "same-directory" },
    ],
    "an older one when no start is known": [
      [older],
      { process: process({ startedAtMs: null }) },
      { ses_older: "same-directory" },
    ],
    "none while the start page is shown": [[own, older], { screen: page }, {}],
    "the one that the command names": [
      [own, older],
      { chooser: chooserOf(["opencode", "-s", "ses_older"]) },
      { ses_older: "exact" },
    ],
    "the one that the title names, and that was worked in": [
      [own, olderNow],
      { title: "OC | Older" },
      { ses_older: "exact" },
    ],
    "the one that the title names, opened only": [
      [own, older],
      { title: "OC | Older" },
      { ses_older: "same-directory" },
    ],
    "any of two that have the title": [
      [own, { ...own, id: "ses_twin" }, older],
      { title: "OC | Own" },
      { ses_own: "created-after-start", ses_twin: "created-after-start" },
    ],
    "all when the title names none": [[own], { title: "OC | Gone" }, { ses_own: "created-after-start" }],
    "all when the title is the shell's": [[own], { title: "~/project" }, { ses_own: "created-after-start" }],
    "another than the command named, once it was moved to": [
      [own, older],
      { chooser: chooserOf(["opencode", "-s", "ses_older"]), title: "OC | Own" },
      { ses_own: "exact" },
    ],
    "the one that it was in, while nothing names another": [
      [own, olderNow],
      { heldId: "ses_older", title: "OpenCode" },
      { ses_older: "exact" },
    ],
    "… also for a command that named another": [
      [own, olderNow],
      { chooser: chooserOf(["opencode", "-s", "ses_own"]), heldId: "ses_older" },
      { ses_older: "exact" },
    ],
    "the one that it has moved to, and hardly the one that it left": [
      [own, olderNow],
      { heldId: "ses_older", title: "OC | Own" },
      { ses_own: "exact", ses_older: "same-directory" },
    ],
  };
  for (const [title, [sessions, at, expected]] of Object.entries(cases)) {
    it(title, () => expect(evidence(sessions, at)).toEqual(expected));
  }

  it("need no second look once one is certain or alone", () => {
    expect(isSettled(claimsOf([own], sight()))).toBe(true);
    expect(isSettled(claimsOf([own, { ...own, id: "ses_twin" }], sight()))).toBe(false);
    expect(isSettled(claimsOf([older], sight({ chooser: latest })))).toBe(false);
  });
});

describe("two terminals in one directory", () => {
  const mine = { ...own, id: "ses_a", title: "Mine" };
  const yours = { ...own, id: "ses_b", title: "Yours", updatedAtMs: STARTED_AT_MS + 9_000 };
  const bind = (sights: Record<string, Partial<Sight>>, held: Record<string, string> = {}) => {
    const terminals = Object.entries(sights).map(([terminalId, at]) => ({
      terminalId,
      heldKey: held[terminalId] ?? null,
      claims: claimsOf([mine, yours], sight(at)).map((claim) => ({
        key: claim.session.id,
        evidence: claim.evidence,
        updatedAtMs: claim.session.updatedAtMs,
      })),
    }));
    return Object.fromEntries(arbitrate(terminals));
  };

  it("never share a session", () => {
    const bound = Object.values(bind({ one: {}, two: {}, three: {} }));
    expect(bound).toHaveLength(2);
    expect(new Set(bound).size).toBe(2);
  });

  it("have each its own where their titles tell", () => {
    const titles = { one: { title: "OC | Yours" }, two: { title: "OC | Mine" } };
    expect(bind(titles)).toEqual({ one: "ses_b", two: "ses_a" });
    expect(bind(titles, { one: "ses_a", two: "ses_b" })).toEqual({ one: "ses_b", two: "ses_a" });
  });

  it("are not confused with one that still shows its start page", () => {
    expect(bind({ one: { screen: page }, two: {} })).toEqual({ two: "ses_b" });
  });
});

describe("the search", () => {
  let dir: string;
  beforeEach(async () => {
    dir = await realpath(await mkdtemp(join(tmpdir(), "find-")));
  });
  afterEach(() => rm(dir, { recursive: true }));

  const search = (
    more: Partial<SessionSearch> = {},
    environ: Record<string, string> | null = { HOME: "/h" },
  ) => {
    const processes: ProcessFacts = {
      foregroundTree: async () => [],
      entry: async () => null,
      environ: async () =>
        environ === null ? { kind: "hidden", reason: "EACCES" } : { kind: "known", value: environ },
      argv: async () => ({ kind: "known", value: ["opencode"] }),
      cwd: async () => ({ kind: "hidden", reason: "" }),
      tty: async () => ({ kind: "hidden", reason: "" }),
      openFiles: async () => ({ kind: "hidden", reason: "" }),
    };
    return { chain: [process()], agent: process(), invocation: null, cwd: CWD, processes, ...more };
  };

  it("looks for the directory as it is written and as it is", async () => {
    await mkdir(join(dir, "real"));
    await symlink(join(dir, "real"), join(dir, "link"));
    const asked: unknown[] = [];
    const list = async (path: string, wanted: unknown) => {
      asked.push(path, wanted);
      return { ok: true as const, value: [own] };
    };
    const found = await findSessions(search({ cwd: join(dir, "link") }), {}, list);
    expect(asked).toEqual([
      "/h/.local/share/opencode/opencode.db",
      { directories: [join(dir, "link"), join(dir, "real")], id: null },
    ]);
    expect(found.candidates).toMatchObject([{ key: "ses_own", process: null }]);
    expect(found.watchPaths).toEqual([]);
  });

  it("says what it did not find, and where to look again", async () => {
    const found = await findSessions(search({}, null), {}, async () => ({ ok: true, value: [] }));
    expect(found.missing.join("\n")).toMatch(/environment of process 22 is hidden[\s\S]*has no session of/);
    expect(found.watchPaths.map((path) => path.replace(/.*\./, ""))).toEqual(["db", "db-wal"]);
    const reason = "/h/opencode.db: database is locked";
    const locked = await findSessions(search(), {}, async () => ({ ok: false, isLocked: true, reason }));
    expect(locked).toMatchObject({ candidates: [], missing: [reason] });
  });

  it("reads the screen only when it could tell sessions apart", async () => {
    let readings = 0;
    const readScreen = async () => {
      readings += 1;
      return page;
    };
    const list = (sessions: (typeof own)[]) => async () => ({ ok: true as const, value: sessions });
    expect((await findSessions(search({ readScreen }), {}, list([]))).candidates).toEqual([]);
    const named = search({ readScreen, title: "OC | Own" });
    expect((await findSessions(named, {}, list([own]))).candidates).toMatchObject([{ evidence: "exact" }]);
    expect(readings).toBe(0);
    expect((await findSessions(search({ readScreen }), {}, list([own]))).candidates).toEqual([]);
    expect(readings).toBe(1);
  });
});
