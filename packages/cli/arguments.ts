// argv -> one invocation, by a declarative table. Pure: nothing is read, nothing is started. Words are split by Node's own
// parser; the judging is ours, so that each mistake gets a sentence that says what to do.
import { parseArgs } from "node:util";
import { TIMER_MAX_MS } from "@kolu/contract/limits.ts";
import { UsageError } from "./exit.ts";

export type FlagSpec =
  /** Given or not. */
  | { kind: "switch"; help: string }
  /** One word, never blank. `value` is how help names it. */
  | { kind: "text"; value: string; help: string }
  /** May be given several times; the order is kept. */
  | { kind: "texts"; value: string; help: string }
  /** A plain whole number of `value` ("ms", "lines"), at least `min`. */
  | { kind: "integer"; value: string; min: number; max?: number; help: string }
  /** "500ms", "60s", "5m", "2h", "1d", or plain milliseconds; read as milliseconds. */
  | { kind: "duration"; value: string; minMs: number; help: string }
  /** Known, and refused with this sentence. */
  | { kind: "refused"; takesValue: boolean; sentence: string };

export type FlagSpecs = Record<string, FlagSpec>;

export type FlagValue<S extends FlagSpec> = S extends { kind: "switch" }
  ? boolean
  : S extends { kind: "text" }
    ? string | undefined
    : S extends { kind: "texts" }
      ? string[]
      : S extends { kind: "integer" | "duration" }
        ? number | undefined
        : never;
export type FlagValues<F extends FlagSpecs> = { [K in keyof F]: FlagValue<F[K]> };

/** Where a verb finds its padi; the same three flags for every verb, on either side of it. */
export const endpointFlags = {
  socket: { kind: "text", value: "path", help: "talk to the padi on this unix socket" },
  "state-root": { kind: "text", value: "dir", help: "talk to the padi of this state root" },
  host: { kind: "text", value: "user@host", help: "talk to the padi of another machine, over ssh" },
} as const satisfies FlagSpecs;

/** What a verb accepts. */
export interface VerbShape {
  /** How usage names the operands: "<id> [text...]". */
  operands: string;
  minOperands: number;
  maxOperands: number;
  /** True: words after `--` are a command line. False: they are operands that may begin with a dash. */
  takesCommand: boolean;
  flags: FlagSpecs;
}

export interface Invocation<F extends FlagSpecs = FlagSpecs> {
  operands: string[];
  /** Words after `--`; null when there was no `--` or the verb takes no command. */
  command: string[] | null;
  flags: FlagValues<F>;
  endpoint: FlagValues<typeof endpointFlags>;
}

/** What the words before any verb-specific reading say. */
export type Route =
  | { kind: "bare" }
  | { kind: "help"; verb: string | null }
  | { kind: "version" }
  | { kind: "verb"; verb: string; words: string[] };

/** Finds the verb; only endpoint flags may stand before it. Words after the first `--` are never looked at. */
export function parseRoute(argv: readonly string[]): Route {
  const dashes = argv.indexOf("--");
  const head = dashes === -1 ? argv : argv.slice(0, dashes);
  const verbIndex = indexOfVerb(head);
  const verb = verbIndex === -1 ? null : head[verbIndex]!;
  if (head.includes("--help") || head.includes("-h")) return { kind: "help", verb };
  if (verb === "help") return { kind: "help", verb: head[verbIndex + 1] ?? null };
  if (head.includes("--version") || head.includes("-v")) return { kind: "version" };
  if (verb === null) {
    const stray = head.find((word) => word.startsWith("-") && !isEndpointWord(word));
    if (stray !== undefined) throw unknownFlag(stray, Object.keys(endpointFlags));
    return { kind: "bare" };
  }
  return { kind: "verb", verb, words: argv.filter((_, index) => index !== verbIndex) };
}

function isEndpointWord(word: string): boolean {
  return word.startsWith("--") && Object.hasOwn(endpointFlags, word.slice(2).split("=")[0]!);
}

/** The first word that is no flag, which names what the flags belong to; null when there is none. */
export function firstOperand(words: readonly string[]): string | null {
  return words[indexOfVerb(words)] ?? null;
}

function indexOfVerb(words: readonly string[]): number {
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    if (!word.startsWith("-")) return index;
    if (!isEndpointWord(word)) {
      if (["-h", "--help", "-v", "--version"].includes(word)) continue;
      // A verb's own flag stands before it. Saying so beats taking the flag's value for the verb.
      if (words.slice(index + 1).some((next) => !next.startsWith("-")))
        throw new UsageError(
          `${word} stands before the verb: only --socket, --state-root and --host may. Put it after the verb.`,
        );
      return -1;
    }
    if (!word.includes("=")) index += 1;
  }
  return -1;
}

