import type { SleepResult } from "@kolu/contract/sessions.ts";
import { expect, test } from "vitest";
import { idForTest } from "../store/record-for-test.ts";
import { sleptWords } from "./sleeping.ts";

const kept = (n: number): SleepResult["kept"][number] => ({
  id: idForTest(n),
  why: "working",
  sentence: "Its agent is at work.",
});
const cases: Record<string, [result: SleepResult, words: string]> = {
  "all of them": [{ slept: [idForTest(1), idForTest(2)], kept: [] }, "2 terminals are asleep."],
  "one stays, and why": [
    { slept: [idForTest(1)], kept: [kept(2)] },
    "One terminal is asleep; one stays awake. Its agent is at work.",
  ],
  "several stay": [{ slept: [], kept: [kept(1), kept(2)] }, "Nothing was put to sleep; 2 stay awake."],
};
test.each(Object.entries(cases))("%s", (_title, [result, words]) => expect(sleptWords(result)).toBe(words));
