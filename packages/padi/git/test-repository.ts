// Real repositories in a temporary directory. For tests only.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

export interface TestGround extends AsyncDisposable {
  /** Absolute, links resolved. */
  readonly root: string;
  /** Runs git in a directory below the ground; resolves with stdout, trimmed. */
  git(directory: string, ...args: string[]): Promise<string>;
  write(path: string, content?: string): Promise<void>;
  /** A repository with one commit on `main`, holding `file` and `src/code`. */
  repository(name: string): Promise<string>;
}

export async function testGround(): Promise<TestGround> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "kolu-git-")));
  const env = {
    PATH: process.env.PATH,
    HOME: root,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "t",
    GIT_AUTHOR_EMAIL: "t@t",
    GIT_COMMITTER_NAME: "t",
    GIT_COMMITTER_EMAIL: "t@t",
  };
  const ground: TestGround = {
    root,
    async git(directory, ...args) {
      const { stdout } = await promisify(execFile)("git", args, { cwd: join(root, directory), env });
      return stdout.trim();
    },
    async write(path, content = path) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    },
    async repository(name) {
      await ground.git(".", "init", "--quiet", "--initial-branch=main", name);
      await ground.write(`${name}/file`);
      await ground.write(`${name}/src/code`);
      await ground.git(name, "add", ".");
      await ground.git(name, "commit", "--quiet", "-m", "first");
      return join(root, name);
    },
    async [Symbol.asyncDispose]() {
      await rm(root, { recursive: true, force: true, maxRetries: 3 });
    },
  };
  return ground;
}
