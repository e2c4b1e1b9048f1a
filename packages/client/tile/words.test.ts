import { expect, test } from "vitest";
import { byteCount, compactCount, pullRequestWords, shortDuration } from "./words.ts";

const counts: [number, string][] = [
  [0, "0"],
  [812, "812"],
  [47_213, "47K"],
  [999_600, "1.0M"],
  [1_234_567, "1.2M"],
];
const durations: [number, string][] = [
  [-5, "0s"],
  [8_900, "8s"],
  [60_000, "1m"],
  [3_600_000, "1h"],
  [3_900_000, "1h 5m"],
  [266_400_000, "3d 2h"],
];
const sizes: [number, string][] = [
  [1, "1 byte"],
  [812, "812 bytes"],
  [65_536, "64 KiB"],
  [1_572_864, "1.5 MiB"],
];

test("counts are short", () =>
  expect(counts.map(([n]) => compactCount(n))).toEqual(counts.map(([, t]) => t)));
test("durations say their two largest units", () =>
  expect(durations.map(([ms]) => shortDuration(ms))).toEqual(durations.map(([, t]) => t)));
test("sizes say their unit", () => expect(sizes.map(([n]) => byteCount(n))).toEqual(sizes.map(([, t]) => t)));

test("a pull request says its state and which checks are not well", () => {
  const pr = { number: 42, title: "Mend it", url: "https://x/42", isDraft: false, checkRuns: [] };
  const runs = [
    { name: "lint", outcome: "fail" as const },
    { name: "build", outcome: "pass" as const },
  ];
  expect(pullRequestWords({ ...pr, state: "merged", checks: null })).toBe(
    "Pull request 42 (merged): Mend it.",
  );
  expect(pullRequestWords({ ...pr, state: "open", isDraft: true, checks: "fail", checkRuns: runs })).toBe(
    "Pull request 42 (draft): Mend it. 1 of 2 checks failed: lint.",
  );
});
