// `kolu __endpoint`: what a kolu on another machine asks this one over ssh. One marked line of JSON on stdout.
import { access } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Environment, findEndpoint } from "../endpoint.ts";
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
  const env = lastingEnvironment(context.env, await lingers());
  const here = { ...context, env };
  const named = { socket: undefined, "state-root": values["state-root"], host: undefined };
  // "May start" names a place even where nothing runs; whether to start is decided below.
  const endpoint = await findEndpoint({ words: named, env, cwd: context.cwd, mayStart: true });
  const running = await openEndpoint(endpoint, here, { start: false }).catch((error: unknown) => {
    // One that is there and does not suit is replaced by a start, where that is asked for.
    if (error instanceof Failure && (values.start || !(error instanceof Incompatible))) return null;
    throw error;
  });
  const link = running ?? (values.start ? await openEndpoint(endpoint, here, { start: true }) : null);
  if (link === null) return { kind: "not-running" };
  link.close();
  const { stateRoot, buildId } = link.hello;
  const { socketPath } = link.endpoint;
  return { kind: "serving", socketPath, stateRoot, buildId, started: running === null };
}

/**
 * Pure. systemd removes /run/user/<uid> with a user's last login, and the sockets in it, unless the user lingers: daemons that
 * a login over ssh starts are to outlive it, and go to /tmp like where there is no such directory.
 */
export function lastingEnvironment(env: Environment, userLingers: boolean): Environment {
  const passes = env.XDG_RUNTIME_DIR?.startsWith("/run/user/") && !userLingers;
  return passes ? { ...env, XDG_RUNTIME_DIR: undefined } : env;
}

/** Whether `loginctl enable-linger` was said for this user (systemd 252). */
function lingers(): Promise<boolean> {
  return access(join("/var/lib/systemd/linger", userInfo().username)).then(
    () => true,
    () => false,
  );
}
