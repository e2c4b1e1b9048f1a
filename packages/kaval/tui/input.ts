// What `kaval-tui send` types: decided from the words, read, then encoded.
import { fstatSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { ACCEPTED_KEYS, bracketedPaste, keyBytes } from "@kolu/contract/keys.ts";
import { type Invocation, UsageError } from "./arguments.ts";
import { Failure } from "./endpoint.ts";

export interface Input {
  text: string;
  paste: boolean;
  keys: string[];
}

/** Rejects with UsageError, or with Failure when a file cannot be read. */
export async function readInput(invocation: Invocation): Promise<Input> {
  const words = [...invocation.operands.slice(1), ...(invocation.command ?? [])];
  const keys = invocation.texts.get("key") ?? [];
  const file = invocation.texts.get("file")?.[0];
  const wanted = pasteWanted(invocation.switches);
  if (words.length > 0 && file !== undefined)
    throw new UsageError("Text comes from the words or from --file, not from both.");
  if (keys.length > 0) {
    if (words.length > 0 || file !== undefined)
      throw new UsageError("Send text or keys, not both: the Enter that submits goes in a call of its own.");
    if (wanted !== null) throw new UsageError("--paste and --no-paste are about text, not about keys.");
    return { text: keys.map(bytesOf).join(""), paste: false, keys };
  }
  if (words.length > 0) {
    const text = words.join(" ");
    return encode(text, wanted ?? text.includes("\n"));
  }
  return encode(file === undefined ? await readPiped() : await readNamed(file), wanted ?? true);
}

function pasteWanted(switches: Set<string>): boolean | null {
  if (switches.has("paste") && switches.has("no-paste"))
    throw new UsageError("--paste and --no-paste exclude each other.");
  return switches.has("paste") ? true : switches.has("no-paste") ? false : null;
}

function bytesOf(key: string): string {
  const bytes = keyBytes(key);
  if (bytes === null) throw new UsageError(`${JSON.stringify(key)} is no key. Keys: ${ACCEPTED_KEYS}`);
  return bytes;
}

function encode(text: string, paste: boolean): Input {
  if (text === "")
    throw new UsageError("The text is empty. Is a shell variable unset? Keys go through --key.");
  return { text: paste ? bracketedPaste(text) : text, paste, keys: [] };
}

async function readNamed(path: string): Promise<string> {
  const bytes = await readFile(path).catch((cause: Error) => {
    throw new Failure(`--file ${path} cannot be read: ${cause.message}`, { cause });
  });
  return textOf(bytes, path);
}

async function readPiped(): Promise<string> {
  if (!stdinIsPiped()) throw new UsageError("Nothing to send: give text, --file, --key, or pipe text in.");
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return textOf(Buffer.concat(chunks), "stdin");
}

/** A terminal or /dev/null has nothing for us. */
function stdinIsPiped(): boolean {
  try {
    const stats = fstatSync(0);
    return stats.isFIFO() || stats.isFile() || stats.isSocket();
  } catch {
    // stdin is closed.
    return false;
  }
}

/** UTF-8 text without the newline that ends a file. */
function textOf(bytes: Uint8Array, from: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes).replace(/\r?\n$/, "");
  } catch {
    throw new UsageError(`${from} is not UTF-8 text: a terminal could not read it back.`);
  }
}
