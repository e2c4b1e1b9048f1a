// Every tile has a place on the plane, whoever made it: a page, a shell, an agent, or the end of the tile that it was a
// split of. padi gives it, because only padi sees all of them at once: two pages that chose by themselves would choose
// the same place. Pure.
import type { TilePlace } from "@kolu/contract/padi.ts";
import { boundsOf, centreOf, TILE_DEFAULT } from "@kolu/contract/plane/geometry.ts";
import { placeTile } from "@kolu/contract/plane/placement.ts";
import { isTile, tileIdOf } from "@kolu/contract/plane/tiles.ts";
import type { Layout, TerminalRecord } from "@kolu/contract/terminal.ts";

type Records = ReadonlyMap<string, TerminalRecord>;

/** The record with a place where it needs one: a free one near what was wished for, or near the middle of all tiles. */
export function placed(record: TerminalRecord, others: Records, wish: TilePlace = {}): TerminalRecord {
  if (record.layout || !isTile(record, others)) return record;
  return { ...record, layout: freePlace(wish, others) };
}

function freePlace({ besideId, at, size }: TilePlace, records: Records): Layout {
  const taken = [...records.values()].flatMap((record) =>
    record.layout && isTile(record, records) ? [record.layout] : [],
  );
  const beside = besideId === undefined ? null : (records.get(tileIdOf(records, besideId))?.layout ?? null);
  const wanted = size ?? beside ?? taken.at(-1) ?? TILE_DEFAULT;
  return placeTile({ w: wanted.w, h: wanted.h }, at ?? beside ?? middleOf(taken), taken);
}

/** A box without a size, so that what stands beside it stands around the middle; the first tile begins at the origin. */
function middleOf(boxes: readonly Layout[]): Layout | { x: number; y: number } {
  const bounds = boundsOf(boxes);
  return bounds ? { ...centreOf(bounds), w: 0, h: 0 } : centreOf({ x: 0, y: 0, ...TILE_DEFAULT });
}
