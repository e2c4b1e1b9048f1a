// What a verb of `kolu` is made of, and the flags that several share.
import { TIMER_MAX_MS } from "@kolu/contract/limits.ts";
import type { FlagSpecs, Invocation, VerbShape } from "./arguments.ts";
import type { Environment } from "./endpoint.ts";
import type { ExitCode } from "./exit.ts";
import type { DescribedVerb } from "./help.ts";
import type { Output } from "./output.ts";

/** What a verb runs in; handed over so that a verb reads nothing of the process by itself. */
export interface Context {
  out: Output;
  env: Environment;
  cwd: string;
  /** Aborted with an Interrupted at SIGINT and SIGTERM. */
  signal: AbortSignal;
  /** Absolute path of the script that this process was started with: daemons start with it too. */
  entry: string;
}

/** All verbs by name, handed to each because a verb that told of all could not import what imports it. */
export type VerbTable = Readonly<Record<string, DescribedVerb>>;

export interface VerbSpec<F extends FlagSpecs = FlagSpecs> extends VerbShape {
  summary: string;
  /** Paragraphs of `kolu <verb> --help`, below the flags. */
  notes: readonly string[];
  flags: F;
  /** For a verb whose flags depend on its first operand. */
  hasOwnShapes?: true;
  load(): Promise<{
    shapeFor?(words: readonly string[], own: VerbShape): VerbShape;
    run(invocation: Invocation<F>, context: Context, verbs: VerbTable): Promise<ExitCode>;
  }>;
}

export const json = { kind: "switch", help: "print JSON" } as const;
export const timeout = {
  kind: "integer",
  value: "ms",
  min: 1,
  max: TIMER_MAX_MS,
  help: "give up after this long: exit 2; without it, wait for ever",
} as const;
export const after = {
  kind: "text",
  value: "cursor",
  help: "only what came after that send counts; `kolu send --json` prints the cursor",
} as const;
