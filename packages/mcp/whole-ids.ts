// Ids that a caller shortened, made whole as the shell's verbs do it.
import { matchPrefix, shortId, TerminalId } from "@kolu/contract/ids.ts";
import { refuse, terminalNotFound } from "@kolu/contract/refusals.ts";
import type { Connection } from "./connection.ts";

/**
 * The same input with its terminal ids whole. padi is asked for the list only when one is shortened. What is no text is left
 * for the schema to judge. Rejects with `terminal-not-found` for a beginning that fits nothing or more than one.
 */
export async function wholeIds(
  input: unknown,
  connection: Connection,
  signal: AbortSignal,
): Promise<unknown> {
  if (typeof input !== "object" || input === null) return input ?? {};
  let known: Promise<string[]> | null = null;
  const whole = async (typed: unknown): Promise<unknown> => {
    if (typeof typed !== "string" || typed.trim() === "") return typed;
    const exact = TerminalId.safeParse(typed.trim().toLowerCase());
    if (exact.success) return exact.data;
    known ??= connection.use(async ({ client }) => {
      const { terminals } = await client.call("terminals.list", {}, { signal });
      return terminals.map(({ id }) => id);
    }, signal);
    return theOne(typed, await known);
  };
  const { id, ids, ignoreIds, placement, ...rest } = input as Record<string, unknown>;
  const all = (typed: unknown): unknown => (Array.isArray(typed) ? Promise.all(typed.map(whole)) : typed);
  return {
    ...rest,
    ...(id === undefined ? {} : { id: await whole(id) }),
    ...(ids === undefined ? {} : { ids: await all(ids) }),
    // A mute may name what is gone: it does no harm, so a beginning of nothing is left to the schema.
    ...(ignoreIds === undefined ? {} : { ignoreIds }),
    ...(placement === undefined ? {} : { placement: await wholeParent(placement, whole) }),
  };
}

async function wholeParent(
  placement: unknown,
  whole: (typed: unknown) => Promise<unknown>,
): Promise<unknown> {
  if (typeof placement !== "object" || placement === null || !("parentId" in placement)) return placement;
  return { ...placement, parentId: await whole(placement.parentId) };
}

function theOne(typed: string, ids: readonly string[]): string {
  const match = matchPrefix(typed, ids);
  if (match.kind === "found") return match.id;
  if (match.kind === "none") throw terminalNotFound(typed);
  const several = match.ids.map(shortId).join(", ");
  throw refuse(
    "terminal-not-found",
    { id: typed },
    `${JSON.stringify(typed)} begins ${match.ids.length} ids: ${several}`,
  );
}
