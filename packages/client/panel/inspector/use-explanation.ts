// padi's explanation of a terminal's state: read when it is shown, and again when what it explains changes.
import type { Explanation } from "@kolu/contract/agent.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { useEffect, useState } from "react";
import { padi, useWorkspace } from "../../store/workspace.ts";

/** Null until it has been read, and for a terminal without a process. */
export function useExplanation(record: TerminalRecord): Explanation | null {
  const [explanation, setExplanation] = useState<Explanation | null>(null);
  const live = useWorkspace(({ link }) => link.kind === "live");
  const { id, life, agent, foreground } = record;
  const cause = [agent?.kind, agent?.state, agent?.sinceMs, agent?.source, foreground?.pid].join(" ");
  // The cause is the reason to read again, not an input
  useEffect(() => {
    if (!live || life !== "active") return;
    const abort = new AbortController();
    padi()
      .call("terminal.explain", { id }, { signal: abort.signal })
      .then(setExplanation, () => {}); // The last one stays; the next change reads again.
    return () => abort.abort();
  }, [id, live, life, cause]);
  return life === "active" ? explanation : null;
}
