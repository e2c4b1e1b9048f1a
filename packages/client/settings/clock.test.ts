import { expect, test } from "vitest";
import { minuteOfTime, timeOfMinute } from "./clock.ts";

test("a minute of the day is written and read back", () => {
  for (const minute of [0, 59, 60, 480, 1_439]) expect(minuteOfTime(timeOfMinute(minute))).toBe(minute);
  expect(timeOfMinute(485)).toBe("08:05");
  expect([minuteOfTime(""), minuteOfTime("8")]).toEqual([null, null]);
});
