// Which means an announcement takes, by what a person prefers and by the hour. Pure.
import type { AlertKind, AlertMeans, Preferences, QuietHours } from "@kolu/contract/preferences.ts";

/** Those that can be heard or seen at once. */
export type AlertWays = Omit<AlertMeans, "badge">;

export function isQuiet(hours: QuietHours | null, minuteOfDay: number): boolean {
  if (hours === null) return false;
  const { fromMinute, toMinute } = hours;
  if (fromMinute <= toMinute) return minuteOfDay >= fromMinute && minuteOfDay < toMinute;
  return minuteOfDay >= fromMinute || minuteOfDay < toMinute;
}

export function meansOf(
  kind: AlertKind,
  { alerts, quietHours }: Pick<Preferences, "alerts" | "quietHours">,
  minuteOfDay: number,
): AlertWays {
  const { sound, notification } = alerts[kind];
  const quiet = isQuiet(quietHours, minuteOfDay);
  return { sound: sound && !quiet, notification: notification && !quiet };
}

export function minuteOf(date: Date): number {
  return date.getHours() * 60 + date.getMinutes();
}
