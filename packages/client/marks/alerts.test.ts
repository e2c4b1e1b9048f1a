import { DEFAULT_PREFERENCES, type Preferences } from "@kolu/contract/preferences.ts";
import { expect, test } from "vitest";
import { isQuiet, meansOf } from "./alerts.ts";

const at = (hour: number, minute = 0): number => hour * 60 + minute;

test("quiet hours go from their first minute to before their last, over midnight too", () => {
  const day = { fromMinute: at(9), toMinute: at(17) };
  expect([at(8, 59), at(9), at(16, 59), at(17)].map((minute) => isQuiet(day, minute))).toEqual([
    false,
    true,
    true,
    false,
  ]);
  const night = { fromMinute: at(22), toMinute: at(7) };
  expect([at(21, 59), at(22), at(0), at(6, 59), at(7)].map((minute) => isQuiet(night, minute))).toEqual([
    false,
    true,
    true,
    true,
    false,
  ]);
  expect(isQuiet(null, at(3))).toBe(false);
});

test("each kind goes by its own means, and by none while it is quiet", () => {
  const preferences: Preferences = {
    ...DEFAULT_PREFERENCES,
    alerts: {
      ...DEFAULT_PREFERENCES.alerts,
      "needs-you": { sound: true, notification: true, badge: true },
      finished: { sound: false, notification: false, badge: true },
    },
    quietHours: { fromMinute: at(22), toMinute: at(7) },
  };
  expect(meansOf("needs-you", preferences, at(12))).toEqual({ sound: true, notification: true });
  expect(meansOf("needs-you", preferences, at(23))).toEqual({ sound: false, notification: false });
  expect(meansOf("finished", preferences, at(12))).toEqual({ sound: false, notification: false });
});
