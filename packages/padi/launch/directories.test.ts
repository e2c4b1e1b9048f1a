import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { completeDirectory, reposNear, typedPath } from "./directories.ts";

let home: string;

beforeAll(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), "kolu-home-")));
  for (const path of [
    "code/Shop/.git",
    "code/Shop/vendored/.git",
    "code/shelf",
    "code/.hidden",
    "deep/er/still/far/.git",
    "node_modules/x/.git",
    "ledger/.git",
  ])
    await mkdir(join(home, path), { recursive: true });
  await writeFile(join(home, "code/shape"), "");
  await symlink(join(home, "ledger"), join(home, "code/shortcut"));
});
afterAll(() => rm(home, { recursive: true }));

const names = async (typed: string): Promise<string[]> =>
  (await completeDirectory(typed, home)).directories.map(
    ({ path, isRepo }) => path.slice(home.length) + (isRepo ? " *" : ""),
  );

test("a typed path is completed by directories, links among them, in any case unless a capital was typed", async () => {
  expect(await names("~/code/sh")).toEqual(["/code/Shop *", "/code/shelf", "/code/shortcut *"]);
  expect(await names("~/code/Sh")).toEqual(["/code/Shop *"]);
  expect(await names("~/code/")).toEqual(["/code/Shop *", "/code/shelf", "/code/shortcut *"]);
  expect(await names("~/code/.h")).toEqual(["/code/.hidden"]);
  expect(await names("led")).toEqual(["/ledger *"]);
  expect(await names("/nowhere/at/all")).toEqual([]);
});

test("a path may be relative to home", () => {
  expect(typedPath("~", "/home/me")).toBe("/home/me/");
  expect(typedPath(" code/x ", "/home/me")).toBe("/home/me/code/x");
  expect(typedPath("/tmp", "/home/me")).toBe("/tmp");
});

test("repositories near home are found, those inside of others and of packages are not", async () => {
  expect((await reposNear(home)).map(({ name }) => name)).toEqual(["ledger", "Shop"]);
});
