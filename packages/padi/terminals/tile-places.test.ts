import { mkdtempSync, rmSync } from "node:fs";
import { overlaps } from "@kolu/contract/plane/geometry.ts";
import type { Layout } from "@kolu/contract/terminal.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openPadiDb, type PadiDb } from "../db/db.ts";
import { testId, testRecord } from "../test-records.ts";
import { openStore, type TerminalStore } from "./store.ts";

const A: Layout = { x: 0, y: 0, w: 600, h: 408 };

let root: string;
let db: PadiDb;
let store: TerminalStore;

beforeEach(() => {
  root = mkdtempSync("/tmp/padi-places-");
  db = openPadiDb(root);
  store = openStore({ db, boot: "b", now: () => 1, onFault: (message) => expect.unreachable(message) });
});
afterEach(() => {
  store.close();
  db.close();
  rmSync(root, { recursive: true });
});

const layoutOf = (n: number): Layout | null => store.get(testId(n))?.layout ?? null;

test("tiles that come in one breath each get a free place of their own", () => {
  for (let n = 1; n <= 12; n++)
    store.insert(testRecord(n, { layout: null }), n % 3 === 0 ? { besideId: testId(1) } : {});
  const boxes = store.all().map(({ layout }) => layout!);
  for (const [index, box] of boxes.entries())
    expect(boxes.slice(index + 1).some((other) => overlaps(box, other))).toBe(false);
});

test("a wish gives the size and the neighbourhood, and a tile beside another takes that one's size", () => {
  store.insert(testRecord(1, { layout: A }));
  store.insert(testRecord(2, { layout: { ...A, x: 10_000 } }));
  store.insert(testRecord(3, { layout: null }), { besideId: testId(1) });
  expect(layoutOf(3)).toMatchObject({ w: A.w, h: A.h });
  expect(layoutOf(3)!.x).toBeLessThan(2_000);
  const wish = { at: { x: 10_300, y: 3_000 }, size: { w: 768, h: 552 } };
  store.insert(testRecord(4, { layout: null }), wish);
  expect(layoutOf(4)).toMatchObject({ w: 768, h: 552 });
  expect(layoutOf(4)!.y).toBeGreaterThan(2_000);
});

test("a split has no place; one whose tile goes away stands where that one stood, the next one beside it", () => {
  store.insert(testRecord(1, { layout: A }));
  store.insert(testRecord(2, { layout: null, parentId: testId(1) }));
  store.insert(testRecord(3, { layout: null, parentId: testId(1) }));
  expect([layoutOf(2), layoutOf(3)]).toEqual([null, null]);
  store.remove(testId(1), { kavalMayHold: false });
  expect(layoutOf(2)).toEqual(A);
  expect(overlaps(layoutOf(3)!, A)).toBe(false);
});

test("a split that is made a tile of its own is placed; what an earlier padi left without a place is placed at the start", () => {
  store.insert(testRecord(1, { layout: A }));
  store.insert(testRecord(2, { layout: null, parentId: testId(1) }));
  store.commit();
  store.update(testId(2), (record) => ({ ...record, parentId: null }), "soon");
  expect(layoutOf(2)).not.toBeNull();
  store.close();
  db.terminals.put({ ...db.terminals.load().saved.find(({ id }) => id === testId(1))!, layout: null });
  store = openStore({ db, boot: "c", now: () => 1, onFault: (message) => expect.unreachable(message) });
  expect(layoutOf(1)).not.toBeNull();
  expect(overlaps(layoutOf(1)!, layoutOf(2)!)).toBe(false);
});
