// The streams of one run: stdout carries data alone, stderr carries talk, each line of it branded.

const BRAND = "kaval-tui: ";

/** Exit codes. Nothing else decides one. */
export const Exit = { done: 0, failed: 1, timedOut: 2, gone: 3, interrupted: 130 } as const;

export interface Io {
  /** Data, as it is. */
  data(text: string): void;
  json(value: unknown): void;
  /** A sentence for a person. */
  say(text: string): void;
  /** Aborted by SIGINT and SIGTERM. */
  signal: AbortSignal;
}

// Controls act on the terminal that prints them.
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g;

/** Text of other people, harmless on one line. */
export function neutralise(text: string): string {
  return text.replace(CONTROLS, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : "\ufffd";
  });
}

export function processIo(signal: AbortSignal): Io {
  return {
    data: (text) => void process.stdout.write(text),
    json: (value) => void process.stdout.write(`${JSON.stringify(value)}\n`),
    say: (text) => {
      const lines = text.split("\n").map((line) => `${BRAND}${neutralise(line)}\n`);
      process.stderr.write(lines.join(""));
    },
    signal,
  };
}

/** Columns two blanks apart, the last one ragged. */
export function formatTable(rows: string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join("  "))
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}
