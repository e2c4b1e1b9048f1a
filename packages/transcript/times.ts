// When something was said, in the time zone of whoever exports. Pure.
import { escapeAttribute } from "./text.ts";

export interface Clock {
  /** "30 Nov 2026, 08:54" */
  dateAndTime(atMs: number): string;
  /** "08:54" */
  timeOfDay(atMs: number): string;
  /** "2026-11-30" */
  day(atMs: number): string;
}

/** @param timeZone an IANA name, such as "Europe/Berlin" */
export function clockIn(timeZone: string): Clock {
  const time = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone } as const;
  const date = { day: "numeric", month: "short", year: "numeric", timeZone } as const;
  const times = new Intl.DateTimeFormat("en-GB", time);
  const both = new Intl.DateTimeFormat("en-GB", { ...date, ...time });
  const days = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" });
  return {
    dateAndTime: (atMs) => both.format(atMs),
    timeOfDay: (atMs) => times.format(atMs),
    day: (atMs) => days.format(atMs),
  };
}

/** A time element: `shown` for a person, the exact moment for a program. */
export function timeElement(atMs: number, shown: string): string {
  return `<time datetime="${new Date(atMs).toISOString()}">${escapeAttribute(shown)}</time>`;
}
