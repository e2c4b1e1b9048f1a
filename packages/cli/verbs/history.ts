import { shortId, type TerminalId } from "@kolu/contract/ids.ts";
import type { Invocation } from "../arguments.ts";
import { Exit, type ExitCode, Failure } from "../exit.ts";
import { openPadi, type PadiLink, resolveId } from "../padi-link.ts";
import type { Context, historyFlags } from "../verb-table.ts";

/** Lines asked for at a time. */
const PAGE_LINES = 1_000;

export async function run(invocation: Invocation<typeof historyFlags>, context: Context): Promise<ExitCode> {
  const { out, signal } = context;
  await using link = await openPadi(invocation, context);
  const id = await resolveId(link, invocation.operands[0]!, signal);
  const lines = await readHistory(link, id, invocation.flags.lines ?? Number.POSITIVE_INFINITY, signal);
  // Nothing is printed before everything is here: half a history that looks whole would mislead.
  for (const line of lines) out.line(line);
  out.say(`${shortId(id)} · ${lines.length} ${lines.length === 1 ? "line" : "lines"} above the screen`);
  return Exit.done;
}

/** The newest `wantedLines` lines above the screen, oldest first. Rejects when a reflow moves them meanwhile. */
async function readHistory(
  link: PadiLink,
  id: TerminalId,
  wantedLines: number,
  signal: AbortSignal,
): Promise<string[]> {
  const pages: string[][] = [];
  let missing = wantedLines;
  let above: { before: number; epoch: number } | undefined;
  while (missing > 0) {
    const maxLines = Math.min(missing, PAGE_LINES);
    const page = await link.client.call("screen.history", { id, maxLines, ...above }, { signal });
    if (page.kind === "stale")
      throw new Failure(
        "The terminal was resized while its history was read, which moves the lines. Try again.",
      );
    pages.unshift(page.lines);
    missing -= page.lines.length;
    above = { before: page.topLine, epoch: page.epoch };
    if (page.exhausted || page.lines.length === 0) break;
  }
  return pages.flat();
}
