// Verbs that look at a machine's own disk and processes: with --host, the kolu over there runs them.
import type { FlagSpecs, FlagValues } from "../arguments.ts";
import { Exit, type ExitCode } from "../exit.ts";
import type { Context } from "../verb-spec.ts";
import { joinForSh, scriptWithKolu } from "./find-kolu.ts";
import { readHostName } from "./host-name.ts";
import { judgeAnswer, parseAnswer } from "./question.ts";
import { tunnelTo } from "./tunnel.ts";

const BEGIN = "kolu-begins";
const END = "kolu-ends";
/** `stop --all` waits until every screen is on disk. */
const TIMEOUT_MS = 60_000;

/** Resolves with the verb's exit code; its data and its words are ours. Rejects with UsageError or HostFailure. */
export async function runThere<F extends FlagSpecs>(
  verb: string,
  { endpoint, flags }: { endpoint: { host: string }; flags: FlagValues<F> },
  { env, out }: Context,
): Promise<ExitCode> {
  const host = readHostName(endpoint.host);
  const tunnel = await tunnelTo(host, env);
  const { printed, said } = await tunnel.runScript(runScript(verb, flags), TIMEOUT_MS);
  const ran = parseRun(printed);
  if (ran === null) {
    judgeAnswer(host, parseAnswer(printed));
    throw new Error("A host that answers the question of another verb.");
  }
  out.data(ran.data);
  if (said !== "") out.sayPlain(said);
  return ran.code;
}

/** Pure: only switches are known to such verbs. */
export function runScript(verb: string, flags: Readonly<Record<string, unknown>>): string {
  const given = Object.keys(flags).filter((name) => flags[name] === true);
  const words = [verb, ...given.map((name) => `--${name}`)];
  return scriptWithKolu(
    `echo ${BEGIN}; "$1" ${joinForSh(words)} </dev/null; printf '\\n${END} %d\\n' $?; exit 0`,
  );
}

/** Null when it did not come to that. An exit code that is none of ours counts as a failure. */
export function parseRun(printed: string): { data: string; code: ExitCode } | null {
  const [, data = "", code] =
    new RegExp(`(?:^|\\n)${BEGIN}\\n([\\s\\S]*)\\n${END} (\\d+)\\n$`).exec(printed) ?? [];
  if (code === undefined) return null;
  return { data, code: Object.values(Exit).find((known) => known === Number(code)) ?? Exit.failed };
}
