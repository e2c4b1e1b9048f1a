import { rm, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { shortId } from "@kolu/contract/ids.ts";
import type { ReadTranscript } from "@kolu/contract/transcript.ts";
import { pageFileName } from "@kolu/transcript/file-name.ts";
import { type PageOptions, renderPage } from "@kolu/transcript/page.ts";
import { countOf } from "@kolu/transcript/text.ts";
import { displayAgent } from "../agent-names.ts";
import type { Invocation } from "../arguments.ts";
import { Exit, type ExitCode, Failure, UsageError } from "../exit.ts";
import { openPadi, resolveId } from "../padi-link.ts";
import type { Context, exportFlags } from "../verb-table.ts";

export async function run(invocation: Invocation<typeof exportFlags>, context: Context): Promise<ExitCode> {
  const { out, signal } = context;
  const { chat, full, output, force } = invocation.flags;
  if (chat && full) throw new UsageError("--chat and --full exclude each other.");
  await using link = await openPadi(invocation, context);
  const id = await resolveId(link, invocation.operands[0]!, signal);
  const transcript = await link.client.call("transcript.read", { id }, { signal });
  const options: PageOptions = {
    mode: chat ? "chat" : "full",
    agentName: displayAgent(transcript.agent),
    exportedAtMs: Date.now(),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
  const page = renderPage(transcript, options);
  if (output === "-") out.data(page);
  else {
    const path = await choosePath(output, pageFileName(transcript, options), context.cwd);
    await write(path, page, force);
    out.line(path);
  }
  out.say(`${shortId(id)} · ${summarise(transcript, options)}`);
  if (!chat) out.say("It holds what tools read and printed: look through it before you share it.");
  return Exit.done;
}

async function choosePath(output: string | undefined, name: string, cwd: string): Promise<string> {
  if (output === undefined) return resolve(cwd, name);
  const path = resolve(cwd, output);
  const found = await stat(path).catch(() => null); // Whatever is wrong with it, writing to it will say.
  return found?.isDirectory() ? join(path, name) : path;
}

/** Readable by its owner alone: who may see a conversation is for a person to say. Never leaves half a file. */
async function write(path: string, page: string, force: boolean): Promise<void> {
  try {
    await writeFile(path, page, { flag: force ? "w" : "wx", mode: 0o600 });
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === "EEXIST")
      throw new Failure(
        `${path} is there already. Name another with --output, or overwrite it with --force.`,
      );
    if (code === "ENOSPC" || code === "EIO") await rm(path, { force: true });
    throw new Failure(`The transcript could not be written: ${message}`, { cause });
  }
}

/** What the file holds, in a line. Pure. */
export function summarise(
  { items, skippedRecords, shortenedTexts }: ReadTranscript,
  { agentName, mode }: PageOptions,
): string {
  const count = (kind: ReadTranscript["items"][number]["kind"]): number =>
    items.filter((item) => item.kind === kind).length;
  return [
    `${agentName}, ${mode}: ${countOf(count("user"), "prompt")}, ${countOf(count("assistant"), "answer")}`,
    ...(mode === "full" ? [countOf(count("tool"), "tool call")] : []),
    ...(shortenedTexts > 0 ? [`${countOf(shortenedTexts, "long text")} cut`] : []),
    ...(skippedRecords > 0 ? [`${countOf(skippedRecords, "record")} unreadable`] : []),
  ].join(", ");
}
