// Who is a split of whom. Pure.
import { type Refusal, refuse } from "@kolu/contract/refusals.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";

type Parents = ReadonlyMap<string, Pick<TerminalRecord, "parentId">>;

/** Why `childId` cannot become a split of `parentId`, or null when it can. Both are known to exist. */
export function refuseParent(
  records: Parents,
  childId: string,
  parentId: string,
): Refusal<"parent-cycle"> | null {
  if (childId === parentId)
    return refuse(
      "parent-cycle",
      { childId, parentId, reason: "self" },
      "A terminal cannot be its own parent.",
    );
  // Bounded by the number of records, should a damaged database hold a ring already.
  let ancestor = records.get(parentId)?.parentId ?? null;
  for (let step = 0; ancestor !== null && step < records.size; step++) {
    if (ancestor === childId)
      return refuse(
        "parent-cycle",
        { childId, parentId, reason: "would-cycle" },
        "That parent lies inside this terminal already. Move it out first.",
      );
    ancestor = records.get(ancestor)?.parentId ?? null;
  }
  return null;
}

/** The children that a removed record leaves behind; they become children of its own parent. */
export function childrenOf<T extends Pick<TerminalRecord, "parentId">>(
  records: Iterable<T>,
  id: string,
): T[] {
  return [...records].filter((record) => record.parentId === id);
}

/** Records ordered so that a parent comes before its children; those of a missing parent stand for themselves. */
export function parentsFirst(records: readonly TerminalRecord[]): TerminalRecord[] {
  const byId = new Map(records.map((record) => [record.id as string, record]));
  const depth = (record: TerminalRecord): number => {
    let steps = 0;
    let parent = record.parentId === null ? undefined : byId.get(record.parentId);
    while (parent && steps < records.length) {
      steps += 1;
      parent = parent.parentId === null ? undefined : byId.get(parent.parentId);
    }
    return steps;
  };
  return records
    .map((record) => ({ record, depth: depth(record) }))
    .sort((a, b) => a.depth - b.depth || a.record.createdAtMs - b.record.createdAtMs)
    .map(({ record }) => record);
}
