import type { WaitCondition } from "@kolu/contract/padi.ts";
import { expect, test } from "vitest";
import { judge, type Known, type WaitSpec } from "./judge.ts";

const NOTHING: Known = { stirredAtMs: null, standing: null, matchedLine: null };
const idle: WaitCondition = { kind: "idle", idleMs: 300 };
const agent: WaitCondition = { kind: "agent", buckets: ["awaiting", "waiting"] };
const match: WaitCondition = { kind: "match", pattern: "x" };
const spec = (until: WaitCondition, more: Partial<WaitSpec> = {}): WaitSpec => ({
  until,
  settledMs: null,
  afterMs: null,
  ...more,
});
const waiting = { bucket: "waiting" as const, sinceMs: 5_000 };

// At 10 000: "met", or when to look again.
const cases: Record<string, [WaitSpec, Partial<Known>, "met" | number | null]> = {
  "silence that has lasted long enough is met at once": [spec(idle), { stirredAtMs: 9_700 }, "met"],
  "silence that has not waits for the rest of it": [spec(idle), { stirredAtMs: 9_701 }, 10_001],
  "no output heard is not silence": [spec(idle), { stirredAtMs: null }, null],
  "silence is counted from the send at the earliest": [
    spec(idle, { afterMs: 9_900 }),
    { stirredAtMs: 1_000 },
    10_200,
  ],
  "the longer of two silences counts": [spec(idle, { settledMs: 800 }), { stirredAtMs: 9_500 }, 10_300],
  "a bucket that holds is met at once": [spec(agent), { standing: waiting }, "met"],
  "another bucket is not": [spec(agent), { standing: { bucket: "working", sinceMs: 1 } }, null],
  "an unknown state is in no bucket": [spec(agent), { standing: null }, null],
  "a state older than the send does not count": [
    spec(agent, { afterMs: 5_001 }),
    { standing: waiting },
    null,
  ],
  "a state that began after the send does": [spec(agent, { afterMs: 5_000 }), { standing: waiting }, "met"],
  "a bucket with bytes still moving is not settled": [
    spec(agent, { settledMs: 15_000 }),
    { standing: waiting, stirredAtMs: 9_000 },
    24_000,
  ],
  "a bucket that has been quiet is met at once": [
    spec(agent, { settledMs: 5_000 }),
    { standing: waiting, stirredAtMs: 5_000 },
    "met",
  ],
  "a settled wait without a feed is never met": [spec(agent, { settledMs: 1 }), { standing: waiting }, null],
  "a match is met whatever moves": [spec(match), { matchedLine: "x" }, "met"],
  "no match is not": [spec(match), { stirredAtMs: 1 }, null],
};

for (const [title, [wait, known, expected]] of Object.entries(cases)) {
  test(title, () => {
    const judgement = judge(wait, { ...NOTHING, ...known }, 10_000);
    expect(judgement.kind === "met" ? "met" : judgement.againAtMs).toBe(expected);
  });
}
