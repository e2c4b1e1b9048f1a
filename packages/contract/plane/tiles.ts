// Which terminals are tiles: those without a parent, or whose parent is not there. Below a tile all are its splits. Pure.

type Parents = ReadonlyMap<string, { parentId: string | null }>;

export function isTile({ parentId }: { parentId: string | null }, records: Parents): boolean {
  return parentId === null || !records.has(parentId);
}

/** The tile that shows a terminal: itself or its topmost ancestor. A circle of parents ends at the last one before it closes. */
export function tileIdOf(records: Parents, id: string): string {
  const seen = new Set<string>();
  let at = id;
  for (;;) {
    seen.add(at);
    const record = records.get(at);
    if (!record || isTile(record, records) || seen.has(record.parentId!)) return at;
    at = record.parentId!;
  }
}
