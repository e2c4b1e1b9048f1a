import { styleText } from "node:util";
import type { Invocation } from "../arguments.ts";
import { type Finding, findings, type Grade } from "../doctor/findings.ts";
import { look } from "../doctor/look.ts";
import { findEndpoint } from "../endpoint.ts";
import { Exit, type ExitCode, Failure } from "../exit.ts";
import { runThere } from "../remote/run-there.ts";
import { padTo } from "../text.ts";
import type { Context } from "../verb-spec.ts";
import type { doctorFlags } from "../verb-table-house.ts";

const WORDS: Record<Grade, string> = { well: "ok", note: "note", wrong: "WRONG" };
const STYLES = { well: "green", note: "yellow", wrong: "red" } as const;

export async function run(invocation: Invocation<typeof doctorFlags>, context: Context): Promise<ExitCode> {
  const { host } = invocation.endpoint;
  if (host !== undefined) return runThere("doctor", { endpoint: { host }, flags: invocation.flags }, context);
  const { env, cwd, out } = context;
  const { stateRoot, socketPath, namedBy } = await findEndpoint({
    words: invocation.endpoint,
    env,
    cwd,
    mayStart: true,
  });
  if (stateRoot === null)
    throw new Failure(`Nothing tells whose state ${socketPath} serves. Name a --state-root.`);
  const found = findings(await look({ stateRoot, namedBy }, env));
  if (invocation.flags.json) out.json(found);
  else for (const finding of found) tell(finding, context);
  return found.some(({ grade }) => grade === "wrong") ? Exit.failed : Exit.done;
}

function tell({ grade, what, found, fix }: Finding, { out }: Context): void {
  const word = padTo(WORDS[grade], 5);
  const shown = out.colour ? styleText(STYLES[grade], word, { validateStream: false }) : word;
  out.line(`${shown}  ${padTo(what, 17)}  ${found}`);
  if (fix !== null) out.line(`${" ".repeat(26)}→ ${fix}`);
}
