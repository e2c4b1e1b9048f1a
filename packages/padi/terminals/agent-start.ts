// What came of the line that starts an agent: heard from its record and from the shell's own word about the command.
import type { Follow } from "./follow.ts";
import type { TerminalStore } from "./store.ts";

/** An agent that has not shown itself by then is waited for no longer; on a busy machine a start takes many seconds. */
const AGENT_MS = 60_000;

export type AgentStart =
  | { kind: "back" }
  | { kind: "ended"; status: number }
  | { kind: "terminal-gone" }
  | { kind: "silent" };

/** A command that is not found, or ends at once, has its agent's name for a moment. */
const STAYS_MS = 1_500;

/** Types through `type` and resolves with what came of it. Rejects with what `type` rejects with; leaves nothing behind. */
export async function startAgent(
  { id, agentKind, type }: { id: string; agentKind: string; type(): Promise<unknown> },
  { store, follow }: { store: Pick<TerminalStore, "onChange">; follow: Pick<Follow, "row" | "onRow"> },
): Promise<AgentStart> {
  const commandBefore = follow.row(id)?.command?.startedAtMs ?? null;
  const outcome = Promise.withResolvers<AgentStart>();
  const timer = setTimeout(() => outcome.resolve({ kind: "silent" }), AGENT_MS);
  let staying: NodeJS.Timeout | null = null;
  const unsubscribeStore = store.onChange((changed, _before, after) => {
    if (changed !== id) return;
    if (after?.agent?.kind === agentKind) staying ??= setTimeout(outcome.resolve, STAYS_MS, { kind: "back" });
    else {
      if (staying) clearTimeout(staying);
      staying = null;
    }
  });
  const unsubscribeRow = follow.onRow(id, (row) => {
    if (row === null) return outcome.resolve({ kind: "terminal-gone" });
    const { command } = row;
    if (command === null || command.startedAtMs === commandBefore || command.running) return;
    if (command.exitStatus !== null) outcome.resolve({ kind: "ended", status: command.exitStatus });
  });
  try {
    await type();
    return await outcome.promise;
  } finally {
    clearTimeout(timer);
    if (staying) clearTimeout(staying);
    unsubscribeStore();
    unsubscribeRow();
  }
}
