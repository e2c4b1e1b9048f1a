// From what a caller asks for to what is executed: program, arguments, environment, directory. Refuses what cannot start,
// before anything exists.
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { homedir, userInfo } from "node:os";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { refuse } from "@kolu/contract/refusals.ts";
import { terminalEnvironment } from "./environment.ts";
import { launchShell } from "./shell/integration.ts";

export interface LaunchRequest {
  id: string;
  argv?: string[] | undefined;
  shell?: string | undefined;
  cwd?: string | undefined;
  env?: Record<string, string> | undefined;
  pathEntries?: string[] | undefined;
}

/** What this kaval is, as far as a terminal's environment shows it. */
export interface LaunchContext {
  daemonEnv: Readonly<Record<string, string | undefined>>;
  kavalSocket: string;
  shellInit: string;
  version: string;
}

export interface Launch {
  file: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
  argv: string[];
  commandRooted: boolean;
  markNonce: string | null;
  initFiles: { path: string; content: string }[];
}

/** Rejects with `argv-empty`, `not-a-directory` or `spawn-failed`. Touches nothing. */
export async function planLaunch(request: LaunchRequest, context: LaunchContext): Promise<Launch> {
  const { daemonEnv } = context;
  const pathEntries = request.pathEntries ?? [];
  const home = daemonEnv.HOME || homedir();
  const cwd = request.cwd === undefined ? await defaultDirectory(home) : resolve(request.cwd);
  await assertDirectory(cwd);
  const env = terminalEnvironment({
    daemonEnv,
    id: request.id,
    kavalSocket: context.kavalSocket,
    extra: request.env ?? {},
    pathEntries,
    version: context.version,
  });
  // Programs trust PWD over getcwd when it names the same directory: what a person typed, links and all.
  env.PWD = cwd;

  if (request.argv !== undefined) {
    const [program, ...args] = request.argv;
    if (program === undefined || program === "")
      throw refuse("argv-empty", {}, "The command is empty: give a program to start, or none for a shell.");
    const file = await findProgram(program, cwd, env.PATH ?? "");
    const argv = [program, ...args];
    return { file, args, env, cwd, argv, commandRooted: true, markNonce: null, initFiles: [] };
  }

  const shell = request.shell ?? daemonEnv.SHELL ?? (userInfo().shell || "/bin/sh");
  const path = await findProgram(shell, cwd, env.PATH ?? "");
  const launch = launchShell({
    shell: path,
    initDir: context.shellInit,
    id: request.id,
    nonce: crypto.randomUUID(),
    pathEntries,
    env,
    home,
  });
  return { ...launch, cwd, argv: [path], commandRooted: false };
}

async function defaultDirectory(home: string): Promise<string> {
  return (await isDirectory(home)) ? home : "/";
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

async function assertDirectory(path: string): Promise<void> {
  if (!(await isDirectory(path)))
    throw refuse("not-a-directory", { path }, `${path} is not a directory that can be entered.`);
  await access(path, constants.X_OK).catch(() => {
    throw refuse("not-a-directory", { path }, `${path} may not be entered by this user.`);
  });
}

/** The absolute path that execvp would find. */
async function findProgram(program: string, cwd: string, path: string): Promise<string> {
  const candidates = program.includes("/")
    ? [isAbsolute(program) ? program : join(cwd, program)]
    : path
        .split(delimiter)
        .filter((directory) => directory !== "")
        .map((directory) => join(directory, program));
  let reason = "no such program on PATH";
  for (const candidate of candidates) {
    const problem = await whyNotExecutable(candidate);
    if (problem === null) return candidate;
    if (problem !== "no such file" || program.includes("/")) reason = problem;
  }
  throw refuse("spawn-failed", { command: program, reason }, `Cannot start ${program}: ${reason}.`);
}

async function whyNotExecutable(file: string): Promise<string | null> {
  try {
    if (!(await stat(file)).isFile()) return "it is not a file";
    await access(file, constants.X_OK);
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "EACCES" ? "it may not be executed" : "no such file";
  }
}
