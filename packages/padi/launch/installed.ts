// Which programs a person's own shell would find. The daemon's PATH does not tell: dotfiles add to it, and an agent may be
// an alias or a function there.
import { spawn } from "node:child_process";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { userInfo } from "node:os";
import { basename, delimiter, join } from "node:path";

/** A shell whose dotfiles take longer, or wait for somebody, is not waited for. */
const SHELL_TIMEOUT_MS = 5_000;
const MARK = "kolu-has:";
/** Shells that say by `type` whether they know a name, and read a person's dotfiles with these flags. */
const ASKABLE = new Set(["bash", "zsh", "fish"]);
/** A name goes into a script as it is. */
const PLAIN = /^[\w.-]+$/;

type Env = Readonly<Record<string, string | undefined>>;

/** Never rejects: where the shell does not answer, the daemon's own PATH is looked at. */
export async function findInstalled(programs: readonly string[], env: Env): Promise<ReadonlySet<string>> {
  const own = { ...env, PATH: withoutPackages(env.PATH ?? "") };
  const asked = await askShell(programs, own).catch(() => null);
  return asked ?? (await onPath(programs, own.PATH));
}

/** Pure. */
export function questionFor(programs: readonly string[]): string {
  return programs
    .filter((program) => PLAIN.test(program))
    .map((program) => `type ${program} >/dev/null 2>&1 && printf '%s\\n' ${MARK}${program}`)
    .concat(`printf '%s\\n' ${MARK}`)
    .join("; ");
}

/** Null: the shell did not come to the end of the question. Pure. */
export function answerIn(printed: string): ReadonlySet<string> | null {
  const names = printed
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line.startsWith(MARK))
    .map((line) => line.slice(MARK.length));
  return names.includes("") ? new Set(names.filter((name) => name !== "")) : null;
}

async function askShell(programs: readonly string[], env: Env): Promise<ReadonlySet<string> | null> {
  const shell = env.SHELL || userInfo().shell || "/bin/sh";
  if (!ASKABLE.has(basename(shell))) return null;
  const child = spawn(shell, ["-l", "-i", "-c", questionFor(programs)], {
    env: env as NodeJS.ProcessEnv,
    cwd: "/",
    stdio: ["ignore", "pipe", "ignore"],
    // A group of its own: no terminal to wait at, and everything that dotfiles start ends with it.
    detached: true,
  });
  let printed = "";
  const timer = setTimeout(() => endGroup(child.pid), SHELL_TIMEOUT_MS);
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
    // What the dotfiles left running may keep the pipe open.
    if (answerIn(printed) !== null) endGroup(child.pid);
  });
  try {
    await new Promise<void>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", () => resolve());
    });
    child.stdout.destroy();
    return answerIn(printed);
  } finally {
    clearTimeout(timer);
  }
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}

async function onPath(programs: readonly string[], path: string): Promise<ReadonlySet<string>> {
  const directories = path.split(delimiter).filter((directory) => directory !== "");
  const found = new Set<string>();
  for (const program of programs)
    for (const directory of directories)
      if (
        await access(join(directory, program), constants.X_OK).then(
          () => true,
          () => false,
        )
      )
        found.add(program);
  return found;
}

/** What npm put there is no program of the person. */
function withoutPackages(path: string): string {
  return path
    .split(delimiter)
    .filter((entry) => !entry.split("/").includes("node_modules"))
    .join(delimiter);
}
