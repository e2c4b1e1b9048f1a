import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { beforeEach, expect, test, vi } from "vitest";
import { testAgent, testId, testRecord, testRow } from "../test-records.ts";
import { startAgent } from "./agent-start.ts";
import type { RecordListener } from "./store.ts";

const ID = testId(1);
const command = { line: "test", running: true, exitStatus: null, startedAtMs: 5, endedAtMs: null };

/** A terminal whose record and row change as the test says. */
function stage() {
  let onRecord: RecordListener = () => {};
  let onRow: Parameters<Parameters<typeof startAgent>[1]["follow"]["onRow"]>[1] = () => {};
  const world: Parameters<typeof startAgent>[1] = {
    store: {
      onChange(listener) {
        onRecord = listener;
        return () => {};
      },
    },
    follow: {
      row: () => testRow(1),
      onRow(_id, listener) {
        onRow = listener;
        return () => {};
      },
    },
  };
  const start = startAgent({ id: ID, agentKind: "test-agent", type: async () => {} }, world);
  return {
    start,
    tell: (changes: Partial<TerminalRecord>) => onRecord(ID, null, testRecord(1, changes)),
    row: (changes: Parameters<typeof testRow>[1] | null) =>
      onRow(changes === null ? null : testRow(1, changes)),
  };
}

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

test("an agent that stays is back", async () => {
  const { start, tell } = stage();
  tell({ agent: testAgent("unknown") });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await start).toEqual({ kind: "back" });
});

test("one that had only its name for a moment is not", async () => {
  const { start, tell, row } = stage();
  tell({ agent: testAgent("unknown") });
  await vi.advanceTimersByTimeAsync(300);
  tell({ agent: null });
  row({ command: { ...command, running: false, exitStatus: 127, endedAtMs: 6 } });
  expect(await start).toEqual({ kind: "ended", status: 127 });
});

test("the end of an earlier command is not its own", async () => {
  const { start, row } = stage();
  row({ command: null });
  row({ command });
  await vi.advanceTimersByTimeAsync(61_000);
  expect(await start).toEqual({ kind: "silent" });
});

test("a terminal that goes takes it along", async () => {
  const { start, row } = stage();
  row(null);
  expect(await start).toEqual({ kind: "terminal-gone" });
});
