// What may be read of the directories of live terminals, over the real wire, with real repositories.
import { execFile } from "node:child_process";
import { mkdir, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { FILE_BYTES_MAX_BYTES } from "@kolu/contract/limits.ts";
import { Refusal } from "@kolu/contract/refusals.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestGround, testGround } from "./git/test-repository.ts";
import { startPadi, type TestPadi } from "./start-padi.ts";

let padi: TestPadi;
let ground: TestGround;
let repo: string;

beforeAll(async () => {
  [padi, ground] = await Promise.all([startPadi(), testGround()]);
  repo = await ground.repository("repo");
  await ground.git("repo", "remote", "add", "origin", join(ground.root, "repo"));
  await ground.git("repo", "update-ref", "refs/remotes/origin/main", "HEAD");
  await ground.git("repo", "checkout", "--quiet", "-b", "work");
  await ground.write("repo/file", "changed\n");
  await ground.git("repo", "commit", "--quiet", "-am", "second");
  await ground.write("repo/src/code", "uncommitted\n");
  await ground.write("repo/語 new.txt", "untracked\n");
  await ground.write("repo/.gitignore", "ignored\n");
  await ground.write("repo/ignored", "secret\n");
  await ground.write("elsewhere/secret", "not for you\n");
  await symlink(join(ground.root, "elsewhere"), join(repo, "way-out"));
  await symlink(join(ground.root, "elsewhere", "secret"), join(repo, "leak"));
  await symlink("file", join(repo, "inside-link"));
  const id = await padi.create({ cwd: join(repo, "src") });
  await padi.until(id, (record) => record?.git?.root === repo);
});
afterAll(async () => {
  await padi[Symbol.asyncDispose]();
  await ground[Symbol.asyncDispose]();
});

async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof Refusal ? error.kind : `no refusal: ${error}`;
}

test("the status of uncommitted work", async () => {
  const status = await padi.client.call("git.status", { repoPath: repo, mode: "local" });
  expect(status).toMatchObject({
    mode: "local",
    branch: { name: "work" },
    files: expect.arrayContaining([
      { path: "src/code", status: "M" },
      { path: "語 new.txt", status: "?" },
    ]),
  });
});

test("the status of a whole branch, asked from a directory inside", async () => {
  const status = await padi.client.call("git.status", { repoPath: join(repo, "src"), mode: "branch" });
  expect(status).toMatchObject({ mode: "branch", base: { ref: "origin/main" } });
  expect(status.files).toEqual(
    expect.arrayContaining([
      { path: "file", status: "M" },
      { path: "src/code", status: "M" },
      { path: "語 new.txt", status: "?" },
    ]),
  );
});

test("differences: uncommitted, of the branch, of a file that git does not know", async () => {
  const diff = (filePath: string, mode: "local" | "branch") =>
    padi.client.call("git.diff", { repoPath: repo, filePath, mode });
  expect((await diff("src/code", "local")).hunks.join()).toContain("+uncommitted");
  expect((await diff("file", "local")).hunks).toEqual([]);
  expect((await diff("file", "branch")).hunks.join()).toContain("+changed");
  expect(await diff("語 new.txt", "local")).toMatchObject({ oldFileName: null, newFileName: "語 new.txt" });
});

test("a listing holds what git sees, and nothing that it ignores", async () => {
  const { paths } = await padi.client.call("fs.list", { repoPath: repo });
  expect(paths).toEqual(expect.arrayContaining(["file", "src/code", "語 new.txt"]));
  expect(paths).not.toContain("ignored");
  expect((await padi.client.call("fs.list", { repoPath: join(repo, "src") })).paths).toEqual(["code"]);
});

test("a file is read whole, through a link that stays inside, and cut between characters", async () => {
  const read = (filePath: string) => padi.client.call("fs.readFile", { repoPath: repo, filePath });
  expect(await read("inside-link")).toEqual({ content: "changed\n", truncated: false, binary: false });
  await writeFile(join(repo, "ignored"), `x${"語".repeat(400_000)}`);
  const long = await read("ignored");
  expect(long.truncated).toBe(true);
  expect(long.content.endsWith("語")).toBe(true);
  await writeFile(join(repo, "ignored"), Buffer.from([1, 0, 2]));
  expect(await read("ignored")).toEqual({ content: "", truncated: false, binary: true });
});

test("nothing outside is read, whichever way it is named", async () => {
  const read = (repoPath: string, filePath: string) =>
    padi.client.call("fs.readFile", { repoPath, filePath });
  const elsewhere = join(ground.root, "elsewhere");
  const outside = [
    read(elsewhere, "secret"),
    read(repo, "leak"),
    read(repo, "way-out/secret"),
    read(repo, "../elsewhere/secret"),
    read(repo, join(elsewhere, "secret")),
    read(join(repo, "way-out"), "secret"),
    read(join(elsewhere, "nothing-here"), "secret"),
    padi.client.call("fs.list", { repoPath: elsewhere }),
    padi.client.call("git.status", { repoPath: ground.root, mode: "local" }),
    padi.client.call("git.diff", { repoPath: repo, filePath: "../elsewhere/secret", mode: "local" }),
    padi.client.call("git.diff", { repoPath: repo, filePath: "leak", mode: "local" }),
    padi.client.call("fs.readBytes", { repoPath: repo, filePath: "leak" }),
    padi.client.call("fs.listDirectory", { repoPath: repo, directoryPath: "way-out" }),
    padi.client.call("fs.listDirectory", { repoPath: repo, directoryPath: ".." }),
    padi.client.subscribe("project.watch", { repoPath: elsewhere })[Symbol.asyncIterator]().next(),
  ];
  const kinds = await Promise.all(outside.map(refusalOf));
  expect(kinds).toEqual(outside.map(() => "outside-project"));
});

