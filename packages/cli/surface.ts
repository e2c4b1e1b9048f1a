// The table of verbs spelled for a shell: a tool's input fields become flags of the same names. Pure.
import { toolInputSchema, toolOutputSchema } from "@kolu/contract/tool-schema.ts";
import type { Verb } from "@kolu/contract/verb.ts";
import type { FlagSpecs, FlagValues, VerbShape } from "./arguments.ts";
import { UsageError } from "./exit.ts";

interface FieldSchema {
  type?: string;
  description?: string;
  items?: { type?: string };
}

function fieldsOf(verb: Verb): Record<string, FieldSchema> {
  return (toolInputSchema(verb).properties ?? {}) as Record<string, FieldSchema>;
}

/** What `kolu surface <tool>` accepts: a flag for each field of the input, or `--json` with the whole of it. */
export function shapeOfTool(verb: Verb): VerbShape {
  const fields = Object.entries(fieldsOf(verb)).map(([name, field]) => [
    name,
    field.type === "boolean"
      ? { kind: "switch", help: field.description ?? "" }
      : { kind: "text", value: placeholder(field), help: field.description ?? "" },
  ]);
  const flags: FlagSpecs = {
    ...Object.fromEntries(fields),
    json: { kind: "text", value: "input", help: "the whole input as JSON, instead of the other flags" },
  };
  return { operands: "", minOperands: 0, maxOperands: 0, takesCommand: false, flags };
}

function placeholder({ type, items }: FieldSchema): string {
  if (type === "array" && items?.type === "string") return "a,b";
  return type === "string" || type === "integer" ? type : "json";
}

/** The tool's input from its flags, not yet judged by its schema. Throws UsageError for what is no JSON. */
export function readToolInput(verb: Verb, flags: FlagValues<FlagSpecs>): Record<string, unknown> {
  const { json, ...given } = flags as Record<string, string | boolean | undefined>;
  const fields = Object.entries(given).filter(([, value]) => value !== undefined && value !== false);
  if (json !== undefined) {
    if (fields.length > 0) throw new UsageError("--json is the whole input: give no other field beside it.");
    const input = parseJson("--json", String(json));
    if (typeof input !== "object" || input === null || Array.isArray(input))
      throw new UsageError("--json takes an object with the tool's fields.");
    return input as Record<string, unknown>;
  }
  const schemas = fieldsOf(verb);
  return Object.fromEntries(fields.map(([name, value]) => [name, readField(name, value, schemas[name]!)]));
}

function readField(name: string, value: string | boolean | undefined, { type, items }: FieldSchema): unknown {
  if (typeof value !== "string" || type === "string") return value;
  if (type === "array" && items?.type === "string" && !value.trimStart().startsWith("["))
    return value.split(",").map((word) => word.trim());
  return parseJson(`--${name}`, value);
}

function parseJson(flag: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`${flag} takes JSON, and this is none: ${(cause as Error).message}`);
  }
}

/** What a host is told of a tool, and what `kolu surface --schemas` prints. */
export function describeTool(verb: Verb): Record<string, unknown> {
  const { name, title, description, refusals, annotations } = verb;
  return {
    name,
    title,
    description,
    inputSchema: toolInputSchema(verb),
    outputSchema: toolOutputSchema(verb),
    refusals,
    annotations,
  };
}
