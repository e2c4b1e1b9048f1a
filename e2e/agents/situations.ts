// Situations of an agent as a list: what is done, what must then be true, and when the agent said so itself.
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import type { Stage, Terminal } from "./stage.ts";
import type { Witness } from "./witness.ts";

export interface Expectation {
  /** For the table. */
  words: string;
  /** What the witness calls it; null where the agent writes nothing that could be timed. */
  word: string | null;
  holds(record: TerminalRecord | undefined): boolean;
}

export interface Situation {
  title: string;
  expected: Expectation;
  /** Opens it where it is not open yet. */
  terminal(): Promise<Terminal>;
  act(terminal: Terminal): Promise<void>;
  /** How long the situation may take to come about, which is not how long kolu may take to notice. */
  timeoutMs?: number | undefined;
}

export interface Outcome {
  title: string;
  expected: string;
  seen: string;
  ok: boolean;
  /** From the agent's own word in its files to kolu's record, negative when in-band words were earlier; null where there is
   * no such word. */
  delayMs: number | null;
  /** From there until `kolu ls --json` had printed the same. */
  listedMs: number | null;
}

/** kolu has this long after the agent's own word. */
const DELAY_MAX_MS = 1_000;
const TIMEOUT_MS = 20_000;

export async function play(stage: Stage, witness: Witness, situation: Situation): Promise<Outcome> {
  const { title, expected, act, timeoutMs = TIMEOUT_MS } = situation;
  const beganAtMs = Date.now();
  const terminal = await situation.terminal();
  const { id } = terminal;
  try {
    await act(terminal);
    const { record, seenAtMs } = await stage.until(id, expected.holds, timeoutMs);
    const saidAtMs = () => (expected.word === null ? null : witness.saidAtMs(expected.word));
    const saidBeforeMs = saidAtMs();
    let row = await listedRow(stage, id);
    const listedMs = Date.now() - seenAtMs;
    // Some situations come in two steps (a panel that closes into a turn): what was listed in between counts once more.
    if (!expected.holds(row)) {
      await stage.until(id, expected.holds, timeoutMs);
      row = await listedRow(stage, id);
    }
    // In band kolu is often the first to know: then the word appears in the files only now.
    const said = saidBeforeMs !== null && saidBeforeMs >= beganAtMs ? saidBeforeMs : saidAtMs();
    const delayMs = said === null || said < beganAtMs ? null : seenAtMs - said;
    const timely = delayMs === null || delayMs <= DELAY_MAX_MS;
    const lasts = expected.holds(row);
    const seen = lasts ? describe(record) : `${describe(record)}, listed as ${describe(row)}`;
    return { title, expected: expected.words, seen, ok: timely && lasts, delayMs, listedMs };
  } catch (cause) {
    const why = await stage.kolu.ok(["explain", id]).catch(String);
    const seen = `${cause instanceof Error ? cause.message : cause}\n${await terminal.screen()}\n${why}`;
    return { title, expected: expected.words, seen, ok: false, delayMs: null, listedMs: null };
  }
}

async function listedRow(stage: Stage, id: string): Promise<TerminalRecord | undefined> {
  const rows = JSON.parse(await stage.kolu.ok(["ls", "--json"])) as TerminalRecord[];
  return rows.find((row) => row.id === id);
}

/** A record in a few words: "awaiting (question) by in-band". */
function describe(record: TerminalRecord | undefined): string {
  const agent = record?.agent ?? null;
  if (agent === null) return record === undefined ? "no terminal" : "no agent";
  const { workflows, agents, shells } = agent.background;
  const details = [
    ...(agent.awaiting === null ? [] : [agent.awaiting.kind]),
    ...(agent.prompted ? [] : ["ready"]),
    ...(agent.error === null ? [] : ["error"]),
    ...workflows.map((one) => `workflow ${one.name} ${one.agents}`),
    ...agents.map((one) => `agent ${one.name}`),
    ...(shells > 0 ? [`${shells} shells`] : []),
  ];
  return `${agent.state}${details.length > 0 ? ` (${details.join("; ")})` : ""} by ${agent.source}`;
}

const CELL_MAX_COLS = 60;

export function tableOf(outcomes: readonly Outcome[]): string {
  const ms = (value: number | null) => (value === null ? "-" : String(value));
  const cells = outcomes.map(({ title, expected, seen, delayMs, listedMs, ok }) => {
    return [title, expected, seen.split("\n")[0]!, ms(delayMs), ms(listedMs), ok ? "ok" : "WRONG"];
  });
  const rows = [["situation", "expected", "seen", "ms", "ls ms", ""], ...cells].map((row) =>
    row.map((cell) => cell.slice(0, CELL_MAX_COLS)),
  );
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
