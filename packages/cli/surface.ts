// The table of verbs spelled for a shell: a tool's input fields become flags of the same names. Pure.
import { Refusal } from "@kolu/contract/refusals.ts";
import type { Verb } from "@kolu/contract/verb.ts";
import { z } from "zod";
import type { FlagSpecs, FlagValues, VerbShape } from "./arguments.ts";
import { UsageError } from "./exit.ts";

interface FieldSchema {
  type?: string;
  description?: string;
  items?: { type?: string };
}

function fieldsOf(verb: Verb): Record<string, FieldSchema> {
  const schema = z.toJSONSchema(verb.input, { io: "input" });
  return (schema.properties ?? {}) as Record<string, FieldSchema>;
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

/** Input that fits the tool's schema, or a refusal that names each field. */
export function judgeToolInput(verb: Verb, input: unknown): unknown {
  const parsed = verb.input.safeParse(input);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  const sentence = issues
    .map(({ path, message }) => (path === "" ? message : `${path}: ${message}`))
    .join("; ");
  throw new Refusal("bad-params", { issues }, sentence);
}

/** What a host is told of a tool, and what `kolu surface --schemas` prints. */
export function describeTool(verb: Verb): Record<string, unknown> {
  const { name, title, description, refusals, annotations } = verb;
  return {
    name,
    title,
    description,
    inputSchema: z.toJSONSchema(verb.input, { io: "input" }),
    outputSchema: z.toJSONSchema(verb.output, { io: "input" }),
    refusals,
    annotations,
  };
}
