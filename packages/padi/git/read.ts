// git asked for something that a caller reads in full: paths taken literally, no program of the repository's run, and
// what is too large refused rather than cut.
import { DIFF_MAX_BYTES } from "@kolu/contract/limits.ts";
import { refuse } from "@kolu/contract/refusals.ts";
import { complaintOf, GitFault, type GitOutcome, runGit } from "./run.ts";

const READ_TIMEOUT_MS = 30_000;

/** Resolves with git's answer, whatever its code. Throws `git-failed` or `too-large`. */
export async function runReading(args: string[], cwd: string, signal: AbortSignal): Promise<GitOutcome> {
  const quiet = ["-c", "core.fsmonitor=false", "-c", "core.quotePath=false", "--literal-pathspecs"];
  let tooLarge = false;
  const outcome = await runGit([...quiet, ...args], {
    cwd,
    timeoutMs: READ_TIMEOUT_MS,
    signal,
    enough: (stdout) => {
      tooLarge = stdout.length > DIFF_MAX_BYTES;
      return tooLarge;
    },
  }).catch((fault: unknown) => {
    if (!(fault instanceof GitFault) || fault.reason === "aborted") throw fault;
    throw refuse("git-failed", { detail: fault.message }, fault.message);
  });
  if (tooLarge)
    throw refuse(
      "too-large",
      { path: cwd, limitBytes: DIFF_MAX_BYTES },
      `git's answer is larger than ${DIFF_MAX_BYTES} bytes. Ask for less, or look in the terminal.`,
    );
  return outcome;
}

export function gitFailed(outcome: GitOutcome): Error {
  const detail = complaintOf(outcome);
  return refuse("git-failed", { detail }, `git failed: ${detail}`);
}
