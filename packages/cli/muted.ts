// Which terminals `kolu watch` leaves out. Pure.
import { matchPrefix, shortId, TerminalId } from "@kolu/contract/ids.ts";
import { refuse } from "@kolu/contract/refusals.ts";
import type { Environment } from "./endpoint.ts";
import { UsageError } from "./exit.ts";

export interface Muted {
  ids: TerminalId[];
  /** For words that mute nobody. */
  warnings: string[];
}

/** Throws UsageError, or the refusals that padi gives for a watch that would hear nothing. */
export function findMuted(
  flags: { ignore: readonly string[]; "ignore-self": boolean },
  { known, only, env }: { known: readonly TerminalId[]; only: TerminalId | null; env: Environment },
): Muted {
  const ids: TerminalId[] = [];
  const warnings: string[] = [];
  for (const word of flags.ignore) {
    const match = matchPrefix(word, known);
    if (match.kind === "found") ids.push(match.id as TerminalId);
    else if (match.kind === "ambiguous")
      throw new UsageError(
        `--ignore ${word} matches ${match.ids.length} terminals: ${match.ids.map(shortId).join(", ")}`,
      );
    else {
      // A whole id may belong to a terminal that comes back.
      const whole = TerminalId.safeParse(word.trim().toLowerCase());
      if (whole.success) ids.push(whole.data);
      else warnings.push(`--ignore ${word} matches no terminal and is left out`);
    }
  }
  if (flags["ignore-self"]) ids.push(ownTerminal(known, env));
  if (only !== null && ids.includes(only))
    throw refuse(
      "muted-covers-include",
      { ids: [only] },
      `The one terminal to watch, ${shortId(only)}, is ignored as well: nothing would be heard.`,
    );
  return { ids, warnings };
}

function ownTerminal(known: readonly TerminalId[], env: Environment): TerminalId {
  const raw = env.KAVAL_TERMINAL_ID;
  if (!raw)
    throw refuse(
      "ignore-self-unresolvable",
      {},
      "--ignore-self: this is no kolu terminal (KAVAL_TERMINAL_ID is not set). Name the terminal with --ignore.",
    );
  const id = TerminalId.safeParse(raw);
  if (!id.success)
    throw refuse(
      "ignore-self-invalid",
      { raw },
      `--ignore-self: KAVAL_TERMINAL_ID is ${JSON.stringify(raw)}, which is no terminal id. Name the terminal with --ignore.`,
    );
  if (!known.includes(id.data))
    throw refuse(
      "ignore-self-not-in-fleet",
      { id: id.data },
      `--ignore-self would mute nobody: this padi knows no terminal ${id.data}. Name the terminal with --ignore.`,
    );
  return id.data;
}
