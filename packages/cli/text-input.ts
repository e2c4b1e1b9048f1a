// Text that a verb takes from a file or from stdin.
import { fstatSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { Failure } from "./exit.ts";
import { readableText } from "./send-input.ts";
import type { Context } from "./verb-spec.ts";

/** A terminal or /dev/null has nothing for us; a pipe, a socket or a file may. */
export function stdinHasText(): boolean {
  try {
    const stats = fstatSync(0);
    return stats.isFIFO() || stats.isFile() || stats.isSocket();
  } catch {
    // Closed stdin.
    return false;
  }
}

/** Rejects with a Failure, or with `text-refused` for what is no text. */
export async function readTextFile(path: string, { cwd }: Context): Promise<string> {
  const bytes = await readFile(resolve(cwd, path)).catch((cause: Error) => {
    throw new Failure(`--file ${path} cannot be read: ${cause.message}`, { cause });
  });
  return readableText(bytes, path);
}

export async function readTextFromStdin({ signal }: Context): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin.iterator({ destroyOnReturn: true })) {
    signal.throwIfAborted();
    chunks.push(chunk as Buffer);
  }
  return readableText(Buffer.concat(chunks), "stdin");
}
