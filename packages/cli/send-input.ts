// What `kolu send` puts into a terminal: decided from the words, before anything is read or sent. Pure.
import { ACCEPTED_KEYS, keyBytes } from "@kolu/contract/keys.ts";
import { refuse } from "@kolu/contract/refusals.ts";
import type { Invocation } from "./arguments.ts";
import { UsageError } from "./exit.ts";
import type { sendFlags } from "./verb-table.ts";

/** Where the text is. `paste` undefined: padi pastes several lines and types a single one. */
export type SendPlan =
  | { kind: "keys"; keys: string[] }
  | { kind: "words"; text: string; paste: boolean | undefined }
  | { kind: "file"; path: string; paste: boolean }
  | { kind: "stdin"; paste: boolean };

/** Throws UsageError or the refusals that padi would give, before any key of several is pressed. */
export function planSend({ operands, flags }: Invocation<typeof sendFlags>, stdinHasText: boolean): SendPlan {
  const words = operands.slice(1);
  const { key: keys, file, paste, "no-paste": noPaste } = flags;
  if (paste && noPaste) throw new UsageError("--paste and --no-paste exclude each other.");
  if (words.length > 0 && file !== undefined)
    throw new UsageError("Text comes from the words or from --file, not from both.");
  if (keys.length > 0) {
    if (words.length > 0 || file !== undefined)
      throw refuse(
        "text-and-key",
        {},
        "Send text or keys, not both: the Enter that submits goes in a call of its own, after the screen has settled.",
      );
    if (paste || noPaste) throw new UsageError("--paste and --no-paste are about text, not about keys.");
    return { kind: "keys", keys: keys.map(acceptKey) };
  }
  const chosen = paste ? true : noPaste ? false : undefined;
  if (file !== undefined && file !== "-") return { kind: "file", path: file, paste: chosen ?? true };
  if (words.length > 0) {
    const text = words.join(" ");
    if (text === "") throw emptyText();
    return { kind: "words", text, paste: chosen };
  }
  if (file === undefined && !stdinHasText)
    throw refuse("no-input", {}, "Nothing to send: give text, --file, --key, or pipe text in.");
  return { kind: "stdin", paste: chosen ?? true };
}

function acceptKey(key: string): string {
  if (keyBytes(key) === null)
    throw refuse("key-refused", { key }, `${JSON.stringify(key)} is no key. Keys: ${ACCEPTED_KEYS}`);
  return key;
}

export function emptyText(): Error {
  return refuse("text-refused", {}, "The text is empty. Is a shell variable unset? Keys go through --key.");
}

/** The text of a file or pipe: valid UTF-8, without the newline that ends a file. */
export function readableText(bytes: Uint8Array, from: string): string {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refuse("text-refused", {}, `${from} is not UTF-8 text: a terminal could not read it back.`);
  }
  const trimmed = text.replace(/\r?\n$/, "");
  if (trimmed === "") throw emptyText();
  return trimmed;
}
