// The manual page, made from the table of verbs. Pure.
import { endpointFlags, type FlagSpecs } from "./arguments.ts";
import { type Example, examples } from "./examples.ts";
import { type DescribedVerb, placeholderOf } from "./help.ts";

/** roff for man(7). */
export function manPage(verbs: Readonly<Record<string, DescribedVerb>>, version: string): string {
  return [
    `.TH KOLU 1 "" "kolu ${roff(version)}" "User Commands"`,
    ".SH NAME",
    "kolu \\- terminals that know what the coding agents in them are doing",
    ".SH SYNOPSIS",
    ".B kolu",
    "\\fIverb\\fR [\\fIflags\\fR]",
    ".SH DESCRIPTION",
    "An \\fIid\\fR may be shortened to any unique beginning. Data goes to standard output, talk to standard error.",
    ".SH VERBS",
    ...Object.entries(verbs).flatMap(([name, spec]) => verbSection(name, spec)),
    ".SH WHICH KOLU",
    "On either side of the verb:",
    ...flagSection(endpointFlags),
    ".SH EXIT STATUS",
    ...[
      ["0", "Done."],
      ["1", "Asked wrongly, refused, or nobody to talk to."],
      ["2", "A wait, or the confirmation of a prompt, timed out."],
      ["3", "The terminal is gone."],
      ["130", "Interrupted."],
    ].flatMap(([code, words]) => [".TP", `.B ${code}`, words!]),
    "",
  ].join("\n");
}

function verbSection(name: string, spec: DescribedVerb): string[] {
  const command = spec.takesCommand ? " [-- <command...>]" : "";
  const usage = [name, spec.operands].filter((word) => word !== "").join(" ") + command;
  return [
    `.SS kolu ${roff(usage)}`,
    roff(`${spec.summary[0]!.toUpperCase()}${spec.summary.slice(1)}.`),
    ...flagSection(spec.flags),
    ...(spec.notes.length === 0 ? [] : [".PP", ...spec.notes.map(roff)]),
    ...(examples[name] ?? []).flatMap(exampleSection),
  ];
}

function flagSection(flags: FlagSpecs): string[] {
  return Object.entries(flags).flatMap(([name, spec]) =>
    spec.kind === "refused" ? [] : [".TP", `.B ${roff(`--${name}${placeholderOf(spec)}`)}`, roff(spec.help)],
  );
}

function exampleSection({ line, what }: Example): string[] {
  return [".PP", roff(`${what}:`), ".nf", `    ${roff(`kolu ${line}`)}`, ".fi"];
}

/** Text that roff prints as it is: a line must not begin with a request either. */
function roff(text: string): string {
  const plain = text.replaceAll("\\", "\\e").replaceAll("-", "\\-");
  return /^[.']/.test(plain) ? `\\&${plain}` : plain;
}
