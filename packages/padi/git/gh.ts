// The only place that starts gh, the command of GitHub. It may ask nobody anything, and takes at most ten seconds.
import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { type PullRequestAnswer, parsePullRequest, readComplaint } from "./pull-request.ts";

const TIMEOUT_MS = 10_000;
const ANSWER_MAX_BYTES = 4 * 1024 * 1024;
const FIELDS = "number,title,url,state,isDraft,statusCheckRollup";

/** The pull request of the branch that is checked out in `root`. Rejects only when the signal aborts. */
export async function askPullRequest(root: string, signal: AbortSignal): Promise<PullRequestAnswer> {
  const ran = await run(["pr", "view", "--json", FIELDS], root, signal);
  signal.throwIfAborted();
  switch (ran.kind) {
    case "absent":
      // Node says the same of a missing program and of a missing directory.
      return (await stat(root).catch(() => null)) === null
        ? { kind: "none" }
        : { kind: "unavailable", code: "not-installed" };
    case "late":
      return { kind: "unavailable", code: "timed-out" };
    case "ended":
      return ran.code === 0 ? parsePullRequest(ran.stdout) : readComplaint(ran.code, ran.stderr);
    default:
      return ran satisfies never;
  }
}

type Ran =
  | { kind: "ended"; code: number; stdout: string; stderr: string }
  | { kind: "absent" }
  | { kind: "late" };

function run(args: string[], cwd: string, signal: AbortSignal): Promise<Ran> {
  const options = {
    cwd,
    signal,
    timeout: TIMEOUT_MS,
    killSignal: "SIGKILL",
    maxBuffer: ANSWER_MAX_BYTES,
    env: {
      ...process.env,
      GH_PROMPT_DISABLED: "1",
      GH_NO_UPDATE_NOTIFIER: "1",
      GH_SPINNER_DISABLED: "1",
      GIT_TERMINAL_PROMPT: "0",
      NO_COLOR: "1",
    },
  } as const;
  return new Promise((resolve) => {
    execFile("gh", args, options, (error, stdout, stderr) => {
      if (error === null) resolve({ kind: "ended", code: 0, stdout, stderr });
      else if (error.code === "ENOENT" || error.code === "EACCES") resolve({ kind: "absent" });
      else if (typeof error.code === "number") resolve({ kind: "ended", code: error.code, stdout, stderr });
      else resolve({ kind: "late" });
    });
  });
}
