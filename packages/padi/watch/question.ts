// What a subscription asks, and of which terminals: read off the call that opens it. Pure.
import type { Bucket } from "@kolu/contract/agent.ts";
import { TerminalId } from "@kolu/contract/ids.ts";
import { refuse } from "@kolu/contract/refusals.ts";
import type { WatchOpenParams } from "@kolu/contract/watch.ts";
import { z } from "zod";

/** `feed`: what happens. `level`: how terminals stand. */
export const Question = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("feed") }),
  z.object({
    kind: z.literal("level"),
    states: z.array(z.enum(["working", "awaiting", "waiting"])),
    heldForMs: z.number(),
    nagMs: z.number().nullable(),
  }),
]);
export type Question = z.infer<typeof Question>;

export const Scope = z.object({
  /** Null: every terminal, also those that come later. */
  ids: z.array(z.string()).nullable(),
  ignoreIds: z.array(z.string()),
});
export type Scope = z.infer<typeof Scope>;

const DEFAULT_STATES: readonly Bucket[] = ["awaiting", "waiting"];

/** Any of the three knobs makes it a level. */
export function questionOf({ states, heldForMs, nagMs }: WatchOpenParams): Question {
  if (states === undefined && heldForMs === undefined && nagMs === undefined) return { kind: "feed" };
  const chosen = [...new Set(states ?? DEFAULT_STATES)].sort();
  return { kind: "level", states: chosen, heldForMs: heldForMs ?? 0, nagMs: nagMs ?? null };
}

/**
 * @param isKnown whether padi knows a terminal of that id
 * Throws the `ignore-self-…` refusals, then `empty-ids` and `muted-covers-include`.
 */
export function scopeOf(params: WatchOpenParams, isKnown: (id: string) => boolean): Scope {
  const self = params.ignoreSelf ? [callerOf(params.callerTerminalId, isKnown)] : [];
  const ignoreIds = [...new Set([...(params.ignoreIds ?? []), ...self])];
  const ids = params.ids ?? null;
  if (ids?.length === 0)
    throw refuse("empty-ids", {}, "ids is empty, so nothing would be watched. Leave it out to watch all.");
  if (ids?.every((id) => ignoreIds.includes(id)))
    throw refuse(
      "muted-covers-include",
      { ids },
      "Every terminal in ids is muted as well, so nothing would be heard. Leave ids out, or mute fewer.",
    );
  return { ids, ignoreIds };
}

function callerOf(raw: string | undefined, isKnown: (id: string) => boolean): string {
  if (raw === undefined || raw === "")
    throw refuse(
      "ignore-self-unresolvable",
      {},
      "ignoreSelf cannot be followed: the caller does not run in a kolu terminal (KAVAL_TERMINAL_ID is not set). Name the terminal in ignoreIds.",
    );
  const id = TerminalId.safeParse(raw);
  if (!id.success)
    throw refuse(
      "ignore-self-invalid",
      { raw },
      `ignoreSelf cannot be followed: KAVAL_TERMINAL_ID is ${JSON.stringify(raw)}, which is no terminal id. Name the terminal in ignoreIds.`,
    );
  if (!isKnown(id.data))
    throw refuse(
      "ignore-self-not-in-fleet",
      { id: id.data },
      `ignoreSelf would mute nobody: this padi knows no terminal ${id.data}. Does the caller run on another machine, or under another kolu? Name the terminal in ignoreIds.`,
    );
  return id.data;
}

export function isInScope({ ids, ignoreIds }: Scope, id: string): boolean {
  return !ignoreIds.includes(id) && (ids === null || ids.includes(id));
}
