// How a terminal's record reads in one line: the cells of `kolu ls` and `kolu watch`. Pure.
import type { AgentReading } from "@kolu/contract/agent.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { NOTHING } from "./table.ts";

/** Names an agent kind for people. */
export type NameAgent = (kind: string) => string;

export function stateCell(record: TerminalRecord): string {
  if (record.life !== "exited" || record.exit === null) return record.life;
  return record.exit.signal > 0 ? `exited sig ${record.exit.signal}` : `exited ${record.exit.code}`;
}

export function repoCell(record: TerminalRecord): string {
  const { git } = record;
  if (git === null) return NOTHING;
  const place = git.branch ?? (git.head === null ? null : `@${git.head}`);
  return place === null ? git.name : `${git.name}·${place}`;
}

const CHECK_MARKS = { pass: "✓", fail: "✗", pending: "●" } as const;

/** #42 open ✓ */
export function pullRequestCell({ pr }: TerminalRecord): string {
  if (pr === null) return NOTHING;
  const state = pr.isDraft && pr.state === "open" ? "draft" : pr.state;
  return `#${pr.number} ${state}${pr.checks === null ? "" : ` ${CHECK_MARKS[pr.checks]}`}`;
}

export function agentCell(record: TerminalRecord, nameAgent: NameAgent): string {
  if (record.agent !== null) return `${nameAgent(record.agent.kind)} · ${stateWords(record.agent)}`;
  if (record.program !== null) return `${record.program.app ?? "program"} · ${record.program.state}`;
  return NOTHING;
}

/** The state in words; an awaiting agent says for what, a failed turn that it failed. */
export function stateWords(agent: AgentReading): string {
  const state = agent.state.replaceAll("_", " ");
  if (agent.state === "awaiting" && agent.awaiting !== null) return `${state} (${agent.awaiting.kind})`;
  if (agent.state === "waiting" && agent.error !== null) return `${state} (error)`;
  return state;
}

export function foregroundCell(record: TerminalRecord): string {
  return record.foreground?.name ?? NOTHING;
}
