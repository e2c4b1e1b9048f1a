// The only place that starts git. Every run is bounded in time, cannot ask anybody anything, and leaves no process behind.
import { type ChildProcess, spawn } from "node:child_process";
import { stat } from "node:fs/promises";

export interface GitRun {
  cwd: string;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Looks at all of stdout so far; true ends the run early, as if git had finished with 0. */
  enough?: (stdout: string) => boolean;
}

export interface GitOutcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** git gave no answer: it is not installed, took too long, was killed or given up, or a remote refused. */
export class GitFault extends Error {
  readonly reason: "not-started" | "no-directory" | "timeout" | "killed" | "aborted" | "refused";
  constructor(reason: GitFault["reason"], message: string, options?: { cause: unknown }) {
    super(message, options);
    this.name = "GitFault";
    this.reason = reason;
  }
}

/** Beyond this an answer is cut off: no answer that we read in full is near it. */
const OUTPUT_MAX_CHARS = 16 * 1024 * 1024;

/** Runs git and resolves with its exit code, whatever that is. Rejects with a GitFault when there is none. */
export async function runGit(args: string[], run: GitRun): Promise<GitOutcome> {
  if (run.signal?.aborted) throw new GitFault("aborted", `git ${args[0]} was given up.`);
  const child = spawn("git", ["--no-pager", ...args], {
    cwd: run.cwd,
    env: gitEnvironment(process.env),
    stdio: ["ignore", "pipe", "pipe"],
    // A session of its own: no terminal to ask on, and a process group to end as a whole (fetch starts ssh and others).
    detached: true,
  });
  try {
    return await outcomeOf(child, args, run);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "ENOTDIR" && code !== "EACCES") throw cause;
    // spawn says the same of a missing program and of a missing directory.
    if (await stat(run.cwd).catch(() => null))
      throw new GitFault("not-started", "git could not be started.", { cause });
    throw new GitFault("no-directory", `${run.cwd} cannot be entered.`, { cause });
  }
}

/** git's own sentence about a failed run, without its prefix. */
export function complaintOf({ stderr, code }: GitOutcome): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const fatal = lines.filter((line) => /^(fatal|error): /.test(line));
  return (
    (fatal.length > 0 ? fatal : lines).join("; ").replaceAll(/(fatal|error): /g, "") ||
    `git ended with ${code}`
  );
}

function outcomeOf(child: ChildProcess, args: string[], run: GitRun): Promise<GitOutcome> {
  const { promise, resolve, reject } = Promise.withResolvers<GitOutcome>();
  let stdout = "";
  let stderr = "";
  let ended: { early: true } | GitFault | null = null;
  const stop = (why: { early: true } | GitFault) => {
    ended ??= why;
    killGroup(child);
  };
  const giveUp = () => stop(new GitFault("aborted", `git ${args[0]} was given up.`));
  const timer = setTimeout(() => {
    stop(
      new GitFault("timeout", `git ${args[0]} took longer than ${run.timeoutMs / 1_000} s in ${run.cwd}.`),
    );
  }, run.timeoutMs);
  run.signal?.addEventListener("abort", giveUp, { once: true });

  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    if (stdout.length < OUTPUT_MAX_CHARS) stdout += chunk;
    if (run.enough?.(stdout)) stop({ early: true });
  });
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    if (stderr.length < OUTPUT_MAX_CHARS) stderr += chunk;
  });
  child.on("error", reject);
  child.on("close", (code, signal) => {
    if (ended instanceof GitFault) reject(ended);
    else if (ended !== null) resolve({ code: 0, stdout, stderr });
    else if (code === null) reject(new GitFault("killed", `git ${args[0]} was killed (${signal}).`));
    else resolve({ code, stdout, stderr });
  });
  return promise.finally(() => {
    clearTimeout(timer);
    run.signal?.removeEventListener("abort", giveUp);
  });
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // Gone already: its end is on the way.
  }
  // A helper that left the group would keep the pipes, and with them our wait, open.
  child.stdout?.destroy();
  child.stderr?.destroy();
}

/** English answers, no prompts, no lock taken for a mere look, and no repository forced on us by the environment. */
function gitEnvironment(own: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(own)) {
    if (!name.startsWith("GIT_") || name.startsWith("GIT_SSH") || name.startsWith("GIT_CONFIG"))
      env[name] = value;
  }
  return {
    ...env,
    LC_ALL: "C",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "false",
    SSH_ASKPASS: "false",
    SSH_ASKPASS_REQUIRE: "never",
  };
}
