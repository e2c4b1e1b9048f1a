// The last lines of a terminal's screen, read when they are shown and again when its agent's state or its output changes.
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { useEffect, useState } from "react";
import { padi, useWorkspace } from "../store/workspace.ts";

const LINES = 12;

/** Null until they have been read, and while they cannot be. */
export function useLastLines(record: TerminalRecord): string | null {
  const [lines, setLines] = useState<string | null>(null);
  const live = useWorkspace((workspace) => workspace.link.kind === "live");
  const { id, busy, lastActivityAtMs } = record;
  const stateSinceMs = record.agent?.sinceMs ?? null;
  // What changes the screen is the reason to read it again.
  useEffect(() => {
    if (!live) return;
    const abort = new AbortController();
    padi()
      .call("screen.text", { id, extent: { kind: "tail", lines: LINES } }, { signal: abort.signal })
      .then(
        ({ text }) => setLines(text.replace(/\s+$/, "")),
        () => {}, // Shown without its lines; the next change reads again.
      );
    return () => abort.abort();
  }, [id, live, busy, lastActivityAtMs, stateSinceMs]);
  return lines;
}
