// How a run ends: the exit codes, and which error means which. Nothing else in this package decides a code.
import { Refusal } from "@kolu/contract/refusals.ts";

export const Exit = {
  done: 0,
  /** Asked wrongly, refused, or nobody to talk to. */
  failed: 1,
  /** A wait ran out of time. */
  timedOut: 2,
  /** The terminal existed and is gone. */
  gone: 3,
  /** SIGINT or SIGTERM. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof Exit)[keyof typeof Exit];

/** The command line asks for what cannot be. The sentence says what to write instead. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** The world did not let us: no daemon, a file that cannot be read, a peer that stalls. A sentence for a person. */
export class Failure extends Error {
  override name = "Failure";
}

/** SIGINT or SIGTERM arrived; the reason of the run's abort signal. */
export class Interrupted extends Error {
  override name = "Interrupted";
}

/** The code of an error and the sentence for stderr; null when there is nothing to say. */
export function judgeError(error: unknown): { code: ExitCode; sentence: string | null } {
  if (error instanceof Interrupted) return { code: Exit.interrupted, sentence: null };
  if (error instanceof Refusal)
    return { code: error.kind === "terminal-gone" ? Exit.gone : Exit.failed, sentence: error.message };
  if (error instanceof UsageError || error instanceof Failure)
    return { code: Exit.failed, sentence: error.message };
  if (!(error instanceof Error)) return { code: Exit.failed, sentence: String(error) };
  switch (error.name) {
    case "LinkLost":
      return {
        code: Exit.failed,
        sentence:
          "The connection to padi dropped while the call was in flight: it may or may not have been done.",
      };
    case "DialFailed":
    case "DaemonNotServing":
    case "NotPrivate":
      return { code: Exit.failed, sentence: error.message };
    case "RpcFault":
      return { code: Exit.failed, sentence: `padi failed: ${error.message}` };
    default:
      // A bug of ours: the stack is what a report needs.
      return { code: Exit.failed, sentence: error.stack ?? error.message };
  }
}
