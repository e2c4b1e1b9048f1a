// A file of lines, read once from its start to its end: for a whole conversation. tail.ts is for following one.
import { createReadStream } from "node:fs";
import { LINE_MAX_BYTES } from "./tail.ts";

/** One read; between two the event loop has its turn, so that a long file delays nobody by more than a chunk's parsing. */
const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 10;

/**
 * Hands every line to `take`, oldest first, without its newline; empty ones are left out. A last line without a newline is
 * handed over too: whoever parses it finds out whether it is whole.
 * @returns how many lines were too long to be read (`LINE_MAX_BYTES`); null when there is no such file
 * @throws when the file cannot be read for another reason than being absent
 */
export async function readLines(
  path: string,
  take: (line: string) => void,
): Promise<{ skippedLines: number } | null> {
  let torn: Buffer[] = [];
  let tornBytes = 0;
  let skippedLines = 0;

  const append = (piece: Buffer): void => {
    tornBytes += piece.length;
    if (tornBytes <= LINE_MAX_BYTES) torn.push(piece);
    else torn = [];
  };
  const endLine = (): void => {
    if (tornBytes > LINE_MAX_BYTES) skippedLines += 1;
    else if (tornBytes > 0) take(Buffer.concat(torn).toString("utf8"));
    torn = [];
    tornBytes = 0;
  };

  try {
    const chunks: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: CHUNK_BYTES });
    for await (const chunk of chunks) {
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
        append(chunk.subarray(from, end));
        endLine();
        from = end + 1;
      }
      append(chunk.subarray(from));
    }
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new Error(`cannot read ${path}`, { cause });
  }
  endLine();
  return { skippedLines };
}
