// What a verb may say, and where: stdout carries data alone, stderr carries talk, each line of it branded.
import { fit, neutralise } from "./text.ts";

/** The brand in front of every line on stderr. */
const BRAND = "kolu: ";

export interface Output {
  /** Writes data as it is. */
  data(text: string): void;
  /** Writes data that is no text. */
  bytes(data: Uint8Array): void;
  /** Writes one line of data. */
  line(text: string): void;
  /** Writes one JSON document: compact for programs, indented for a person. */
  json(value: unknown): void;
  /** Writes one JSON object on a line of its own, whoever reads. */
  ndjson(value: unknown): void;
  /** Writes the cells of one line of a feed, made harmless and cut to the width. */
  row(cells: readonly string[]): void;
  /** Talks to a person on stderr; control characters in what others named are made harmless. */
  say(text: string): void;
  /** Prose of our own on stderr, without the brand: the list of verbs. */
  sayPlain(text: string): void;
  /** Columns to fit lines to; null when stdout is no terminal: then nothing is cut. */
  widthCols: number | null;
  /** Whether data may carry colour. */
  colour: boolean;
}

export function processOutput(env: NodeJS.ProcessEnv): Output {
  const isTty = process.stdout.isTTY === true;
  const write = (text: string): void => {
    process.stdout.write(text);
  };
  return {
    data: write,
    bytes: (data) => {
      process.stdout.write(data);
    },
    line: (text) => write(`${text}\n`),
    json: (value) => write(`${JSON.stringify(value, null, isTty ? 2 : 0)}\n`),
    ndjson: (value) => write(`${JSON.stringify(value)}\n`),
    row: (cells) => {
      const line = cells.map(neutralise).join("  ");
      write(`${isTty ? fit(line, process.stdout.columns ?? 80) : line}\n`);
    },
    say: (text) => {
      process.stderr.write(brandLines(text));
    },
    sayPlain: (text) => {
      process.stderr.write(text);
    },
    widthCols: isTty ? (process.stdout.columns ?? 80) : null,
    colour: isTty && !env.NO_COLOR && env.TERM !== "dumb",
  };
}

export function brandLines(text: string): string {
  return text
    .split("\n")
    .map((line) => `${BRAND}${neutralise(line)}\n`)
    .join("");
}

/**
 * A reader that hangs up (`kolu ls | head -1`) is a clean end: the rest of the data is for nobody. Without this the
 * write error would end the process with a stack trace.
 */
export function endQuietlyWhenReaderLeaves(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  });
  // Nobody reads our talk: go on without it.
  process.stderr.on("error", () => {});
}

/** Resolves when everything written so far has left the process. */
export async function flushed(): Promise<void> {
  for (const stream of [process.stdout, process.stderr])
    await new Promise<void>((resolve) => stream.write("", () => resolve()));
}
