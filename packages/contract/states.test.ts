import fc from "fast-check";
import { expect, test } from "vitest";
import { AgentState, bucketOf } from "./agent.ts";
import { applyFrame } from "./live-view.ts";
import { type ProgramRecord, rollUp } from "./program-status.ts";
import { compareProtocol, orderProtocol } from "./version.ts";

test("every state but unknown has one bucket", () => {
  const buckets = Object.fromEntries(AgentState.options.map((state) => [state, bucketOf(state)]));
  expect(buckets).toEqual({
    thinking: "working",
    tool_use: "working",
    background: "working",
    awaiting: "awaiting",
    waiting: "waiting",
    unknown: null,
  });
});

const record = (id: string, state: ProgramRecord["state"], updatedAtMs: number): ProgramRecord => ({
  id,
  app: null,
  state,
  kind: null,
  progress: null,
  message: null,
  title: null,
  updatedAtMs,
});

test("the most urgent program record speaks for all, the newest among equals", () => {
  expect(rollUp([])).toBeNull();
  expect(rollUp([record("a", "idle", 9), record("b", "blocked", 1), record("c", "working", 5)])?.id).toBe(
    "b",
  );
  expect(rollUp([record("a", "working", 1), record("b", "working", 2)])?.id).toBe("b");
});

const versions: [daemon: string, needed: string, outcome: string][] = [
  ["1.0", "1.0", "same"],
  ["1.2", "1.1", "daemon-newer-minor"],
  ["1.1", "1.2", "daemon-older-minor"],
  ["2.0", "1.9", "incompatible"],
  ["x", "1.0", "incompatible"],
];
for (const [daemon, needed, outcome] of versions) {
  test(`a daemon that speaks ${daemon} is ${outcome} to a face that needs ${needed}`, () => {
    expect(compareProtocol(daemon, needed)).toBe(outcome);
  });
}

test("versions are ordered by number, not by letter", () => {
  expect(orderProtocol("1.10", "1.9")).toBeGreaterThan(0);
  expect(orderProtocol("2.0", "10.0")).toBeLessThan(0);
});

test("a mirror that applied the snapshot and every delta equals the rows of its source", () => {
  const change = fc.record({ id: fc.constantFrom("a", "b", "c", "d"), value: fc.option(fc.integer()) });
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const source = new Map<string, { id: string; value: number }>([["a", { id: "a", value: 0 }]]);
      let mirror = applyFrame(new Map(), {
        kind: "snapshot",
        boot: "x",
        revision: 0,
        rows: [...source.values()],
      });
      changes.forEach(({ id, value }, index) => {
        if (value === null) source.delete(id);
        else source.set(id, { id, value });
        const upserts = value === null ? [] : [{ id, value }];
        const removals = value === null ? [id] : [];
        mirror = applyFrame(mirror, { kind: "delta", revision: index + 1, upserts, removals });
      });
      expect(new Map(mirror)).toEqual(source);
    }),
  );
});
