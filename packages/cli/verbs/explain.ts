import type { ExplainedSignal, Explanation } from "@kolu/contract/agent.ts";
import { shortId } from "@kolu/contract/ids.ts";
import { nameAgent } from "../agent-names.ts";
import type { Invocation } from "../arguments.ts";
import { Exit, type ExitCode } from "../exit.ts";
import { openPadi, resolveId } from "../padi-link.ts";
import { formatTable, NOTHING } from "../table.ts";
import { formatDuration, neutralise } from "../text.ts";
import type { Context, explainFlags } from "../verb-table.ts";

export async function run(invocation: Invocation<typeof explainFlags>, context: Context): Promise<ExitCode> {
  const { out, signal } = context;
  await using link = await openPadi(invocation, context);
  const id = await resolveId(link, invocation.operands[0]!, signal);
  const explanation = await link.client.call("terminal.explain", { id }, { signal });
  if (invocation.flags.json) out.json({ id, ...explanation });
  else for (const line of explain(shortId(id), explanation, Date.now(), out.widthCols)) out.line(line);
  return Exit.done;
}

/** The explanation as lines for a person. Pure. */
export function explain(
  short: string,
  explanation: Explanation,
  nowMs: number,
  widthCols: number | null,
): string[] {
  const { kind, signals, missing, malformedRecords } = explanation;
  return [
    `${short}  ${kind === null ? "no agent recognised" : nameAgent(kind)}`,
    "",
    ...recognitionLines(explanation.recognition),
    ...(signals.length > 0
      ? [
          "",
          ...formatTable(
            COLUMNS,
            signals.map((signal) => signalRow(signal, nowMs)),
            widthCols,
          ),
        ]
      : []),
    ...(missing.length > 0
      ? ["", "Looked for and not found:", ...missing.map((line) => `  ${neutralise(line)}`)]
      : []),
    ...(malformedRecords > 0 ? ["", `Records that could not be read: ${malformedRecords}`] : []),
  ];
}

const COLUMNS = [
  { title: "VERDICT" },
  { title: "SIGNAL" },
  { title: "SAYS", minWidthCols: 16 },
  { title: "MEANS" },
  { title: "AGE" },
  { title: "NOTE", minWidthCols: 12 },
];

function signalRow(signal: ExplainedSignal, nowMs: number): string[] {
  return [
    signal.verdict,
    signal.source,
    signal.value,
    signal.state?.replaceAll("_", " ") ?? NOTHING,
    signal.atMs === null ? NOTHING : formatDuration(nowMs - signal.atMs),
    signal.note ?? "",
  ];
}

function recognitionLines({ foregroundPid, chain, matchedBy }: Explanation["recognition"]): string[] {
  const processes = chain.map(({ pid, name }) => `${neutralise(name)} (${pid})`).join(" ← ");
  return [
    `Recognised by: ${matchedBy === null ? "nothing" : neutralise(matchedBy)}`,
    `Foreground: ${foregroundPid === null ? "unknown" : processes || `pid ${foregroundPid}`}`,
  ];
}