/** Reads the words of one verb. Throws UsageError. */
export function parseInvocation<F extends FlagSpecs>(
  shape: VerbShape & { flags: F },
  words: readonly string[],
): Invocation<F> {
  const specs: FlagSpecs = { ...shape.flags, ...endpointFlags };
  const { tokens } = parseArgs({
    args: [...words],
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: Object.fromEntries(
      Object.entries(specs).map(([name, spec]) => [name, { type: takesValue(spec) ? "string" : "boolean" }]),
    ),
  });
  const values = new Map<string, string[]>();
  const operands: string[] = [];
  let terminatorSeen = false;
  let command: string[] | null = null;
  for (const token of tokens) {
    if (token.kind === "option-terminator") {
      terminatorSeen = true;
      if (shape.takesCommand) command = [];
    } else if (token.kind === "positional") {
      if (terminatorSeen && command) command.push(token.value);
      else operands.push(token.value);
    } else {
      const spec = Object.hasOwn(specs, token.name) ? specs[token.name] : undefined;
      if (!spec || !token.rawName.startsWith("--")) throw unknownFlag(token.rawName, Object.keys(specs));
      values.set(token.name, [...(values.get(token.name) ?? []), readWord(spec, token)]);
    }
  }
  const read = (names: FlagSpecs): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(names).map(([name, spec]) => [name, readFlag(name, spec, values.get(name) ?? [])]),
    );
  const endpoint = read(endpointFlags) as Invocation["endpoint"];
  assertOneEndpoint(endpoint);
  const flags = read(shape.flags) as FlagValues<F>;
  assertOperands(shape, operands);
  return { operands, command, flags, endpoint };
}

function takesValue(spec: FlagSpec): boolean {
  return spec.kind === "refused" ? spec.takesValue : spec.kind !== "switch";
}

function readWord(
  spec: FlagSpec,
  token: { rawName: string; value?: string | undefined; inlineValue?: boolean | undefined },
): string {
  const { rawName, value, inlineValue } = token;
  if (spec.kind === "refused") throw new UsageError(`${rawName} ${spec.sentence}`);
  if (spec.kind === "switch") {
    if (value !== undefined) throw new UsageError(`${rawName} is a switch and takes no value.`);
    return "";
  }
  if (value === undefined) throw new UsageError(`${rawName} needs a value: ${rawName} <${spec.value}>`);
  if (!inlineValue && value.startsWith("-") && value !== "-")
    throw new UsageError(
      `${rawName} needs a value, but ${value} follows. If that is the value: ${rawName}=${value}`,
    );
  if (value.trim() === "")
    throw new UsageError(
      `${rawName} is blank. Is a shell variable unset? Leave the flag out or give it a value.`,
    );
  return value;
}

function readFlag(name: string, spec: FlagSpec, given: string[]): FlagValue<FlagSpec> | undefined {
  if (spec.kind === "switch") return given.length > 0;
  if (spec.kind === "texts") return given;
  if (given.length > 1) throw new UsageError(`--${name} is given ${given.length} times: once is enough.`);
  const word = given[0];
  if (word === undefined || spec.kind === "refused") return undefined;
  if (spec.kind === "duration") return readDuration(`--${name}`, word, spec.minMs);
  return spec.kind === "integer" ? readInteger(`--${name}`, word, spec) : word;
}

const UNIT_MS: Record<string, number> = { "": 1, ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function readDuration(flag: string, word: string, minMs: number): number {
  const [, digits, unit = ""] = /^(\d+)(ms|s|m|h|d)?$/.exec(word.trim().toLowerCase()) ?? [];
  const ms = digits === undefined ? Number.NaN : Number(digits) * UNIT_MS[unit]!;
  if (Number.isNaN(ms) || ms < minMs || ms > TIMER_MAX_MS)
    throw new UsageError(
      `${flag} takes a time such as 500ms, 60s, 5m, 2h or 1d, at most 24 days; not ${JSON.stringify(word)}.`,
    );
  return ms;
}

function readInteger(flag: string, word: string, spec: { value: string; min: number; max?: number }): number {
  const max = spec.max ?? Number.MAX_SAFE_INTEGER;
  const value = /^\d+$/.test(word.trim()) ? Number(word.trim()) : Number.NaN;
  if (Number.isNaN(value) || value < spec.min || value > max) {
    const bounds = spec.max === undefined ? `${spec.min} or more` : `${spec.min} to ${spec.max}`;
    throw new UsageError(
      `${flag} takes a whole number of ${spec.value}, ${bounds}; not ${JSON.stringify(word)}.`,
    );
  }
  return value;
}

function assertOneEndpoint(endpoint: Invocation["endpoint"]): void {
  const given = Object.entries(endpoint).filter(([, value]) => value !== undefined);
  if (given.length > 1) {
    const names = given.map(([name]) => `--${name}`).join(" and ");
    throw new UsageError(`${names} exclude each other: each alone says which padi to talk to.`);
  }
}

function assertOperands(shape: VerbShape, operands: string[]): void {
  if (operands.some((operand, index) => index < shape.minOperands && operand.trim() === ""))
    throw new UsageError(`${shape.operands} is blank. Is a shell variable unset?`);
  if (operands.length < shape.minOperands) throw new UsageError(`Missing: ${shape.operands}`);
  if (operands.length > shape.maxOperands) {
    const extra = operands.slice(shape.maxOperands).map((word) => JSON.stringify(word));
    const hint = shape.takesCommand ? " A command goes after --." : "";
    throw new UsageError(`Unexpected: ${extra.join(" ")}.${hint}`);
  }
}

function unknownFlag(rawName: string, known: readonly string[]): UsageError {
  const near = nearest(rawName.replace(/^-+/, ""), known);
  const hint = near === null ? "" : ` Did you mean --${near}?`;
  return new UsageError(`Unknown flag ${rawName}.${hint} Text that begins with a dash goes after --.`);
}

/** The known word at most two edits away from what was typed, or null. */
export function nearest(typed: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let bestDistance = Math.min(2, typed.length - 1) + 1;
  for (const word of known) {
    const distance = editDistance(typed, word);
    if (distance < bestDistance) [best, bestDistance] = [word, distance];
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
    row = next;
  }
  return row[b.length]!;
}
