// `kolu __endpoint`: what a kolu on another machine asks this one over ssh. One marked line of JSON on stdout.
import { parseArgs } from "node:util";
import { findEndpoint } from "../endpoint.ts";
import { Exit, type ExitCode, Failure, judgeError } from "../exit.ts";
import { Incompatible } from "../padi-dial.ts";
import { openEndpoint } from "../padi-link.ts";
import type { Context } from "../verb-spec.ts";
import { ANSWER_MARK } from "./find-kolu.ts";
import type { HostAnswer } from "./question.ts";

/** Never rejects: what went wrong is the answer. */
export async function answerHost(words: readonly string[], context: Context): Promise<ExitCode> {
  const answer = await lookHere(words, context).catch(
    (error: unknown): HostAnswer => ({
      kind: "failed",
      sentence: judgeError(error).sentence ?? "it was interrupted",
    }),
  );
  context.out.line(`${ANSWER_MARK}${JSON.stringify(answer)}`);
  return Exit.done;
}

async function lookHere(words: readonly string[], context: Context): Promise<HostAnswer> {
  const { values } = parseArgs({
    args: [...words],
    options: { start: { type: "boolean", default: false }, "state-root": { type: "string" } },
  });
  const named = { socket: undefined, "state-root": values["state-root"], host: undefined };
  // "May start" names a place even where nothing runs; whether to start is decided below.
  const endpoint = await findEndpoint({ words: named, env: context.env, cwd: context.cwd, mayStart: true });
  const running = await openEndpoint(endpoint, context, { start: false }).catch((error: unknown) => {
    // One that is there and does not suit is replaced by a start, where that is asked for.
    if (error instanceof Failure && (values.start || !(error instanceof Incompatible))) return null;
    throw error;
  });
  const link = running ?? (values.start ? await openEndpoint(endpoint, context, { start: true }) : null);
  if (link === null) return { kind: "not-running" };
  link.close();
  const { stateRoot, buildId } = link.hello;
  const { socketPath } = link.endpoint;
  return { kind: "serving", socketPath, stateRoot, buildId, started: running === null };
}
