import { Refusal } from "@kolu/contract/refusals.ts";
import { judgeToolInput, structured } from "@kolu/contract/tool-schema.ts";
import type { Verb } from "@kolu/contract/verb.ts";
import { verbs } from "@kolu/contract/verbs.ts";
import {
  type FlagSpecs,
  type FlagValues,
  firstOperand,
  type Invocation,
  nearest,
  type VerbShape,
} from "../arguments.ts";
import { callerOf } from "../caller.ts";
import { Exit, type ExitCode, UsageError } from "../exit.ts";
import { openPadi, resolveId } from "../padi-link.ts";
import { HostFailure } from "../remote/host-failure.ts";
import { describeTool, readToolInput, shapeOfTool } from "../surface.ts";
import { formatTable } from "../table.ts";
import type { Context, surfaceFlags } from "../verb-table.ts";

// Rows differ in their types; here each is used through what all have in common.
const tools = verbs as unknown as readonly Verb[];

/** The flags are those of the tool that is named, or the verb's own when none is. */
export function shapeFor(words: readonly string[], own: VerbShape): VerbShape {
  const name = firstOperand(words);
  if (name === null) return own;
  return { ...shapeOfTool(toolNamed(name)), operands: "<tool>", minOperands: 1, maxOperands: 1 };
}

export async function run(invocation: Invocation<typeof surfaceFlags>, context: Context): Promise<ExitCode> {
  const { out } = context;
  const name = invocation.operands[0];
  if (name !== undefined) return callTool(toolNamed(name), invocation, context);
  if (invocation.flags.schemas) out.json(tools.map(describeTool));
  else {
    const rows = tools.map((tool) => [tool.name, tool.title]);
    for (const line of formatTable([{ title: "TOOL" }, { title: "WHAT IT DOES" }], rows, null))
      out.line(line);
  }
  return Exit.done;
}

function toolNamed(name: string): Verb {
  const tool = tools.find((row) => row.name === name);
  if (tool) return tool;
  const near = nearest(
    name,
    tools.map((row) => row.name),
  );
  throw new UsageError(
    `No tool is named ${JSON.stringify(name)}. ${near === null ? "`kolu surface` lists them." : `Did you mean ${near}?`}`,
  );
}

async function callTool(
  tool: Verb,
  { flags, endpoint }: Pick<Invocation, "endpoint"> & { flags: unknown },
  context: Context,
): Promise<ExitCode> {
  const { out, signal } = context;
  const raw = readToolInput(tool, flags as FlagValues<FlagSpecs>);
  await using link = await openPadi({ endpoint }, context).catch((error: unknown) => {
    if (error instanceof HostFailure) out.json({ kind: error.kind, host: error.host });
    throw error;
  });
  try {
    const named = typeof raw.id === "string" ? { ...raw, id: await resolveId(link, raw.id, signal) } : raw;
    const caller = callerOf(endpoint, context.env);
    const params = tool.toParams(judgeToolInput(tool, named) as never, caller);
    const result = await link.client.call(tool.method, params, { signal });
    const output = tool.output.parse(tool.toOutput(result as never));
    // An agent is shown the picture; a script gets the file.
    const image = tool.toImage?.(result as never);
    out.json({ ...structured(output), ...image });
    return exitOf(output);
  } catch (error) {
    // A script branches on the kind and its data; the sentence goes to stderr as always.
    if (error instanceof Refusal) out.json({ kind: error.kind, ...error.data });
    throw error;
  }
}

/** A wait that was not met ends like `kolu wait`. */
function exitOf(output: unknown): ExitCode {
  switch ((output as { result?: unknown } | null)?.result) {
    case "timeout":
      return Exit.timedOut;
    case "gone":
      return Exit.gone;
    case "closed":
      return Exit.failed;
    default:
      return Exit.done;
  }
}
