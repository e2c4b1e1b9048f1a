// The colours of states on a terminal: those of the page's marks, as far as sixteen go.
import { styleText } from "node:util";
import type { AgentState } from "@kolu/contract/agent.ts";
import type { ProgramState } from "@kolu/contract/program-status.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";

type Style = "blueBright" | "yellow" | "cyan" | "magentaBright" | "red" | "dim";

/** Words about a terminal's agent or program in the colour of its state; without either, as they are. */
export function paintState(words: string, record: TerminalRecord): string {
  const style = styleOf(record);
  return style === null ? words : styleText(style, words, { validateStream: false });
}

function styleOf({ agent, program }: TerminalRecord): Style | null {
  if (agent !== null) return agent.error === null ? agentStyles[agent.state] : "red";
  return program === null ? null : programStyles[program.state];
}

const agentStyles: Record<AgentState, Style> = {
  thinking: "blueBright",
  tool_use: "yellow",
  background: "cyan",
  awaiting: "magentaBright",
  waiting: "dim",
  unknown: "dim",
};
const programStyles: Record<ProgramState, Style> = {
  working: "blueBright",
  blocked: "magentaBright",
  error: "red",
  done: "dim",
  idle: "dim",
};

export function paintTitle(words: string): string {
  return styleText("dim", words, { validateStream: false });
}
