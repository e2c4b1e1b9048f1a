// A row of the table as a tool: its schemas in JSON, and the judgement of an input. Neutral; MCP and `kolu surface` use it.
import { z } from "zod";
import { Refusal } from "./refusals.ts";
import type { Verb } from "./verb.ts";

export type JsonSchema = { type?: string; [key: string]: unknown };

/**
 * Of no dialect by name: validators of several drafts read it. Without what only costs a reader tokens: the bounds of every
 * integer, and the pattern of an id, which may be given in short as well.
 */
function jsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: "input",
    override({ jsonSchema: one }) {
      if (one.minimum === Number.MIN_SAFE_INTEGER) delete one.minimum;
      if (one.maximum === Number.MAX_SAFE_INTEGER) delete one.maximum;
      if (one.format === "uuid") {
        delete one.pattern;
        delete one.format;
      }
    },
  });
  return rest as JsonSchema;
}

export function toolInputSchema(verb: Verb): JsonSchema & { type: "object" } {
  return { ...jsonSchema(verb.input), type: "object" };
}

/** Kinds of failure that every tool may have beside its own refusals. */
export const COMMON_FAILURES = [
  "bad-params",
  "connection-dropped",
  "padi-unreachable",
  "padi-failed",
] as const;
export type CommonFailure = (typeof COMMON_FAILURES)[number];

/**
 * What comes back: the output, or a refusal, told apart by `isError` on the result. Clients validate refusals too (the
 * official one did up to 1.x), so both are in it. A value that is no object comes wrapped as `value`.
 */
export function toolOutputSchema(verb: Verb): JsonSchema & { type: "object" } {
  const output = jsonSchema(verb.output);
  const refusal = {
    type: "object",
    properties: { kind: { type: "string", enum: [...verb.refusals, ...COMMON_FAILURES] } },
    required: ["kind"],
  };
  const success = isObjectSchema(output)
    ? output
    : { type: "object", properties: { value: output }, required: ["value"] };
  return { type: "object", anyOf: [success, refusal] };
}

function isObjectSchema(schema: JsonSchema): boolean {
  const choices = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  return choices ? choices.every(isObjectSchema) : schema.type === "object";
}

/** What a caller sees of an output. */
export function structured(output: unknown): Record<string, unknown> {
  const isObject = typeof output === "object" && output !== null && !Array.isArray(output);
  return isObject ? (output as Record<string, unknown>) : { value: output ?? null };
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
