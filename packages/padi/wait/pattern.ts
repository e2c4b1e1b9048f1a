// A caller's regular expression, run so that it can never hold up the daemon.

import { createContext, Script } from "node:vm";
import { refuse } from "@kolu/contract/refusals.ts";

/** One search may take this long; a pattern that backtracks without end is refused when it gets there. */
const SEARCH_BUDGET_MS = 1_000;

/** Index of the first line that matches. The two names are read once: in a context each reading of one is slow. */
const SEARCH = new Script("((all, wanted) => all.findIndex((line) => wanted.test(line)))(lines, pattern)");
// Only a script in a context can be stopped from outside, a regular expression in the middle of its work included.
const room = createContext({ lines: [] as string[], pattern: /$^/ });

/** Parses a pattern. Throws `bad-pattern` when it is none, or when it matches the empty line: it would say nothing. */
export function parsePattern(text: string): RegExp {
  let pattern: RegExp;
  try {
    pattern = new RegExp(text);
  } catch (error) {
    throw badPattern(text, (error as Error).message);
  }
  if (findLine(pattern, [""]) !== null)
    throw badPattern(text, "it matches an empty line, so it would match anything");
  return pattern;
}

/** The first line that matches, or null. Throws `bad-pattern` when the search takes too long. */
export function findLine(pattern: RegExp, lines: string[]): string | null {
  try {
    Object.assign(room, { lines, pattern });
    const index = SEARCH.runInContext(room, { timeout: SEARCH_BUDGET_MS }) as number;
    return index === -1 ? null : lines[index]!;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw badPattern(pattern.source, "searching with it takes too long");
  } finally {
    Object.assign(room, { lines: [] });
  }
}

function badPattern(pattern: string, reason: string): Error {
  return refuse("bad-pattern", { pattern, reason }, `The pattern ${pattern} cannot be used: ${reason}.`);
}
