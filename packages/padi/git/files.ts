// The files of a repository as its owner sees them.
import { refuse } from "@kolu/contract/refusals.ts";
import { runReading } from "./read.ts";

/** Below `directory`, relative to it: what git tracks, and what it neither tracks nor ignores. */
export async function listRepositoryFiles(directory: string, signal: AbortSignal): Promise<string[]> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
  const outcome = await runReading(args, directory, signal);
  if (outcome.code !== 0) throw refuse("git-failed", { detail: outcome.stderr }, outcome.stderr);
  return outcome.stdout.split("\0").filter((path) => path !== "");
}
