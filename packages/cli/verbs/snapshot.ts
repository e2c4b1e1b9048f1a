import { shortId } from "@kolu/contract/ids.ts";
import type { Invocation } from "../arguments.ts";
import { Exit, type ExitCode } from "../exit.ts";
import { openPadi, resolveId } from "../padi-link.ts";
import type { Context, snapshotFlags } from "../verb-table.ts";

export async function run(invocation: Invocation<typeof snapshotFlags>, context: Context): Promise<ExitCode> {
  const { out, signal } = context;
  const { tail } = invocation.flags;
  await using link = await openPadi(invocation, context);
  const id = await resolveId(link, invocation.operands[0]!, signal);
  const extent = tail === undefined ? ({ kind: "all" } as const) : ({ kind: "tail", lines: tail } as const);
  const { text } = await link.client.call("screen.text", { id, extent }, { signal });
  if (text !== "") out.line(text);
  const lineCount = text === "" ? 0 : text.split("\n").length;
  out.say(`${shortId(id)} · ${lineCount} ${lineCount === 1 ? "line" : "lines"}`);
  return Exit.done;
}
