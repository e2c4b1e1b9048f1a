// What an agent is called and how it is started: everything about it that needs no disk and no process. Neutral.
import type { AgentReading, AgentState } from "@kolu/contract/agent.ts";
import type { z } from "zod";

/** Facts of a reading that not every agent records. A fact that is "never" recorded is null in every reading. */
export const FACT_NAMES = [
  "sessionId",
  "version",
  "model",
  "contextTokens",
  "title",
  "todos",
  "background",
  "startedAtMs",
] as const;
export type FactName = (typeof FACT_NAMES)[number];

/** How an invocation of the agent is written. Flags that are not listed here are dropped when a command is kept. */
export interface CommandGrammar {
  /** Names of its program. A trailing version ("claude-2.1", "codex7") still matches. */
  programs: readonly string[];
  /** Packages that a runner such as npx fetches to start it, without a version. */
  packages: readonly string[];
  /** Flags that shape a session and are kept when it is started again, with the number of words that follow each. */
  keptFlags: Readonly<Record<string, 0 | 1>>;
  /** Flags that are not kept but take a word that must not be mistaken for a prompt. */
  droppedFlags: Readonly<Record<string, 0 | 1>>;
  /** First words that make it something other than a session, such as `mcp` or `update`. */
  subcommands: readonly string[];
  /** Flags that print and exit. */
  informationFlags: readonly string[];
  /** Flags that answer one prompt without a screen of their own. */
  oneShotFlags: readonly string[];
  /** Flags of a session that leaves nothing behind: it is neither offered again nor brought back. */
  ephemeralFlags: readonly string[];
}

export interface ResumePolicy {
  /** Which fact of a reading names a conversation for it. */
  reference: "sessionId" | "sessionPath";
  /** Words for "the latest conversation of this directory", straight after the program's name. Null: it cannot. */
  latest: readonly string[] | null;
  /** Words for exactly this conversation, or null when `reference` is none that the agent would take. */
  exact(reference: string): readonly string[] | null;
  /** Flags (with the number of words after each) that choose a conversation and are replaced on resume. */
  chooserFlags: Readonly<Record<string, 0 | 1>>;
}

export interface AgentVocab {
  /** The word in records and on the wire, such as "claude-code". */
  kind: string;
  displayName: string;
  /** SVG path data of our own drawing on a 24 x 24 grid, filled with the current colour. */
  mark: string;
  /** `app` names under which it reports in band (OSC 7501). */
  apps: readonly string[];
  grammar: CommandGrammar;
  resume: ResumePolicy;
  /** False: it never says when a turn ends, so it is never finished, unread or alerting. */
  reportsTurns: boolean;
  /** States that it can be seen in, apart from `unknown`. */
  states: readonly Exclude<AgentState, "unknown">[];
  /** What its records hold. */
  facts: Readonly<Record<FactName, "recorded" | "some versions" | "never">>;
  /** Every reading of this agent satisfies it. */
  info: z.ZodType<AgentReading>;
}

/** Does this process or file name belong to one of the programs? "claude", "claude-2.1.3" and "claude197" are "claude". */
export function isProgramName(name: string, programs: readonly string[]): boolean {
  const bare = name.replace(/\.exe$/, "").replace(/[-_@.]?v?\d[\d.]*$/, "");
  return programs.some((program) => name === program || bare === program);
}
