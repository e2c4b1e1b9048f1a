// Which directory a session may be of: where the agent's process works, or where its command sends it. Pure.
import { resolve } from "node:path";
import type { SessionSearch } from "./plugin.ts";

/** @param named the directory that the command names, as written; null when it names none */
export function workingDirsOf({ cwd, processCwd = null }: SessionSearch, named: string | null): string[] {
  if (named === null) return [processCwd ?? cwd];
  // An agent may go there itself: then its own directory is no base for a relative name.
  return [...new Set([cwd, processCwd ?? cwd].map((base) => resolve(base, named)))];
}
