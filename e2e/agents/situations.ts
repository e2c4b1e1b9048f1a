// Situations of an agent as a list: what is done, what must then be true, and when the agent said so itself.
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import type { Stage, Terminal } from "./stage.ts";
import type { Witness } from "./witness.ts";

export interface Situation {
  title: string;
  /** In words, for the table. */
  expected: string;
  terminal: () => Terminal;
  act(terminal: Terminal): Promise<void>;
  holds(record: TerminalRecord | undefined): boolean;
  /** What the witness calls it; null where the agent writes nothing. */
  word: string | null;
  /** How long the situation may take to come about (not how long kolu may take to notice). */
  timeoutMs?: number;
}

export interface Outcome {
  title: string;
  expected: string;
  seen: string;
  ok: boolean;
  /** From the agent's own word to kolu's record; null where there is no word of its own. */
  delayMs: number | null;
  /** From there until `kolu ls --json` had printed the same. */
  listedMs: number | null;
}

/** kolu has this long after the agent's own word. */
export const DELAY_MAX_MS = 1_000;
const TIMEOUT_MS = 20_000;

export async function play(stage: Stage, witness: Witness, situation: Situation): Promise<Outcome> {
  const { title, expected, word } = situation;
  const terminal = situation.terminal();
  const beganAtMs = Date.now();
  try {
    await situation.act(terminal);
    const { record, seenAtMs } = await stage.until(
      terminal.id,
      situation.holds,
      situation.timeoutMs ?? TIMEOUT_MS,
    );
    const listed = JSON.parse(await stage.kolu.ok(["ls", "--json"])) as TerminalRecord[];
    const listedMs = Date.now() - seenAtMs;
    const row = listed.find((one) => one.id === terminal.id);
    const saidAtMs = word === null ? null : witness.saidAtMs(word);
    const delayMs = saidAtMs === null || saidAtMs < beganAtMs ? null : seenAtMs - saidAtMs;
    const timely = delayMs === null || delayMs <= DELAY_MAX_MS;
    return { title, expected, seen: describe(record), ok: timely && situation.holds(row), delayMs, listedMs };
  } catch (cause) {
    const screen = await terminal.screen().catch(() => "");
    const seen = `${cause instanceof Error ? cause.message : cause}\n${screen.slice(-1_500)}`;
    return { title, expected, seen, ok: false, delayMs: null, listedMs: null };
  }
}

/** A record in a few words: "awaiting (question) by in-band". */
export function describe(record: TerminalRecord | undefined): string {
  const agent = record?.agent ?? null;
  if (agent === null) return record === undefined ? "no terminal" : "no agent";
  const { workflows, agents, shells } = agent.background;
  const details = [
    agent.awaiting === null ? null : agent.awaiting.kind,
    agent.prompted ? null : "ready",
    agent.error === null ? null : "error",
    workflows.length > 0 ? workflows.map((one) => `workflow ${one.name} ${one.agents}`).join(", ") : null,
    agents.length > 0 ? agents.map((one) => `agent ${one.name}`).join(", ") : null,
    shells > 0 ? `${shells} shell` : null,
  ].filter((one) => one !== null);
  return `${agent.state}${details.length > 0 ? ` (${details.join("; ")})` : ""} by ${agent.source}`;
}

export function tableOf(outcomes: readonly Outcome[]): string {
  const ms = (value: number | null) => (value === null ? "-" : String(value));
  const rows = [
    ["situation", "expected", "seen", "ms", "ls ms", ""],
    ...outcomes.map((one) => [
      one.title,
      one.expected,
      one.seen.split("\n")[0]!,
      ms(one.delayMs),
      ms(one.listedMs),
      one.ok ? "ok" : "WRONG",
    ]),
  ];
  const widths = rows[0]!.map((_, column) =>
    Math.min(60, Math.max(...rows.map((row) => row[column]!.length))),
  );
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
