// Whose start counts while an agent has not given itself its name. Pure.
import type { SessionSearch } from "@kolu/anyagent/plugin.ts";
import type { ProcessEntry } from "@kolu/anyagent/process-tree.ts";

/** As a script's process is called until it names itself; Node 24 calls its first thread MainThread. */
const RUNTIMES = new Set(["node", "MainThread", "bun"]);

/** The agent's process, else the innermost runtime, which is about to name itself or never will (macOS). Null before there
 * is one: the shell that starts it is not it, began long before and outlives it. */
export function agentProcessOf({
  agent,
  chain,
}: Pick<SessionSearch, "agent" | "chain">): ProcessEntry | null {
  return agent ?? chain.findLast((entry) => RUNTIMES.has(entry.name)) ?? null;
}
