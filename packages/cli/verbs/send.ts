import { shortId, type TerminalId } from "@kolu/contract/ids.ts";
import { keyBytes } from "@kolu/contract/keys.ts";
import type { Invocation } from "../arguments.ts";
import { Exit, type ExitCode, Failure } from "../exit.ts";
import { openPadi, type PadiLink, resolveId } from "../padi-link.ts";
import { planSend, type SendPlan } from "../send-input.ts";
import { readTextFile, readTextFromStdin, stdinHasText } from "../text-input.ts";
import type { Context, sendFlags } from "../verb-table.ts";

/** A terminal that takes this long to accept input is stalled. */
const SEND_TIMEOUT_MS = 8_000;

interface Sent {
  bytes: number;
  paste: boolean;
  keys: string[];
  cursor: string;
}
type Input = { key: string } | { text: string; paste?: boolean };

export async function run(invocation: Invocation<typeof sendFlags>, context: Context): Promise<ExitCode> {
  const plan = planSend(invocation, stdinHasText());
  const inputs = await readInputs(plan, context);
  await using link = await openPadi(invocation, context);
  const id = await resolveId(link, invocation.operands[0]!, context.signal);
  const sent = await sendAll(link, id, inputs, context.signal);
  if (invocation.flags.json) context.out.json({ id, ...sent });
  const how = [sent.paste ? " · pasted" : "", sent.keys.length > 0 ? ` · keys: ${sent.keys.join(", ")}` : ""];
  context.out.say(`sent ${sent.bytes} bytes to ${shortId(id)}${how.join("")}`);
  return Exit.done;
}

async function readInputs(plan: SendPlan, context: Context): Promise<Input[]> {
  switch (plan.kind) {
    case "keys":
      return plan.keys.map((key) => ({ key }));
    case "words":
      return [{ text: plan.text, ...(plan.paste === undefined ? {} : { paste: plan.paste }) }];
    case "file":
      return [{ text: await readTextFile(plan.path, context), paste: plan.paste }];
    case "stdin":
      return [{ text: await readTextFromStdin(context), paste: plan.paste }];
    default:
      return plan satisfies never;
  }
}

async function sendAll(
  link: PadiLink,
  id: TerminalId,
  inputs: readonly Input[],
  signal: AbortSignal,
): Promise<Sent> {
  const total: Sent = { bytes: 0, paste: false, keys: [], cursor: "" };
  for (const input of inputs) {
    const { sent, cursor } = await sendOne(link, id, input, signal);
    total.cursor = cursor;
    if ("key" in sent) {
      total.keys.push(sent.key);
      total.bytes += Buffer.byteLength(keyBytes(sent.key) ?? "");
    } else {
      total.bytes += sent.textBytes;
      total.paste = sent.pasted;
    }
  }
  return total;
}

async function sendOne(link: PadiLink, id: TerminalId, input: Input, signal: AbortSignal) {
  const deadline = AbortSignal.timeout(SEND_TIMEOUT_MS);
  try {
    return await link.client.call(
      "terminal.sendInput",
      { id, ...input },
      { signal: AbortSignal.any([signal, deadline]) },
    );
  } catch (cause) {
    if (!deadline.aborted) throw cause;
    throw new Failure(
      `stalled: ${shortId(id)} did not take the input within ${SEND_TIMEOUT_MS / 1000} s. Part of it may have arrived: look at the screen.`,
      { cause },
    );
  }
}
