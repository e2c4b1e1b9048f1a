// The dock's list: which cards, which rows, in which order. Pure. The order is structural (repository, branch, creation),
// so nothing moves because an agent finished; a child stays under the terminal that it works for, whatever its repository.
import { shortId } from "@kolu/contract/ids.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { type Mark, markOf } from "../marks/mark-of.ts";
import { baseName, doingOf, nameOf } from "../marks/name-of.ts";

export interface DockRow {
  record: TerminalRecord;
  mark: Mark;
  /** 0 for a tile, 1 for its children, and so on. */
  depth: number;
  name: string;
  /** What it does, in its own words, or where it is below its repository. Null when that adds nothing to `name`. */
  doing: string | null;
  /** The short id, only where name and doing are those of another row in the card too. */
  tellApart: string | null;
}

export interface DockCard {
  key: string;
  name: string;
  /** Where it is, for the hover. */
  path: string;
  /** A repository; false: plain directories. */
  isRepo: boolean;
  rows: DockRow[];
}

type Records = ReadonlyMap<string, TerminalRecord>;

const NO_REPO = "";

/** Cards in the order of their names, directories without a repository last. */
export function dockCards(records: Records): DockCard[] {
  const children = childrenOf(records);
  const cards = new Map<string, DockCard>();
  const tiles = [...records.values()].filter((record) => isTile(records, record)).sort(byPlace);
  for (const tile of tiles) {
    const key = tile.git?.mainRoot ?? NO_REPO;
    const card = cards.get(key) ?? newCard(key, tile);
    cards.set(key, card);
    addRows(card.rows, tile, children, 0);
  }
  const sorted = [...cards.values()].sort(byName);
  for (const card of sorted) tellApart(card.rows);
  return sorted;
}

/** All rows from top to bottom: what Mod+1..9 and "next terminal" count. */
export function rowOrder(cards: readonly DockCard[]): DockRow[] {
  return cards.flatMap((card) => card.rows);
}

/** Whether two rows are drawn alike. */
export function isSameRow(a: DockRow, b: DockRow): boolean {
  return a.record === b.record && a.depth === b.depth && a.tellApart === b.tellApart;
}

/** A top-level terminal: it has no parent here. Of a circle of parents (which padi refuses) the least id counts as one. */
function isTile(records: Records, record: TerminalRecord): boolean {
  const walked: string[] = [];
  for (let at = parentOf(records, record); at !== null; at = parentOf(records, at)) {
    walked.push(at.id);
    if (at === record) return record.id === walked.toSorted()[0];
    if (walked.indexOf(at.id) < walked.length - 1) return false; // Below a circle, not in it.
  }
  return walked.length === 0;
}

function parentOf(records: Records, record: TerminalRecord): TerminalRecord | null {
  return record.parentId === null ? null : (records.get(record.parentId) ?? null);
}

function childrenOf(records: Records): Map<string, TerminalRecord[]> {
  const children = new Map<string, TerminalRecord[]>();
  for (const record of records.values()) {
    if (record.parentId === null) continue;
    const siblings = children.get(record.parentId);
    if (siblings) siblings.push(record);
    else children.set(record.parentId, [record]);
  }
  for (const siblings of children.values()) siblings.sort(byCreation);
  return children;
}

function newCard(key: string, tile: TerminalRecord): DockCard {
  if (tile.git === null)
    return { key, name: "Elsewhere", path: "Not in a repository", isRepo: false, rows: [] };
  return { key, name: tile.git.name, path: tile.git.mainRoot, isRepo: true, rows: [] };
}

function addRows(
  rows: DockRow[],
  record: TerminalRecord,
  children: Map<string, TerminalRecord[]>,
  depth: number,
): void {
  if (rows.some((row) => row.record === record)) return; // A circle of parents: each once.
  rows.push(newRow(record, depth));
  for (const child of children.get(record.id) ?? []) addRows(rows, child, children, depth + 1);
}

function newRow(record: TerminalRecord, depth: number): DockRow {
  const mark = markOf(record);
  const name = nameOf(record);
  const doing = doingOf(record);
  const said = [doing, placeOf(record)].find((words) => words !== null && words !== name);
  return { record, mark, depth, name, doing: said ?? null, tellApart: null };
}

/** Where it is, as far as the card and the name do not say it already. */
function placeOf({ git, cwd }: TerminalRecord): string | null {
  if (git === null) return baseName(cwd);
  return cwd.startsWith(`${git.root}/`) ? cwd.slice(git.root.length + 1) : null;
}

function tellApart(rows: DockRow[]): void {
  const counts = new Map<string, number>();
  const face = (row: DockRow): string => JSON.stringify([row.name, row.doing]);
  for (const row of rows) counts.set(face(row), (counts.get(face(row)) ?? 0) + 1);
  for (const row of rows) if (counts.get(face(row))! > 1) row.tellApart = shortId(row.record.id);
}

function byPlace(a: TerminalRecord, b: TerminalRecord): number {
  return compare(a.git?.branch ?? "", b.git?.branch ?? "") || byCreation(a, b);
}

function byCreation(a: TerminalRecord, b: TerminalRecord): number {
  return a.createdAtMs - b.createdAtMs || compare(a.id, b.id);
}

function byName(a: DockCard, b: DockCard): number {
  if (a.isRepo !== b.isRepo) return a.isRepo ? -1 : 1;
  return compare(a.name.toLowerCase(), b.name.toLowerCase()) || compare(a.key, b.key);
}

/** By code unit: the same order in every browser, whatever its language. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
