import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { shortId } from "@kolu/contract/ids.ts";
import { PICTURE_ROWS_MAX } from "@kolu/contract/limits.ts";
import type { Invocation } from "../arguments.ts";
import { Exit, type ExitCode, Failure, UsageError } from "../exit.ts";
import { openPadi, resolveId } from "../padi-link.ts";
import type { Context, snapshotFlags } from "../verb-table.ts";

export async function run(invocation: Invocation<typeof snapshotFlags>, context: Context): Promise<ExitCode> {
  const { out, signal } = context;
  const { tail, png } = invocation.flags;
  if (png !== undefined) return savePicture(png, invocation, context);
  await using link = await openPadi(invocation, context);
  const id = await resolveId(link, invocation.operands[0]!, signal);
  const extent = tail === undefined ? ({ kind: "all" } as const) : ({ kind: "tail", lines: tail } as const);
  const { text } = await link.client.call("screen.text", { id, extent }, { signal });
  if (text !== "") out.line(text);
  const lineCount = text === "" ? 0 : text.split("\n").length;
  out.say(`${shortId(id)} · ${lineCount} ${lineCount === 1 ? "line" : "lines"}`);
  return Exit.done;
}

async function savePicture(
  file: string,
  invocation: Invocation<typeof snapshotFlags>,
  context: Context,
): Promise<ExitCode> {
  const { out, signal, cwd } = context;
  const { tail: lines } = invocation.flags;
  if (file.trim() === "") throw new UsageError("--png needs the name of a file, or - for stdout.");
  if (lines !== undefined && lines > PICTURE_ROWS_MAX)
    throw new UsageError(`A picture shows ${PICTURE_ROWS_MAX} lines at most: give --tail no more.`);
  await using link = await openPadi(invocation, context);
  const id = await resolveId(link, invocation.operands[0]!, signal);
  const picture = await link.client.call("screen.image", lines === undefined ? { id } : { id, lines }, {
    signal,
  });
  const bytes = Buffer.from(picture.data, "base64");
  const facts = `${shortId(id)} · ${picture.cols}x${picture.rows} · ${bytes.length} bytes`;
  if (file === "-") {
    out.bytes(bytes);
    out.say(facts);
    return Exit.done;
  }
  const path = resolve(cwd, file);
  await writeFile(path, bytes).catch((cause: Error) => {
    throw new Failure(`The picture cannot be written to ${path}: ${cause.message}`);
  });
  out.say(`${facts} -> ${file}`);
  return Exit.done;
}
