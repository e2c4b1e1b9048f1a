import { mkdtempSync, rmSync } from "node:fs";
import type { AgentReading } from "@kolu/contract/agent.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openPadiDb, type PadiDb } from "../db/db.ts";
import { change } from "../terminals/record.ts";
import { openStore, type TerminalStore } from "../terminals/store.ts";
import { testAgent, testId, testRecord } from "../test-records.ts";
import { type AttentionWatch, watchAttention } from "./watch.ts";

let root: string;
let db: PadiDb;
let store: TerminalStore;
let attention: AttentionWatch;

beforeEach(() => {
  root = mkdtempSync("/tmp/padi-attention-");
  vi.useFakeTimers();
  db = openPadiDb(root);
  start();
});
afterEach(() => {
  attention.dispose();
  vi.useRealTimers();
  db.close();
  rmSync(root, { recursive: true });
});

const now = (): number => Date.now();
function start(): void {
  store = openStore({ db, boot: "b", now, onFault: (message) => expect.unreachable(message) });
  attention = watchAttention({ store, reportsTurns: (kind) => kind !== "silent", now });
}
const reads = (state: Parameters<typeof testAgent>[0], more: Partial<AgentReading> = {}): void =>
  store.update(
    testId(1),
    (record) => change(record, { agent: testAgent(state, { sinceMs: now(), ...more }) }),
    "soon",
  );
const unread = (): number | undefined => store.get(testId(1))?.unread;

test("a turn that ends is unread once it has been quiet, and a look clears it", () => {
  attention.setListening(true);
  store.insert(testRecord(1));
  reads("thinking");
  expect(attention.urgency.read().workingIds).toEqual([testId(1)]);
  reads("waiting");
  vi.advanceTimersByTime(4_000);
  attention.noticeOutput(testId(1), now());
  vi.advanceTimersByTime(4_000);
  expect([unread(), attention.urgency.read().lingerIds]).toEqual([0, [testId(1)]]);
  vi.advanceTimersByTime(1_000);
  expect([unread(), attention.urgency.read().finishedIds]).toEqual([1, [testId(1)]]);
  store.update(testId(1), (record) => change(record, { unread: 0 }), "now");
  vi.advanceTimersByTime(60_000);
  expect(unread()).toBe(0);
});

test("nothing is taken for quiet while no output is heard", () => {
  store.insert(testRecord(1));
  reads("waiting");
  vi.advanceTimersByTime(60_000);
  expect([unread(), attention.urgency.read().finishedIds]).toEqual([0, []]);
  attention.setListening(true);
  expect([unread(), attention.urgency.read().finishedIds]).toEqual([1, [testId(1)]]);
});

test("a restart over agents that wait alerts nobody, and keeps what was unread", () => {
  attention.setListening(true);
  store.insert(testRecord(1));
  reads("awaiting");
  expect(unread()).toBe(1);
  store.close();
  attention.dispose();
  start();
  attention.expectOld(testId(1));
  attention.setListening(true);
  reads("awaiting");
  expect([unread(), attention.urgency.read().awaitingIds]).toEqual([1, [testId(1)]]);
});

test("what was not seen is done with when the agent works again, and its next question counts anew", () => {
  attention.setListening(true);
  store.insert(testRecord(1));
  reads("awaiting");
  expect(unread()).toBe(1);
  reads("thinking");
  expect(unread()).toBe(0);
  reads("awaiting");
  expect(unread()).toBe(1);
});

test("a plain shell that starts its first agent long after a restart is news again", () => {
  store.insert(testRecord(1));
  attention.expectOld(testId(1));
  attention.setListening(true);
  vi.advanceTimersByTime(20_000);
  reads("awaiting");
  expect(unread()).toBe(1);
});

test("a terminal that goes takes its place in the lists with it", () => {
  attention.setListening(true);
  store.insert(testRecord(1));
  reads("awaiting");
  store.remove(testId(1), { kavalMayHold: false });
  expect(attention.urgency.read().awaitingIds).toEqual([]);
  store.insert(testRecord(2, { agent: testAgent("waiting", { kind: "silent" }) }));
  vi.advanceTimersByTime(60_000);
  expect(attention.urgency.read().finishedIds).toEqual([]);
});
