// A terminal record as it lies on disk: what must outlive padi. What kaval tells anew (pid, foreground, busy) is left out.
import { AgentReading } from "@kolu/contract/agent.ts";
import { TerminalId } from "@kolu/contract/ids.ts";
import { CommandFacts, GitFacts, Layout, Life, type TerminalRecord } from "@kolu/contract/terminal.ts";
import { z } from "zod";

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
  /** The last reading, of an agent that still ran when it was saved. */
  agent: AgentReading.nullable().catch(null),
  lastActivityAtMs: z.number().nullable().catch(null),
  unread: z.int().min(0).catch(0),
  layout: Layout.nullable().catch(null),
  /** The command line that started the agent, for the way back. */
  agentCommand: z.string().nullable().catch(null),
});
export type SavedTerminal = z.infer<typeof SavedTerminal>;

/** What goes to disk for a record. */
export function toSaved(record: TerminalRecord, agentCommand: string | null): SavedTerminal {
  const {
    pid: _pid,
    foreground: _foreground,
    program: _program,
    progress: _progress,
    busy: _busy,
    ...kept
  } = record;
  return { ...kept, agentCommand };
}

/** A record from disk, before kaval and the detector have said anything. */
export function fromSaved(saved: SavedTerminal): TerminalRecord {
  const { agentCommand: _agentCommand, ...kept } = saved;
  return { ...kept, pid: null, foreground: null, program: null, progress: null, busy: false };
}
