import { shortId } from "@kolu/contract/ids.ts";
import type { PromptReceipt } from "@kolu/contract/prompt.ts";
import { refuse } from "@kolu/contract/refusals.ts";
import { nameAgent } from "../agent-names.ts";
import type { Invocation } from "../arguments.ts";
import { Exit, type ExitCode, UsageError } from "../exit.ts";
import { openPadi, resolveId } from "../padi-link.ts";
import { emptyText } from "../send-input.ts";
import { formatDuration } from "../text.ts";
import { readTextFile, readTextFromStdin, stdinHasText } from "../text-input.ts";
import type { Context } from "../verb-spec.ts";
import type { promptFlags } from "../verb-table-driving.ts";

export async function run(invocation: Invocation<typeof promptFlags>, context: Context): Promise<ExitCode> {
  const { timeout, json } = invocation.flags;
  const text = await textOf(invocation, context);
  await using link = await openPadi(invocation, context);
  const { signal, out } = context;
  const id = await resolveId(link, invocation.operands[0]!, signal);
  const params = { id, text, ...(timeout === undefined ? {} : { timeoutMs: timeout }) };
  const receipt = await link.client.call("terminal.prompt", params, { signal });
  if (json) out.json(receipt);
  out.say(describe(receipt));
  return exitOf(receipt);
}

async function textOf(
  { operands, flags }: Invocation<typeof promptFlags>,
  context: Context,
): Promise<string> {
  const words = operands.slice(1);
  if (words.length > 0 && flags.file !== undefined)
    throw new UsageError("The prompt comes from the words or from --file, not from both.");
  if (words.length > 0) {
    const text = words.join(" ");
    if (text.trim() === "") throw emptyText();
    return text;
  }
  if (flags.file !== undefined && flags.file !== "-") return readTextFile(flags.file, context);
  if (flags.file === undefined && !stdinHasText())
    throw refuse("no-input", {}, "Nothing to prompt with: give text, --file, or pipe text in.");
  return readTextFromStdin(context);
}

function describe(receipt: PromptReceipt): string {
  const short = shortId(receipt.id);
  const agent = receipt.agent === null ? "the agent" : nameAgent(receipt.agent.kind);
  const took = formatDuration(receipt.elapsedMs);
  switch (receipt.outcome) {
    case "accepted":
      return `${short} · ${agent} took it within ${took} (seen in its ${receipt.evidence})`;
    case "staged":
      return `${short} · it stands in the composer and is not submitted. Look at the screen, then: kolu send ${short} --key Enter`;
    case "blocked":
      return `${short} · ${agent} asks something first${receipt.submitted ? ", and the prompt may be waiting behind it" : ""}. Look at the screen: kolu snapshot ${short} --tail 40`;
    case "timeout":
      return `${short} · nothing told within ${took} whether ${agent} took it (${receipt.submitted ? "Enter was pressed" : "Enter was not pressed"}). Look at the screen before you send it again.`;
    default:
      return receipt satisfies never;
  }
}

function exitOf({ outcome }: PromptReceipt): ExitCode {
  switch (outcome) {
    case "accepted":
      return Exit.done;
    case "staged":
    case "blocked":
      return Exit.failed;
    case "timeout":
      return Exit.timedOut;
    default:
      return outcome satisfies never;
  }
}
