import { expect, test } from "vitest";
import { testAgent, testId, testRecord, testRow } from "../test-records.ts";
import {
  adoptedRecord,
  BUSY_MS,
  exited,
  foldActivity,
  foldLiveRow,
  park,
  sinceBefore,
  startedBy,
} from "./record.ts";

const command = { line: "make", running: true, exitStatus: null, startedAtMs: 2_000, endedAtMs: null };

test("a row that says nothing new returns the same record", () => {
  const record = foldLiveRow(testRecord(1), testRow(1), 5_000);
  expect(foldLiveRow(record, testRow(1, { offset: 900, viewers: 3 }), 5_100)).toBe(record);
  expect(foldLiveRow(record, testRow(1, { title: "vim" }), 5_100)).not.toBe(record);
});

test("a live row makes a parked record active and its old reading void", () => {
  const parked = park(testRecord(1, { agent: testAgent("thinking") }), 4_000);
  const record = foldLiveRow(parked, testRow(1), 5_000);
  expect(record).toMatchObject({ life: "active", lifeSinceMs: 5_000, pid: 4_001, agent: null });
});

test("busy lasts a second after the last output, and the stamp of activity is coarse in between", () => {
  let record = foldLiveRow(testRecord(1), testRow(1, { lastOutputAtMs: 5_000 }), 5_010);
  expect(record).toMatchObject({ busy: true, lastActivityAtMs: 5_000 });
  const stamped = record;
  record = foldActivity(record, 6_500, 6_510);
  expect(record).toBe(stamped);
  record = foldActivity(record, 10_100, 10_110);
  expect(record.lastActivityAtMs).toBe(10_100);
  record = foldActivity(record, 10_900, 10_900 + BUSY_MS);
  expect(record).toMatchObject({ busy: false, lastActivityAtMs: 10_900 });
});

test("parking keeps who the agent was and drops what it did", () => {
  const record = testRecord(1, { pid: 7, busy: true, command, agent: testAgent("tool_use", { model: "m" }) });
  const parked = park(record, 9_000);
  expect(parked).toMatchObject({ life: "parked", lifeSinceMs: 9_000, pid: null, busy: false });
  expect(parked.command?.running).toBe(false);
  expect(parked.agent).toMatchObject({ sessionId: "s-1", model: "m", state: "unknown", bucket: null });
});

test("an exit keeps the status and nothing of the agent", () => {
  const record = exited(testRecord(1, { agent: testAgent("waiting") }), { code: 2, signal: 0 }, 9_000);
  expect(record).toMatchObject({ life: "exited", exit: { code: 2, signal: 0 }, agent: null });
});

test("a stranger's record says what kaval knows; a saved one is parked", () => {
  const live = adoptedRecord(testRow(3, { cwd: "/a", commandRooted: true, argv: ["htop"] }), 9_000);
  expect(live).toMatchObject({
    id: testId(3),
    life: "active",
    cwd: "/a",
    rootCommand: ["htop"],
    createdAtMs: 1_000,
  });
  const saved = adoptedRecord(testRow(3, { life: "saved", pid: null }), 9_000);
  expect(saved).toMatchObject({ life: "parked", pid: null });
});

test("a state that lasted through a restart began when it began", () => {
  const saved = testAgent("waiting", { sinceMs: 5_000 });
  expect(sinceBefore(testAgent("waiting", { sinceMs: 9_000 }), saved).sinceMs).toBe(5_000);
  expect(sinceBefore(testAgent("thinking", { sinceMs: 9_000 }), saved).sinceMs).toBe(9_000);
  expect(sinceBefore(testAgent("waiting", { sinceMs: 9_000, sessionId: "s-2" }), saved).sinceMs).toBe(9_000);
});

test("the way back to an agent is the line that started it, quoted where it was an argv", () => {
  expect(startedBy(testRecord(1, { command }))).toBe("make");
  expect(startedBy(testRecord(1, { command: { ...command, running: false } }))).toBeNull();
  expect(startedBy(testRecord(1, { rootCommand: ["claude", "--model", "it's big"] }))).toBe(
    "claude --model 'it'\\''s big'",
  );
});
