// The one choice of a source of process facts.
import { linuxProcesses } from "./process-linux.ts";
import { macProcesses } from "./process-mac.ts";
import type { ProcessFacts } from "./process-tree.ts";

export function processFacts(platform: NodeJS.Platform = process.platform): ProcessFacts {
  return platform === "darwin" ? macProcesses() : linuxProcesses();
}
