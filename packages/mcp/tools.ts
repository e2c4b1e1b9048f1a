// The table of verbs as MCP tools: what is listed, and how a call becomes an answer. What is not in the table is unknown.

import { Refusal } from "@kolu/contract/refusals.ts";
import { LinkLost, RpcFault } from "@kolu/contract/rpc.ts";
import {
  type CommonFailure,
  judgeToolInput,
  structured,
  toolInputSchema,
  toolOutputSchema,
} from "@kolu/contract/tool-schema.ts";
import type { Caller, Verb } from "@kolu/contract/verb.ts";
import { verbs } from "@kolu/contract/verbs.ts";
import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import { type Connection, PadiUnreachable } from "./connection.ts";
import { wholeIds } from "./whole-ids.ts";

// Rows differ in their types; here each is used through what all have in common.
const rows = verbs as unknown as readonly Verb[];

export function listTools(): Tool[] {
  return rows.map((verb) => ({
    name: verb.name,
    title: verb.title,
    description: verb.description,
    inputSchema: toolInputSchema(verb),
    outputSchema: toolOutputSchema(verb),
    annotations: {
      title: verb.title,
      readOnlyHint: verb.annotations.readOnly,
      destructiveHint: verb.annotations.destructive,
      idempotentHint: verb.annotations.idempotent,
    },
  }));
}

export interface ToolWorld {
  connection: Connection;
  caller: Caller;
}

/** Every failure is an answer with `isError`; rejects only when the caller has cancelled. */
export async function callTool(
  { connection, caller }: ToolWorld,
  { name, input }: { name: string; input: unknown },
  signal: AbortSignal,
): Promise<CallToolResult> {
  const verb = rows.find((row) => row.name === name);
  if (!verb) {
    const known = rows.map((row) => row.name).join(", ");
    return failure("unknown-tool", `Unknown tool ${JSON.stringify(name)}. There are: ${known}`);
  }
  try {
    const judged = judgeToolInput(verb, await wholeIds(input, connection, signal));
    const params = verb.toParams(judged as never, caller);
    const result = await connection.use(({ client }) => client.call(verb.method, params, { signal }), signal);
    return success(verb, result);
  } catch (error) {
    if (signal.aborted) throw error;
    return failureOf(error);
  }
}

function success(verb: Verb, result: unknown): CallToolResult {
  const output = verb.output.parse(verb.toOutput(result as never));
  const structuredContent = structured(output);
  const image = verb.toImage?.(result as never);
  if (image) return { content: [{ type: "image", ...image }], structuredContent };
  // A screen is for reading: as JSON it would be one line of escapes.
  const text = typeof output === "string" ? output : JSON.stringify(output ?? null, null, 2);
  return { content: [{ type: "text", text }], structuredContent };
}

/** Pure. A bug of ours is told as what it is, and the server goes on. */
export function failureOf(error: unknown): CallToolResult {
  if (error instanceof Refusal) return failure(error.kind, error.message, error.data);
  if (error instanceof PadiUnreachable)
    return failure("padi-unreachable" satisfies CommonFailure, error.message, { retryable: true });
  if (error instanceof LinkLost)
    return failure(
      "connection-dropped" satisfies CommonFailure,
      `The connection to padi dropped while this call was in flight (${error.message}): it may or may not have been done. This MCP server is still running and has thrown the dead connection away; calling again opens a new one.`,
      { retryable: true },
    );
  const reason = error instanceof Error ? error.message : String(error);
  const sentence = error instanceof RpcFault ? `padi failed: ${reason}` : `kolu mcp failed: ${reason}`;
  return failure("padi-failed" satisfies CommonFailure, sentence);
}

function failure(kind: string, sentence: string, data: object = {}): CallToolResult {
  return {
    isError: true,
    content: [{ type: "text", text: sentence }],
    structuredContent: { kind, ...data },
  };
}
