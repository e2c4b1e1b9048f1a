import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionSearch } from "@kolu/anyagent/plugin.ts";
import type { ProcessEntry, ProcessFacts } from "@kolu/anyagent/process-tree.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findSessions, namesProcess, placesOf, projectDirName } from "./find.ts";
import { statusFile } from "./test-entries.ts";

let home: string;
let environs: Map<number, Record<string, string>>;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "find-"));
  await mkdir(join(home, ".claude", "sessions"), { recursive: true });
  environs = new Map();
});
afterEach(() => rm(home, { recursive: true }));

const process = (pid: number, name: string, startTime = "309292"): ProcessEntry => {
  return { pid, parentPid: 1, groupPid: pid, name, startTime, startedAtMs: null };
};
const processes: ProcessFacts = {
  foregroundTree: async () => [],
  entry: async () => null,
  environ: async (pid) => {
    const value = environs.get(pid);
    return value === undefined ? { kind: "hidden", reason: "EACCES" } : { kind: "known", value };
  },
  argv: async () => ({ kind: "hidden", reason: "" }),
  cwd: async () => ({ kind: "hidden", reason: "" }),
  tty: async () => ({ kind: "hidden", reason: "" }),
  openFiles: async () => ({ kind: "hidden", reason: "" }),
};
const search = (chain: ProcessEntry[], overrides: Record<string, string> = {}) => {
  for (const { pid } of chain) if (!environs.has(pid)) environs.set(pid, { HOME: home });
  const agent = chain.find((one) => one.name === "claude") ?? null;
  const request: SessionSearch = { chain, agent, invocation: null, cwd: "/", processes };
  return findSessions(request, overrides);
};
const write = (name: string, text: string, dir = join(home, ".claude", "sessions")) =>
  writeFile(join(dir, name), text);
const fileOf = (pid: number, procStart = "309292") =>
  JSON.stringify({ ...statusFile("idle"), pid, procStart, startedAt: 1, statusUpdatedAt: 2 });

describe("the session of a terminal", () => {
  it("is the one that names a process of its tree, wherever in the tree", async () => {
    await write("22.json", fileOf(22));
    const { candidates } = await search([process(20, "script"), process(21, "sh"), process(22, "claude")]);
    expect(candidates).toMatchObject([{ key: "22@309292", evidence: "exact", process: { pid: 22 } }]);
  });

  it("is none when the file is of an earlier process with that pid", async () => {
    await write("22.json", fileOf(22, "111"));
    const { candidates, missing } = await search([process(22, "claude")]);
    expect(candidates).toEqual([]);
    expect(missing.join("\n")).toContain("earlier process 22");
  });

  it("is none while its file is half-written, missing, or a secret key", async () => {
    await write("22.json", fileOf(22).slice(0, 40));
    await write(`22.${"ab".repeat(32)}.key`, "secret");
    const { candidates, missing, watchPaths } = await search([process(22, "claude")]);
    expect(candidates).toEqual([]);
    expect(missing[0]).toContain(join(home, ".claude", "sessions", "22.json"));
    expect(watchPaths).toEqual([join(home, ".claude", "sessions")]);
  });

  it("is looked for where the process itself keeps it", async () => {
    const elsewhere = join(home, "elsewhere");
    await mkdir(join(elsewhere, "sessions"), { recursive: true });
    await write("22.json", fileOf(22), join(elsewhere, "sessions"));
    environs.set(22, { HOME: "/nowhere", CLAUDE_CONFIG_DIR: elsewhere });
    expect((await search([process(22, "claude")])).candidates).toHaveLength(1);
  });

  it("is looked for where kolu was told to", async () => {
    const elsewhere = join(home, "override");
    await mkdir(elsewhere);
    await write("22.json", fileOf(22), elsewhere);
    const { candidates } = await search([process(22, "claude")], { KOLU_CLAUDE_SESSIONS_DIR: elsewhere });
    expect(candidates[0]?.locator).toBe(join(elsewhere, "22.json"));
  });

  it("says that an environment is hidden", async () => {
    const request = {
      chain: [process(99, "claude")],
      agent: process(99, "claude"),
      invocation: null,
      cwd: "/",
      processes,
    };
    expect((await findSessions(request, {})).missing.join("\n")).toContain(
      "environment of process 99 is hidden",
    );
  });
});

describe("a pid is believed with its start", () => {
  const file = { ...statusFile("idle"), pid: 22 };
  const cases: Record<
    string,
    [procStart: string | null, startTime: string, startedAtMs: number | null, believed: boolean]
  > = {
    "the same ticks": ["309292", "309292", null, true],
    "other ticks": ["309292", "309293", null, false],
    "no ticks on this system, a file from just after the start": [
      null,
      "Mon Nov 30",
      file.startedAtMs! - 800,
      true,
    ],
    "no ticks, a file from long before the start": [null, "Mon Nov 30", file.startedAtMs! + 60_000, false],
  };
  for (const [title, [procStart, startTime, startedAtMs, believed]] of Object.entries(cases)) {
    it(title, () => {
      const entry = { ...process(22, "claude", startTime), startedAtMs };
      expect(namesProcess({ ...file, procStart }, entry)).toBe(believed);
    });
  }
});

it("places follow the configuration directory, and a project's name its path", () => {
  expect(placesOf({ HOME: "/h" }, {}).projectsDir).toBe("/h/.claude/projects");
  expect(placesOf({ HOME: "/h", CLAUDE_CONFIG_DIR: "/c" }, {}).tasksDir).toBe("/c/tasks");
  expect(placesOf({ HOME: "/h" }, { KOLU_CLAUDE_PROJECTS_DIR: "/p" }).projectsDir).toBe("/p");
  expect(projectDirName("/tmp/we.ird_dir x")).toBe("-tmp-we-ird-dir-x");
});
