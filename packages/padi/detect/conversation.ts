// Which conversation is meant by a terminal.
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import type { TerminalStore } from "../terminals/store.ts";

export interface MeantConversation {
  agent: string;
  /** Null: its session is not known (yet). */
  sessionId: string | null;
  sessionPath: string | null;
}

/** That of the agent that is there, even while it has said nothing; without an agent the last one. Null: there was none. */
export function conversationIn(
  record: TerminalRecord,
  store: Pick<TerminalStore, "savedReading" | "lastConversation">,
): MeantConversation | null {
  // After padi's restart the reading on disk stands in until the detector has spoken.
  const agent = record.agent ?? store.savedReading(record.id);
  if (agent === null) return store.lastConversation(record.id);
  return { agent: agent.kind, sessionId: agent.sessionId, sessionPath: agent.sessionPath };
}
