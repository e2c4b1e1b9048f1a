// A terminal record as it lies on disk: what must outlive padi. What kaval tells anew (pid, foreground, busy) is left out.
import { AgentReading } from "@kolu/contract/agent.ts";
import { TerminalId } from "@kolu/contract/ids.ts";
import {
  CommandFacts,
  GitFacts,
  Layout,
  Life,
  type PortFacts,
  PullRequest,
  type TerminalRecord,
} from "@kolu/contract/terminal.ts";
import { z } from "zod";
import { NO_PORTS } from "./record.ts";

/** A conversation that can be read later: its agent's kind, and the reading's own words for where it is. */
export const KnownConversation = z.object({
  agent: z.string(),
  sessionId: z.string(),
  sessionPath: z.string().nullable(),
});
export type KnownConversation = z.infer<typeof KnownConversation>;

/**
 * Only the id has to be readable. Any other field that does not fit, because another release wrote it or a disk lied,
 * falls back to what says nothing: a damaged detail must not cost a person the terminal.
 */
export const SavedTerminal = z.object({
  id: TerminalId,
  parentId: TerminalId.nullable().catch(null),
  createdAtMs: z.number().catch(0),
  life: Life.catch("parked"),
  lifeSinceMs: z.number().catch(0),
  exit: z.object({ code: z.int(), signal: z.int() }).nullable().catch(null),
  cwd: z.string().catch("/"),
  title: z.string().nullable().catch(null),
  intent: z.string().nullable().catch(null),
  rootCommand: z.array(z.string()).nullable().catch(null),
  command: CommandFacts.nullable().catch(null),
  grid: z.object({ cols: z.int(), rows: z.int() }).catch({ cols: 80, rows: 24 }),
  themeName: z.string().nullable().catch(null),
  fontPx: z.number().nullable().catch(null),
  git: GitFacts.nullable().catch(null),
  pr: PullRequest.nullable().catch(null),
  /** The last reading, of an agent that still ran when it was saved. */
  agent: AgentReading.nullable().catch(null),
  lastActivityAtMs: z.number().nullable().catch(null),
  unread: z.int().min(0).catch(0),
  layout: Layout.nullable().catch(null),
  /** The command line that started the agent, for the way back. */
  agentCommand: z.string().nullable().catch(null),
  /** The last one that had a prompt, whether its agent is still there or not. */
  lastConversation: KnownConversation.nullable().catch(null),
});
export type SavedTerminal = z.infer<typeof SavedTerminal>;

/** What goes to disk for a record, with what only the store knows of it. */
export function toSaved(
  record: TerminalRecord,
  known: Pick<SavedTerminal, "agentCommand" | "lastConversation">,
): SavedTerminal {
  const {
    pid: _pid,
    foreground: _foreground,
    program: _program,
    progress: _progress,
    busy: _busy,
    ports: _ports,
    ...kept
  } = record;
  return { ...kept, ...known };
}

/** A record from disk, before kaval and the detector have said anything. */
export function fromSaved(saved: SavedTerminal): TerminalRecord {
  const { agentCommand: _agentCommand, lastConversation: _lastConversation, ...kept } = saved;
  const ports: PortFacts = saved.life === "active" ? { status: "unknown" } : NO_PORTS;
  return { ...kept, pid: null, foreground: null, program: null, progress: null, busy: false, ports };
}

/** The conversation that a reading tells of; null while there is nothing in it, or nobody knows which it is. */
export function conversationOf(agent: AgentReading | null): KnownConversation | null {
  if (agent === null || agent.sessionId === null || !agent.prompted) return null;
  return { agent: agent.kind, sessionId: agent.sessionId, sessionPath: agent.sessionPath };
}
