import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { gitFacts } from "../test-records.ts";
import { locateFiles } from "./locate.ts";

let root: string;
let repo: string;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "kolu-locate-")));
  repo = join(root, "repo");
  await mkdir(join(repo, "web", "src"), { recursive: true });
  await writeFile(join(repo, "README.md"), "");
  await writeFile(join(repo, "web", "src", "a.ts"), "");
  await writeFile(join(root, "secret"), "");
  await symlink(join(root, "secret"), join(repo, "way-out"));
  await symlink(join(repo, "README.md"), join(repo, "way-in"));
});
afterAll(() => rm(root, { recursive: true }));

const cases: Record<string, [path: string, found: string | null]> = {
  "from the terminal's directory": ["src/a.ts", "web/src/a.ts"],
  "from the repository's root": ["web/src/a.ts", "web/src/a.ts"],
  "a side of a diff": ["b/web/src/a.ts", "web/src/a.ts"],
  "above the directory, in the repository": ["../README.md", "README.md"],
  "a link that stays inside": ["../way-in", "README.md"],
  "a link that leads out": ["../way-out", null],
  outside: ["../../secret", null],
  "absolute and outside": ["/etc/passwd", null],
  "a directory": ["src", null],
  nothing: ["src/gone.ts", null],
};
test.each(Object.entries(cases))("a path %s", async (_title, [path, found]) => {
  const place = { cwd: join(repo, "web"), git: gitFacts({ root: repo, mainRoot: repo }) };
  expect(await locateFiles(place, [path])).toEqual([found === null ? null : join(repo, found)]);
});

test("an absolute path inside is found, and without a repository the directory is the project", async () => {
  const place = { cwd: join(repo, "web"), git: null };
  const paths = [join(repo, "web/src/a.ts"), join(repo, "README.md")];
  expect(await locateFiles(place, paths)).toEqual([paths[0], null]);
});
