import type { DirectoryLook, LaunchChoices } from "@kolu/contract/launch.ts";
import { expect, test } from "vitest";
import { gitForTest, recordForTest } from "../store/record-for-test.ts";
import { type Draft, fieldOf, isInWorktree, placesKnown, runOptions, wishOf } from "./draft.ts";
import { homeRelative } from "./paths.ts";

const DRAFT: Draft = {
  where: "~/shop",
  inWorktree: null,
  name: null,
  base: null,
  run: { kind: "shell" },
  firstPrompt: "",
};
const REPO: DirectoryLook = {
  kind: "repository",
  path: "/home/me/shop/src",
  mainRoot: "/home/me/shop",
  name: "shop",
  branch: "main",
  base: "main",
  branches: ["main", "next"],
  freshName: "calm-otter",
};
const CHOICES: LaunchChoices = {
  home: "/home/me",
  host: "desk",
  agents: [
    { kind: "claude-code", program: "claude", installed: false, install: "npm i" },
    { kind: "codex", program: "codex", installed: true, install: null },
  ],
  repos: [{ root: "/home/me/atlas", name: "atlas" }],
};
const AGENT: Draft = { ...DRAFT, run: { kind: "agent", agent: "codex" } };

test("a plain shell opens where it was asked for", () => {
  expect(wishOf(DRAFT, REPO, CHOICES)).toEqual({ cwd: "/home/me/shop/src" });
});

test("an agent gets a worktree of its own with the name that is offered, unless somebody says otherwise", () => {
  expect(wishOf(AGENT, REPO, CHOICES)).toEqual({
    repo: "/home/me/shop",
    worktree: "calm-otter",
    run: "codex",
  });
  expect(wishOf({ ...AGENT, inWorktree: false }, REPO, CHOICES)).toEqual({
    cwd: "/home/me/shop/src",
    run: "codex",
  });
  const chosen = { ...AGENT, name: " fix ", base: "next", firstPrompt: " Go on.\n" };
  expect(wishOf(chosen, REPO, CHOICES)).toEqual({
    repo: "/home/me/shop",
    worktree: "fix",
    base: "next",
    run: "codex",
    firstPrompt: "Go on.",
  });
});

test("no worktree is cut where none can be", () => {
  expect(isInWorktree(AGENT, { ...REPO, base: null })).toBe(false);
  const plain: DirectoryLook = { kind: "directory", path: "/tmp" };
  expect(wishOf({ ...AGENT, inWorktree: true }, plain, CHOICES)).toEqual({ cwd: "/tmp", run: "codex" });
});

test("what is missing is said where it is missing", () => {
  const none: DirectoryLook = { kind: "none", path: "/x", reason: "there is no such directory" };
  expect(wishOf(DRAFT, none, CHOICES)).toMatchObject({ field: "where" });
  expect(wishOf({ ...AGENT, name: " " }, REPO, CHOICES)).toMatchObject({ field: "name" });
  expect(wishOf({ ...DRAFT, run: { kind: "line", line: " " } }, REPO, CHOICES)).toMatchObject({
    field: "run",
  });
  expect(fieldOf("worktree-name-collision")).toBe("name");
  expect(fieldOf("git-failed")).toBe(null);
});

test("a shell is given no prompt", () => {
  expect(wishOf({ ...DRAFT, firstPrompt: "hello" }, REPO, CHOICES)).not.toHaveProperty("firstPrompt");
});

test("places: lately used ones first, then where terminals are, then what lies near home; each once", () => {
  const shop = recordForTest(1, { git: gitForTest("shop") });
  const recents = { repos: [{ root: "/home/me/ledger", name: "ledger", usedAtMs: 1 }], agents: [] };
  expect(placesKnown([shop, { ...shop }], recents, CHOICES)).toEqual([
    { path: "/home/me/ledger", name: "ledger", from: "used lately" },
    { path: "/home/me/shop", name: "shop", from: "2 terminals" },
    { path: "/home/me/atlas", name: "atlas", from: "repository" },
  ]);
});

test("what can be run: installed agents before the others, this repository's lines before others'", () => {
  const line = (command: string, repoRoot: string | null) => ({
    command,
    repoRoot,
    kind: "codex",
    usedAtMs: 1,
  });
  const agents = [line("codex", null), line("codex --b", "/x"), line("codex --a", "/home/me/shop")];
  const { programs, lines } = runOptions(CHOICES, { repos: [], agents }, "/home/me/shop");
  expect(programs.map(({ agent, installed }) => [agent, installed])).toEqual([
    [null, true],
    ["codex", true],
    ["claude-code", false],
  ]);
  expect(lines.map(({ run }) => run)).toEqual([
    { kind: "line", line: "codex --a" },
    { kind: "line", line: "codex --b" },
  ]);
});

test("home is a tilde", () => {
  expect(homeRelative("/home/me", "/home/me")).toBe("~");
  expect(homeRelative("/home/me/x", "/home/me")).toBe("~/x");
  expect(homeRelative("/home/mean", "/home/me")).toBe("/home/mean");
});
