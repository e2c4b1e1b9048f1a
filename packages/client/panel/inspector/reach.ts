// The commands that reach one terminal from any shell of this machine. Pure.
import { shortId } from "@kolu/contract/ids.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";

export interface ReachLine {
  does: string;
  line: string;
}

export function reachLines({ id, agent, life }: TerminalRecord): ReachLine[] {
  const short = shortId(id);
  if (life !== "active") return [{ does: "Bring it back", line: "kolu restore" }];
  const ofAgent: ReachLine[] = [
    { does: "Prompt the agent", line: `kolu prompt ${short} 'your prompt'` },
    { does: "Wait for its turn's end", line: `kolu wait ${short} --until awaiting,waiting --snapshot 40` },
    { does: "Why this state", line: `kolu explain ${short}` },
    { does: "Export the conversation", line: `kolu export ${short}` },
  ];
  return [
    ...(agent ? ofAgent : []),
    { does: "Work in it from here", line: `kaval-tui attach ${short}` },
    { does: "See its last lines", line: `kolu snapshot ${short} --tail 40` },
    { does: "Type into it", line: `kolu send ${short} 'text'` },
    { does: "Press Enter", line: `kolu send ${short} --key Enter` },
  ];
}
