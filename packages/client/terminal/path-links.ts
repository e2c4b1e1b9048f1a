// Paths in a terminal's output: padi says which of them are files of its project, whoever shows files opens them.
import type { TerminalId } from "@kolu/contract/ids.ts";
import { padi } from "../store/workspace.ts";
import type { PathLinks } from "./link-provider.ts";

/** Shows a file of a terminal's project at a line. */
export type OpenPath = (terminalId: string, path: string, line: number | null) => void;

let openPath: OpenPath | null = null;

/** Said once, when the page starts: terminals know nothing of the panel that shows files. */
export function openPathsWith(open: OpenPath): void {
  openPath = open;
}

export function pathLinksOf(id: string): PathLinks {
  return {
    async find(paths) {
      try {
        return (await padi().call("fs.locate", { id: id as TerminalId, paths: [...paths] })).found;
      } catch {
        return []; // Without padi there is nothing to open either.
      }
    },
    open: (path, line) => openPath?.(id, path, line),
  };
}
