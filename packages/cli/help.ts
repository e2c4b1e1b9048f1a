// What `--help` prints. Pure.

import { endpointFlags, type FlagSpec, type FlagSpecs, type VerbShape } from "./arguments.ts";
import { examples } from "./examples.ts";

/** What help tells of a verb. */
export type DescribedVerb = VerbShape & { summary: string; notes: readonly string[] };

export function mainHelp(verbs: Readonly<Record<string, DescribedVerb>>): string {
  const rows = Object.entries(verbs).map(([name, spec]): [string, string] => [name, spec.summary]);
  return [
    "Terminals that know what the coding agents in them are doing.",
    "",
    "Usage: kolu <verb> [flags]        kolu <verb> --help tells more",
    "",
    ...aligned(rows),
    "",
    "Which kolu (on either side of the verb):",
    ...flagLines(endpointFlags),
    "",
    "An <id> may be shortened to any unique beginning.",
    "Exit codes: 0 done, 1 asked wrongly or nobody to talk to, 2 a wait timed out, 3 the terminal is gone, 130 interrupted.",
    "",
  ].join("\n");
}

export function verbHelp(name: string, spec: DescribedVerb): string {
  const command = spec.takesCommand ? " [-- <command...>]" : "";
  const operands = spec.operands === "" ? "" : ` ${spec.operands}`;
  return [
    `kolu ${name}: ${spec.summary}`,
    "",
    `Usage: kolu ${name}${operands} [flags]${command}`,
    "",
    ...flagLines(spec.flags),
    ...flagLines(endpointFlags),
    ...(spec.notes.length > 0 ? ["", ...spec.notes] : []),
    ...exampleLines(name),
    "",
  ].join("\n");
}

function exampleLines(name: string): string[] {
  const own = examples[name] ?? [];
  if (own.length === 0) return [];
  return ["", "Examples:", ...own.flatMap(({ line, what }) => [`  # ${what}`, `  kolu ${line}`])];
}

function flagLines(flags: FlagSpecs): string[] {
  return aligned(
    Object.entries(flags).flatMap(([name, spec]): [string, string][] =>
      spec.kind === "refused" ? [] : [[`--${name}${placeholderOf(spec)}`, spec.help]],
    ),
  );
}

/** " <value>", or nothing for a switch. */
export function placeholderOf(spec: Exclude<FlagSpec, { kind: "refused" }>): string {
  return spec.kind === "switch" ? "" : ` <${spec.value}>`;
}

function aligned(rows: readonly [string, string][]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
