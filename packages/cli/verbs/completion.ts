import { shortId } from "@kolu/contract/ids.ts";
import type { Invocation } from "../arguments.ts";
import { completionFor, SHELLS } from "../completion.ts";
import { Exit, type ExitCode, Failure, UsageError } from "../exit.ts";
import { openPadi } from "../padi-link.ts";
import { stateCell } from "../record-cells.ts";
import { neutralise } from "../text.ts";
import type { Context, VerbTable } from "../verb-spec.ts";

/** The scripts ask for this word themselves: the ids of the moment, each with what it is. */
const IDS = "ids";

export async function run(
  invocation: Invocation<Record<never, never>>,
  context: Context,
  verbs: VerbTable,
): Promise<ExitCode> {
  const word = invocation.operands[0]!;
  if (word === IDS) return printIds(invocation, context);
  const shell = SHELLS.find((name) => name === word);
  if (shell === undefined)
    throw new UsageError(`No completion for ${JSON.stringify(word)}: there is ${SHELLS.join(", ")}.`);
  context.out.data(completionFor(shell, verbs));
  return Exit.done;
}

/** Prints nothing where no kolu runs: a person who presses Tab wants no error. */
async function printIds(invocation: Pick<Invocation, "endpoint">, context: Context): Promise<ExitCode> {
  const link = await openPadi(invocation, context).catch((error: unknown) => {
    if (error instanceof Failure) return null;
    throw error;
  });
  if (link === null) return Exit.done;
  await using open = link;
  const { terminals } = await open.client.call("terminals.list", {}, { signal: context.signal });
  for (const record of terminals) {
    const what = record.intent ?? record.agent?.title ?? record.foreground?.name ?? stateCell(record);
    context.out.line(`${shortId(record.id)}\t${neutralise(what)}`);
  }
  return Exit.done;
}
