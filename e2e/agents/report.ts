// What a run of the real agents came to, as the table of docs/agents.md. Pure.
import { agentVocabs, vocabOf } from "@kolu/agents/vocabs.ts";
import type { Outcome } from "./situations.ts";

export interface PlayedAgent {
  kind: string;
  version: string;
  outcomes: readonly Outcome[];
}

export interface Tally {
  situations: number;
  right: number;
  /** A person was needed and kolu did not say so. */
  missedAwaiting: number;
  /** kolu called for a person whom nobody needed. */
  falseAwaiting: number;
  /** From the agent's own word to kolu's record; null where nothing could be timed. */
  medianMs: number | null;
  worstMs: number | null;
}

const isAwaiting = (words: string): boolean => words.trimStart().startsWith("awaiting");

export function tally(outcomes: readonly Outcome[]): Tally {
  const delays = outcomes.flatMap(({ delayMs }) => delayMs ?? []).sort((left, right) => left - right);
  const wrong = outcomes.filter(({ ok }) => !ok);
  return {
    situations: outcomes.length,
    right: outcomes.length - wrong.length,
    missedAwaiting: wrong.filter(({ expected, seen }) => isAwaiting(expected) && !isAwaiting(seen)).length,
    falseAwaiting: wrong.filter(({ expected, seen }) => !isAwaiting(expected) && isAwaiting(seen)).length,
    medianMs: delays[Math.floor(delays.length / 2)] ?? null,
    worstMs: delays.at(-1) ?? null,
  };
}

/** What an earlier page says of an agent, by its heading: its row of the summary, and its part. */
function partsOf(page: string): Map<string, { row: string; part: string }> {
  const [head = "", ...parts] = page.split(/^## /m);
  const rows = head.split("\n");
  return new Map(
    parts.flatMap((part) => {
      const heading = part.slice(0, part.indexOf("\n"));
      const row = rows.find((one) => heading.startsWith(`${one.split(" | ")[0]?.slice(2)} `));
      return row === undefined ? [] : [[heading, { row, part: `## ${part.trimEnd()}\n` }]];
    }),
  );
}

const nameOf = (kind: string): string => vocabOf(kind)?.displayName ?? kind;

/** @param before the page as it was: what it says of agents that were not played now stays */
export function agentsPage(played: readonly PlayedAgent[], before = ""): string {
  const fresh = partsOf(pageOf(played));
  const names = new Set([...fresh.values()].map(({ row }) => row.split(" | ")[0]));
  const kept = [...partsOf(before)].filter(([, { row }]) => !names.has(row.split(" | ")[0]));
  const all = [...fresh, ...kept]
    .map(([, one]) => one)
    .sort((left, right) => orderOf(left.row) - orderOf(right.row));
  return [...INTRODUCTION, ...HEAD, ...all.map(({ row }) => row), "", ...all.map(({ part }) => part)].join(
    "\n",
  );
}

function orderOf(row: string): number {
  const name = row.split(" | ")[0]?.slice(2);
  return agentVocabs.findIndex(({ displayName }) => displayName === name);
}

const HEAD = [
  "| agent | release | situations | right | missed awaiting | false awaiting | median ms | worst ms |",
  "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
];

function pageOf(played: readonly PlayedAgent[]): string {
  const summary = played.map(({ kind, version, outcomes }) => {
    const { situations, right, missedAwaiting, falseAwaiting, medianMs, worstMs } = tally(outcomes);
    return row([nameOf(kind), version, situations, right, missedAwaiting, falseAwaiting, medianMs, worstMs]);
  });
  const parts = played.map((agent) => [
    `## ${nameOf(agent.kind)} ${agent.version}`,
    "",
    "| situation | expected | seen | ms | |",
    "| --- | --- | --- | ---: | --- |",
    ...agent.outcomes.map(({ title, expected, seen, delayMs, ok }) =>
      row([title, expected, seen.split("\n")[0]!, delayMs, ok ? "" : "**wrong**"]),
    ),
    "",
  ]);
  return [...HEAD, ...summary, "", ...parts.flat()].join("\n");
}

const INTRODUCTION = [
  "# Agents, as they were seen",
  "",
  "Written by `npm run test:agents -- --write`: real agents, installed from their registry, in terminals of a real kolu, each in a",
  "fresh home, against a stand-in model on the loopback. `ms` is the time from the agent's own word in its files to kolu's record",
  "(negative when it spoke in band first, empty where it writes no word that could be timed).",
  "",
  "Xyne cannot be installed from a registry: its captured homes, like those of the other six, are replayed through the same code by",
  "`npm test` (`packages/integrations/*/conformance.test.ts`).",
  "",
];

function row(cells: readonly (string | number | null)[]): string {
  return `| ${cells.map((cell) => (cell === null ? "" : String(cell).replaceAll("|", "\\|"))).join(" | ")} |`;
}
