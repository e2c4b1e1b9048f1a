import { mkdtempSync, rmSync } from "node:fs";
import { TOMBSTONE_MS } from "@kolu/contract/limits.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openPadiDb, type PadiDb } from "../db/db.ts";
import { testAgent, testId, testRecord } from "../test-records.ts";
import { change } from "./record.ts";
import { openStore, type TerminalStore } from "./store.ts";

let root: string;
let db: PadiDb;
let nowMs = 1_000_000;
const faults: string[] = [];
const open = (): TerminalStore =>
  openStore({ db, boot: "b", now: () => nowMs, onFault: (message) => faults.push(message) });

beforeEach(() => {
  root = mkdtempSync("/tmp/padi-store-");
  db = openPadiDb(root);
  nowMs = 1_000_000;
  faults.length = 0;
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  db.close();
  rmSync(root, { recursive: true });
});

test("what was committed is there for a padi that starts after a sudden death", () => {
  const store = open();
  store.insert(testRecord(1, { intent: "before" }));
  store.update(testId(1), (record) => change(record, { intent: "after" }), "now");
  store.commit();
  expect(open().get(testId(1))?.intent).toBe("after");
});

test("a change that must last is on disk at the end of the turn that made it", async () => {
  const store = open();
  store.insert(testRecord(1));
  store.update(testId(1), (record) => change(record, { intent: "kept" }), "now");
  await Promise.resolve();
  expect(open().get(testId(1))?.intent).toBe("kept");
});

test("facts that arrive by themselves are on disk within 50 ms, activity alone within a minute", () => {
  const store = open();
  store.insert(testRecord(1));
  store.commit();
  store.update(testId(1), (record) => change(record, { lastActivityAtMs: 7 }), "lazy");
  vi.advanceTimersByTime(50);
  expect(open().get(testId(1))?.lastActivityAtMs).toBeNull();
  store.update(testId(1), (record) => change(record, { title: "vim" }), "soon");
  vi.advanceTimersByTime(50);
  expect(open().get(testId(1))).toMatchObject({ title: "vim", lastActivityAtMs: 7 });
  store.update(testId(1), (record) => change(record, { lastActivityAtMs: 8 }), "lazy");
  vi.advanceTimersByTime(60_000);
  expect(open().get(testId(1))?.lastActivityAtMs).toBe(8);
});

test("a removed id is gone for an hour, also over a restart, and then was never there", () => {
  const store = open();
  store.insert(testRecord(1));
  store.remove(testId(1), { kavalMayHold: false });
  store.commit();
  const again = open();
  expect(again.standing(testId(1)).kind).toBe("gone");
  expect(() => again.require(testId(1))).toThrow(expect.objectContaining({ kind: "terminal-gone" }));
  nowMs += TOMBSTONE_MS + 1;
  expect(again.standing(testId(1)).kind).toBe("unknown");
});

test("a tombstone guards for as long as kaval may hold the terminal", () => {
  const store = open();
  store.insert(testRecord(1));
  store.remove(testId(1), { kavalMayHold: true });
  nowMs += 2 * TOMBSTONE_MS;
  store.insert(testRecord(2));
  store.remove(testId(2), { kavalMayHold: false });
  expect([...store.tombstoneIds()].sort()).toEqual([testId(1), testId(2)]);
  store.settleTombstone(testId(1));
  expect([...store.tombstoneIds()]).toEqual([testId(2)]);
});

test("children of a removed terminal become children of its parent", () => {
  const store = open();
  store.insert(testRecord(1));
  store.insert(testRecord(2, { parentId: testId(1) }));
  store.insert(testRecord(3, { parentId: testId(2) }));
  store.remove(testId(2), { kavalMayHold: false });
  expect(store.get(testId(3))?.parentId).toBe(testId(1));
  store.remove(testId(1), { kavalMayHold: false });
  expect(store.get(testId(3))?.parentId).toBeNull();
});

test("what an agent did before a restart is not claimed after it, and not forgotten until a new reading", () => {
  const store = open();
  store.insert(testRecord(1, { agent: testAgent("waiting") }));
  store.setAgentCommand(testId(1), "claude -c");
  store.commit();
  const again = open();
  expect(again.get(testId(1))?.agent).toBeNull();
  expect(again.savedReading(testId(1))?.sessionId).toBe("s-1");
  again.update(testId(1), (record) => change(record, { intent: "x" }), "now");
  again.commit();
  const third = open();
  expect(third.savedReading(testId(1))?.sessionId).toBe("s-1");
  expect(third.agentCommand(testId(1))).toBe("claude -c");
  third.update(testId(1), (record) => change(record, { agent: testAgent("thinking") }), "soon");
  expect(third.savedReading(testId(1))).toBeNull();
});

test("listeners hear changes in order and a failing one stops nothing", () => {
  const store = open();
  const heard: string[] = [];
  store.onChange(() => {
    throw new Error("a bug");
  });
  store.onChange((id, before, after) =>
    heard.push(`${id.at(-1)} ${before?.intent ?? "-"} ${after?.intent ?? "-"}`),
  );
  store.insert(testRecord(1, { intent: "a" }));
  store.update(testId(1), (record) => record, "now");
  store.update(testId(1), (record) => change(record, { intent: "b" }), "now");
  store.remove(testId(1), { kavalMayHold: false });
  expect(heard).toEqual(["1 - a", "1 a b", "1 b -"]);
  expect(faults).toHaveLength(3);
});

test("the conversation that was there last is known after its agent has left and padi has started anew", () => {
  const store = open();
  store.insert(testRecord(1));
  const agentIs = (agent: ReturnType<typeof testAgent> | null): void =>
    store.update(testId(1), (record) => change(record, { agent }), "now");
  expect(store.lastConversation(testId(1))).toBeNull();
  agentIs(testAgent("waiting", { sessionId: "s-1", sessionPath: "/s-1" }));
  agentIs(null);
  // One that was never prompted has no conversation, and takes nobody else's away.
  agentIs(testAgent("waiting", { sessionId: "s-2", prompted: false }));
  agentIs(null);
  store.commit();
  const known = { agent: "test-agent", sessionId: "s-1", sessionPath: "/s-1" };
  expect(store.lastConversation(testId(1))).toEqual(known);
  const again = open();
  expect(again.lastConversation(testId(1))).toEqual(known);
  again.remove(testId(1), { kavalMayHold: false });
  expect(again.lastConversation(testId(1))).toBeNull();
});
