// One row of the table in verbs.ts: what it is made of.
import type { z } from "zod";
import { TerminalId } from "./ids.ts";
import type { PadiContract } from "./padi.ts";
import type { RefusalKind } from "./refusals.ts";
import type { CallNames, ParamsOf, ResultOf } from "./rpc.ts";

/** What a host may tell a person before it lets an agent call. */
export interface VerbAnnotations {
  /** Changes nothing. */
  readOnly: boolean;
  /** May end work that cannot be brought back. */
  destructive: boolean;
  /** Calling it again with the same input changes nothing more. */
  idempotent: boolean;
}

/** What a face knows of the one who calls through it. */
export interface Caller {
  /** KAVAL_TERMINAL_ID of the face's own environment, as it is; null when it is not set. */
  terminalId: string | null;
}

type Method = CallNames<PadiContract>;

export interface Verb<
  M extends Method = Method,
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
> {
  /** The tool's name: group and action. */
  name: string;
  /** For people, in a host's list. */
  title: string;
  /** For the agent: when to use it, and what follows. */
  description: string;
  method: M;
  input: I;
  output: O;
  toParams(input: z.output<I>, caller: Caller): ParamsOf<PadiContract, M>;
  toOutput(result: ResultOf<PadiContract, M>): z.input<O>;
  /** For a row whose answer is a picture: the file in base64, beside the facts that `toOutput` gives. */
  toImage?(result: ResultOf<PadiContract, M>): { data: string; mimeType: string };
  /** The refusals that a caller can branch on, beside `bad-params`. */
  refusals: readonly RefusalKind[];
  annotations: VerbAnnotations;
}

export function verb<M extends Method, I extends z.ZodType, O extends z.ZodType>(
  row: Verb<M, I, O>,
): Verb<M, I, O> {
  return row;
}

export const READS: VerbAnnotations = { readOnly: true, destructive: false, idempotent: true };
/** Types what may be any command: what that ends, only its author knows. */
export const TYPES: VerbAnnotations = { readOnly: false, destructive: true, idempotent: false };
export const ENDS: VerbAnnotations = { readOnly: false, destructive: true, idempotent: true };

export const id = TerminalId.describe("Id of the terminal, or any unique beginning of it.");

/** Optional fields that are absent, not undefined: the wire tells the two apart. */
export function defined<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