test("a file that is no text is read whole, and one that is too large is refused", async () => {
  const bytes = Buffer.from([0x89, 0x50, 0, 0xff]);
  await writeFile(join(repo, "ignored"), bytes);
  const read = () => padi.client.call("fs.readBytes", { repoPath: repo, filePath: "ignored" });
  expect(Buffer.from((await read()).base64, "base64")).toEqual(bytes);
  await truncate(join(repo, "ignored"), FILE_BYTES_MAX_BYTES + 1);
  expect(await refusalOf(read())).toBe("too-large");
  await writeFile(join(repo, "ignored"), "");
});

test("a directory is listed by itself, directories first, git's own left out", async () => {
  const { entries } = await padi.client.call("fs.listDirectory", { repoPath: repo, directoryPath: "" });
  expect(entries[0]).toEqual({ name: "src", directory: true });
  expect(entries.map(({ name }) => name)).toEqual(expect.arrayContaining(["file", "ignored", "語 new.txt"]));
  expect(entries.map(({ name }) => name)).not.toContain(".git");
  const inside = await padi.client.call("fs.listDirectory", { repoPath: repo, directoryPath: "src" });
  expect(inside).toEqual({ entries: [{ name: "code", directory: false }], truncated: false });
});

test("whoever watches a project hears of a changed file, of what git does, and of a file that git ignores", async () => {
  const news = padi.client
    .subscribe("project.watch", { repoPath: repo, filePath: "ignored" })
    [Symbol.asyncIterator]();
  const heardAfter = async (work: () => Promise<unknown>): Promise<void> => {
    await work();
    expect((await news.next()).done).toBe(false);
  };
  await heardAfter(async () => {});
  await heardAfter(() => writeFile(join(repo, "ignored"), "other\n"));
  await heardAfter(() => writeFile(join(repo, "src", "code"), "again\n"));
  await heardAfter(() => ground.git("repo", "commit", "--quiet", "-am", "third"));
  await news.return?.();
});

test("what cannot be read says why", async () => {
  await mkdir(join(repo, "empty"), { recursive: true });
  await promisify(execFile)("mkfifo", [join(repo, "pipe")]);
  const read = (filePath: string) => padi.client.call("fs.readFile", { repoPath: repo, filePath });
  const kinds = await Promise.all(
    [
      read("src"),
      read("pipe"),
      read("nothing"),
      padi.client.call("fs.list", { repoPath: join(repo, "nothing") }),
      padi.client.call("fs.list", { repoPath: join(repo, "file") }),
      padi.client.call("fs.list", { repoPath: "repo" }),
    ].map(refusalOf),
  );
  expect(kinds).toEqual([
    "not-a-file",
    "not-a-file",
    "file-gone",
    "not-a-directory",
    "not-a-directory",
    "not-a-directory",
  ]);
});

test("a terminal that is gone takes its directory out of reach", async () => {
  const id = await padi.create({ cwd: join(ground.root, "elsewhere") });
  await padi.until(id, (record) => record?.cwd.endsWith("elsewhere") === true);
  const read = () =>
    padi.client.call("fs.readFile", { repoPath: join(ground.root, "elsewhere"), filePath: "secret" });
  expect((await read()).content).toBe("not for you\n");
  expect(
    await refusalOf(
      padi.client.call("git.status", { repoPath: join(ground.root, "elsewhere"), mode: "local" }),
    ),
  ).toBe("not-a-repo");
  await padi.client.call("terminal.kill", { id });
  expect(await refusalOf(read())).toBe("outside-project");
});

test("text is found on every screen and in the scrollback, the newest first, with its line", async () => {
  const old = await padi.create({ argv: ["/bin/sh", "-c", "echo needle 語 here; seq 1 3000; read x"] });
  await padi.client.call("terminal.wait", { id: old, until: { kind: "match", pattern: "^3000$" } });
  const recent = await padi.create({ argv: ["/bin/sh", "-c", "echo; echo a Needle 語; read x"] });
  await padi.client.call("terminal.wait", { id: recent, until: { kind: "match", pattern: "Needle" } });
  const { hits, truncated, unread } = await padi.client.call("search.text", { query: "needle 語" });
  expect({ truncated, unread }).toEqual({ truncated: false, unread: [] });
  expect(hits).toMatchObject([
    { id: recent, where: "screen", line: 1, linesFromEnd: 0, matchStart: 2 },
    { id: old, where: "scrollback", line: 0, linesFromEnd: 3_000, matchStart: 0 },
  ]);
  expect(hits).toHaveLength(2);
  expect(await padi.client.call("search.text", { query: "needle", limit: 1 })).toMatchObject({
    truncated: true,
    hits: [{ id: recent }],
  });
  expect((await padi.client.call("search.text", { query: "needle", ids: [old] })).hits).toHaveLength(1);
});
