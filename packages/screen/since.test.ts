import { expect, test } from "vitest";
import { bytesOf, screenOf } from "./fixtures/screen-of.ts";

const trimmed = (rows: string[] | null): string[] | null => {
  const end = (rows ?? []).findLastIndex((row) => row !== "");
  return rows === null ? null : rows.slice(0, end + 1);
};
const numbered = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\r\n`).join("");

test("nothing that stood before the place is in it, also in its own row", () => {
  const screen = screenOf(20, 5);
  screen.write(bytesOf("old\r\n$ "));
  const place = screen.place();
  screen.write(bytesOf("make\r\ndone\r\n$ "));
  expect(trimmed(screen.since(place))).toEqual(["make", "done", "$"]);
});

test("rows that have left the screen and the emulator are in it", () => {
  const screen = screenOf(20, 5);
  screen.write(bytesOf("old\r\n"));
  const place = screen.place();
  screen.write(bytesOf(numbered(2_000)));
  const rows = trimmed(screen.since(place))!;
  expect(rows).toHaveLength(2_000);
  expect([rows[0], rows.at(-1)]).toEqual(["line 1", "line 2000"]);
});

test("what has left the scrollback is not", () => {
  const screen = screenOf(20, 5);
  screen.write(bytesOf("some words before "));
  const place = screen.place();
  screen.write(bytesOf(numbered(12_000)));
  expect(screen.since(place)![0]).toMatch(/^line \d+$/);
});

test("the whole screen is in it once the program has painted it anew", () => {
  const screen = screenOf(20, 5);
  screen.write(bytesOf("one\r\ntwo\r\nthree"));
  const place = screen.place();
  screen.write(bytesOf("\x1b[H\x1b[2Jnew"));
  expect(trimmed(screen.since(place))).toEqual(["new"]);
});

test("an alternate screen is in it, behind what was printed", () => {
  const screen = screenOf(20, 5);
  const place = screen.place();
  screen.write(bytesOf("before\r\n\x1b[?1049h\x1b[Hinside"));
  expect(screen.since(place)?.filter((row) => row !== "")).toEqual(["before", "inside"]);
});

test("a place means nothing after lines were laid out for another width", () => {
  const screen = screenOf(20, 5);
  const place = screen.place();
  screen.write(bytesOf("word"));
  screen.resize(10, 5);
  expect(screen.since(place)).toBeNull();
});
