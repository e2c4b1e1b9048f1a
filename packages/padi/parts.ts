// The parts that padi is really made with: which agents there are, and what runs git.
import { refuse } from "@kolu/contract/refusals.ts";
import { createDetect } from "./detect/detect.ts";
import { reportsTurns, resumeLine } from "./detect/resume.ts";
import type { PadiParts } from "./padi.ts";

export function realParts(startKaval: () => Promise<unknown>): PadiParts {
  return {
    startKaval,
    createDetect,
    reportsTurns,
    resumeLine,
    // git/ is on its way: until it is here nothing is said of repositories, rather than something false.
    createGitWatch: () => ({ track() {}, untrack() {}, poke() {}, dispose() {} }),
    createWorktree: () =>
      Promise.reject(refuse("git-failed", { detail: "not built in yet" }, "Worktrees are not built in yet.")),
  };
}
