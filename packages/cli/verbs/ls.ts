import { shortId } from "@kolu/contract/ids.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { nameAgent } from "../agent-names.ts";
import type { Invocation } from "../arguments.ts";
import { Exit, type ExitCode } from "../exit.ts";
import { openPadi } from "../padi-link.ts";
import { agentCell, foregroundCell, pullRequestCell, repoCell, stateCell } from "../record-cells.ts";
import { paintState, paintTitle } from "../state-colour.ts";
import { type Column, formatTable, NOTHING, type Paint } from "../table.ts";
import type { Context, lsFlags } from "../verb-table.ts";

/** How long padi may wait for the first facts of a terminal that has just come up. */
const SETTLE_MS = 3_000;

const COLUMNS: readonly Column[] = [
  { title: "ID" },
  { title: "STATE" },
  { title: "REPO·BRANCH", minWidthCols: 12 },
  { title: "PR", minWidthCols: 4 },
  { title: "AGENT", minWidthCols: 12 },
  { title: "FOREGROUND", minWidthCols: 10 },
  { title: "INTENT", minWidthCols: 8 },
];

const AGENT_COLUMN = COLUMNS.findIndex((column) => column.title === "AGENT");

export async function run(invocation: Invocation<typeof lsFlags>, context: Context): Promise<ExitCode> {
  const { out, signal } = context;
  await using link = await openPadi(invocation, context);
  const { terminals } = await link.client.call("terminals.list", { settleMs: SETTLE_MS }, { signal });
  const sorted = terminals.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  if (invocation.flags.json) out.json(sorted);
  else if (sorted.length === 0) out.line("no terminals.");
  else {
    const paint: Paint = (text, row, column) => {
      if (row === -1) return paintTitle(text);
      return column === AGENT_COLUMN ? paintState(text, sorted[row]!) : text;
    };
    const lines = formatTable(COLUMNS, sorted.map(rowOf), out.widthCols, out.colour ? paint : undefined);
    for (const line of lines) out.line(line);
  }
  return Exit.done;
}

function rowOf(record: TerminalRecord): string[] {
  return [
    shortId(record.id),
    stateCell(record),
    repoCell(record),
    pullRequestCell(record),
    agentCell(record, nameAgent),
    foregroundCell(record),
    record.intent ?? NOTHING,
  ];
}
