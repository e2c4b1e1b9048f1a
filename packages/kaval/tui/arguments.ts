// argv -> one invocation of kaval-tui. Pure.
import { parseArgs } from "node:util";

/** The command line asks for what cannot be. The sentence says what to write instead. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** How a flag is read: given or not, one word, several words, a whole number of at least 1. */
export type FlagKind = "switch" | "text" | "texts" | "count";

export interface VerbShape {
  /** How usage names what follows the verb. */
  usage: string;
  summary: string;
  minOperands: number;
  maxOperands: number;
  flags: Record<string, FlagKind>;
}

export interface Invocation {
  operands: string[];
  /** Words after `--`; null when there was none. */
  command: string[] | null;
  switches: Set<string>;
  texts: Map<string, string[]>;
  counts: Map<string, number>;
}

/** Which kaval is meant; for every verb, on either side of it. */
const ENDPOINT_FLAGS: Record<string, FlagKind> = { socket: "text", "state-root": "text" };

/** Words to verb; null when there is none. Only endpoint flags may stand before it. */
export function splitVerb(argv: readonly string[]): { verb: string | null; rest: string[] } {
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index]!;
    if (!word.startsWith("-")) return { verb: word, rest: argv.filter((_, at) => at !== index) };
    const isEndpoint = /^--(socket|state-root)(=|$)/.test(word);
    if (!isEndpoint) break;
    if (!word.includes("=")) index += 1;
  }
  return { verb: null, rest: [...argv] };
}

/** Throws UsageError. */
export function parseInvocation(shape: VerbShape, words: readonly string[]): Invocation {
  const kinds: Record<string, FlagKind> = { ...ENDPOINT_FLAGS, ...shape.flags };
  const { tokens } = parseArgs({
    args: [...words],
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: Object.fromEntries(
      Object.entries(kinds).map(([name, kind]) => [name, { type: kind === "switch" ? "boolean" : "string" }]),
    ),
  });
  const found: Invocation = {
    operands: [],
    command: null,
    switches: new Set(),
    texts: new Map(),
    counts: new Map(),
  };
  for (const token of tokens) {
    if (token.kind === "option-terminator") found.command = [];
    else if (token.kind === "positional") (found.command ?? found.operands).push(token.value);
    else readFlag(found, kinds, token);
  }
  if (found.operands.length < shape.minOperands || found.operands.length > shape.maxOperands)
    throw new UsageError(`usage: kaval-tui ${shape.usage}`);
  if (found.texts.has("socket") && found.texts.has("state-root"))
    throw new UsageError("--socket and --state-root both name a kaval: give one.");
  return found;
}

function readFlag(
  found: Invocation,
  kinds: Record<string, FlagKind>,
  token: { name: string; rawName: string; value?: string | undefined },
): void {
  const { name, rawName, value } = token;
  const kind = Object.hasOwn(kinds, name) && rawName.startsWith("--") ? kinds[name] : undefined;
  if (kind === undefined) throw new UsageError(`${rawName} is no flag here. See: kaval-tui --help`);
  if (kind === "switch") {
    if (value !== undefined) throw new UsageError(`--${name} takes no value.`);
    found.switches.add(name);
    return;
  }
  if (value === undefined || value.trim() === "")
    throw new UsageError(`--${name} needs a value; it was given a blank one. Is a shell variable unset?`);
  if (kind === "count") {
    const count = /^\d+$/.test(value) ? Number(value) : 0;
    if (!Number.isSafeInteger(count) || count < 1)
      throw new UsageError(`--${name} takes a whole number of at least 1, not ${JSON.stringify(value)}.`);
    found.counts.set(name, count);
    return;
  }
  const before = found.texts.get(name) ?? [];
  if (kind === "text" && before.length > 0) throw new UsageError(`--${name} is given twice.`);
  found.texts.set(name, [...before, value]);
}
