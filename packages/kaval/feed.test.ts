import { TerminalId } from "@kolu/contract/ids.ts";
import type { KavalTerminal } from "@kolu/contract/kaval.ts";
import { expect, test } from "vitest";
import { Feed } from "./feed.ts";

const id = TerminalId.parse("11111111-1111-4111-8111-111111111111");
const other = TerminalId.parse("22222222-2222-4222-8222-222222222222");

function feedOf(rows: Map<string, number>) {
  const row = (of: TerminalId): KavalTerminal | null =>
    rows.has(of) ? ({ id: of, offset: rows.get(of) } as KavalTerminal) : null;
  const feed = new Feed(row);
  const abort = new AbortController();
  const items = feed.read(
    () => ({ boot: "b", terminals: [...rows.keys()].map((key) => row(key as TerminalId)!) }),
    abort.signal,
  );
  return { feed, abort, items };
}

const bell = { id, atMs: 1, what: { kind: "bell" } } as const;

test("a slow reader gets a row once, as it is when it reads", async () => {
  const rows = new Map([[id as string, 0]]);
  const { feed, items } = feedOf(rows);
  expect((await items.next()).value).toMatchObject({ kind: "snapshot", terminals: [{ id }] });
  for (let n = 1; n <= 1000; n++) {
    rows.set(id, n);
    feed.changed(id);
  }
  feed.notice(bell);
  expect((await items.next()).value).toMatchObject({ kind: "changed", terminal: { offset: 1000 } });
  expect((await items.next()).value).toMatchObject({ kind: "notice" });
  const next = items.next();
  rows.set(id, 1001);
  feed.changed(id);
  expect((await next).value).toMatchObject({ kind: "changed", terminal: { offset: 1001 } });
});

test("a removal is told, also when the id is there again", async () => {
  const rows = new Map([[id as string, 0]]);
  const { feed, items } = feedOf(rows);
  await items.next();
  feed.changed(id);
  rows.delete(id);
  feed.removed(id);
  rows.set(id, 5);
  feed.changed(id);
  expect((await items.next()).value).toEqual({ kind: "removed", id });
  expect((await items.next()).value).toMatchObject({ kind: "changed", terminal: { offset: 5 } });
  feed.changed(other);
  feed.changed(id);
  expect((await items.next()).value).toMatchObject({ terminal: { id } });
});

test("notices that nobody takes are bounded, the oldest go", async () => {
  const { feed, items } = feedOf(new Map());
  await items.next();
  for (let n = 0; n < 1000; n++) feed.notice({ ...bell, atMs: n });
  expect((await items.next()).value).toMatchObject({ notice: { atMs: 744 } });
});

test("the end of the reader's signal ends the feed", async () => {
  const { abort, items } = feedOf(new Map());
  await items.next();
  const waiting = items.next();
  abort.abort();
  expect((await waiting).done).toBe(true);
});
