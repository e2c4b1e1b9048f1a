// What a picture shows, read back from its pixels.
import { inflateSync } from "node:zlib";
import { terminalScheme } from "@kolu/contract/terminal-schemes.ts";
import { createScreen } from "@kolu/screen/screen.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { createDraw, type Draw } from "./draw.ts";
import { parseRanges } from "./font-files.ts";
import { CELL } from "./glyphs.ts";

const scheme = terminalScheme("Kolu Night", "dark").colors;
const MARGIN_PX = 8;
const hex = (color: string): number[] => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
const GROUND = hex(scheme.background);
const INK = hex(scheme.foreground);
const RED = hex(scheme.ansi[1]!);

let draw: Draw;
beforeAll(async () => {
  draw = await createDraw();
});

interface Shot {
  cols: number;
  rows: number;
  /** Colour at a pixel of a cell. */
  at(column: number, row: number, dx?: number, dy?: number): number[];
  /** How many pixels of a cell are not of the ground. */
  ink(column: number, row: number, widthCols?: number): number;
  /** The pixels of a cell as one string. */
  look(column: number, row: number): string;
}

function shoot(text: string, { cols = 20, rows = 3, lines = null as number | null } = {}): Shot {
  const screen = createScreen({ cols, rows, colors: scheme, version: "test", onReply() {}, onFault() {} });
  screen.write(Buffer.from(text));
  const picture = draw({ screen: { vt: screen.snapshot(200), cols, rows }, scheme, lines });
  screen.dispose();
  const file = Buffer.from(picture.png);
  expect(file.readUInt32BE(16)).toBe(picture.widthPx);
  expect(file.readUInt32BE(20)).toBe(picture.heightPx);
  const data = inflateSync(file.subarray(41, 41 + file.readUInt32BE(33)));
  const pixel = (x: number, y: number): number[] => {
    const at = y * (1 + picture.widthPx * 3) + 1 + x * 3;
    return [...data.subarray(at, at + 3)];
  };
  const at = (column: number, row: number, dx = 0, dy = 0): number[] =>
    pixel(MARGIN_PX + column * CELL.widthPx + dx, MARGIN_PX + row * CELL.heightPx + dy);
  const cell = (column: number, row: number, widthCols = 1): number[][] =>
    Array.from({ length: CELL.heightPx * CELL.widthPx * widthCols }, (_, index) =>
      at(column, row, index % (CELL.widthPx * widthCols), Math.floor(index / (CELL.widthPx * widthCols))),
    );
  const ground = String(GROUND);
  return {
    cols: picture.cols,
    rows: picture.rows,
    at,
    ink: (column, row, widthCols) =>
      cell(column, row, widthCols).filter((one) => String(one) !== ground).length,
    look: (column, row) => cell(column, row).join("|"),
  };
}

const HIDE = "\x1b[?25l";

describe("colours", () => {
  test("ground, text, 256 and true colours are as they were said", () => {
    const shot = shoot(`${HIDE}\x1b[41m \x1b[48;5;196m \x1b[48;2;1;2;3m \x1b[0m \x1b[7m \x1b[0m█`);
    expect(shot.at(0, 0)).toEqual(RED);
    expect(shot.at(1, 0)).toEqual([255, 0, 0]);
    expect(shot.at(2, 0)).toEqual([1, 2, 3]);
    expect(shot.at(3, 0)).toEqual(GROUND);
    expect(shot.at(4, 0)).toEqual(INK);
    expect(shot.at(5, 0, 4, 9)).toEqual(INK);
    expect(shot.at(19, 2, CELL.widthPx + MARGIN_PX - 1, CELL.heightPx + MARGIN_PX - 1)).toEqual(GROUND);
  });
  test("bold takes the bright one of the first eight, dim goes half-way to the ground, hidden text is not there", () => {
    const shot = shoot(`${HIDE}\x1b[1;31m█\x1b[0;2m█\x1b[0;8m█`);
    expect(shot.at(0, 0, 4, 9)).toEqual(hex(scheme.ansi[9]!));
    expect(shot.at(1, 0, 4, 9)).toEqual(INK.map((channel, index) => (channel + GROUND[index]!) >> 1));
    expect(shot.ink(2, 0)).toBe(0);
  });
  test("what a program set as its own ground is the ground", () => {
    expect(shoot(`${HIDE}\x1b]11;#102030\x07x`).at(5, 1)).toEqual([0x10, 0x20, 0x30]);
  });
});

describe("lines", () => {
  const rowsWithInk = (shot: Shot, column: number): number[] =>
    Array.from({ length: CELL.heightPx }, (_, dy) => dy).filter((dy) =>
      Array.from({ length: CELL.widthPx }, (_, dx) => dx).some(
        (dx) => String(shot.at(column, 0, dx, dy)) !== String(GROUND),
      ),
    );
  const cases: Record<string, [vt: string, rows: number[]]> = {
    "a single underline": ["\x1b[4m ", [16]],
    "a double underline": ["\x1b[21m ", [15, 17]],
    "a curly underline": ["\x1b[4:3m ", [15, 16, 17]],
    "a line through": ["\x1b[9m ", [9]],
    "a line over": ["\x1b[53m ", [0]],
  };
  test.each(Object.entries(cases))("%s", (_title, [vt, rows]) => {
    expect(rowsWithInk(shoot(`${HIDE}${vt}`), 0)).toEqual(rows);
  });
  test("an underline has its own colour", () => {
    expect(shoot(`${HIDE}\x1b[4;58:2::9:8:7m `).at(0, 0, 3, 16)).toEqual([9, 8, 7]);
  });
});

describe("the cursor", () => {
  test("a block covers its cell, and the text in it stays readable", () => {
    const shot = shoot("█\x1b[D");
    expect(shot.at(0, 0)).toEqual(hex(scheme.cursorAccent));
    expect(shoot("").at(0, 0)).toEqual(hex(scheme.cursor));
  });
  test("on a wide character it is as wide", () => {
    const shot = shoot("漢\x1b[1G");
    expect(shot.at(1, 0, CELL.widthPx - 1, 0)).toEqual(hex(scheme.cursor));
  });
  test("a bar and an underline leave the rest free; a hidden one is not there", () => {
    expect(shoot("\x1b[6 q").ink(0, 0)).toBe(2 * CELL.heightPx);
    expect(shoot("\x1b[4 q").ink(0, 0)).toBe(2 * CELL.widthPx);
    expect(shoot(HIDE).ink(0, 0)).toBe(0);
  });
});

describe("characters", () => {
  const MISSING = "\u{f8ff}";
  test("every script that we ship is drawn from our own fonts, each character as itself", () => {
    const missing = shoot(HIDE + MISSING).look(0, 0);
    const looks = new Set<string>();
    for (const char of "aÀжΩ✻❯→✓☐∞…é") {
      const shot = shoot(HIDE + char);
      expect(shot.ink(0, 0), char).toBeGreaterThan(3);
      expect(shot.look(0, 0), char).not.toBe(missing);
      looks.add(shot.look(0, 0));
    }
    expect(looks.size).toBe(12);
  });
  test.each(["日", "本", "か", "カ", "한", "글", "测", "，"])("%s fills two columns", (char) => {
    const shot = shoot(`${HIDE}${char}x`);
    expect(shot.ink(0, 0, 2)).toBeGreaterThan(8);
    expect(shot.look(2, 0)).toBe(shoot(`${HIDE}  x`).look(2, 0));
  });
  test.each(["🚀", "✅", "👍🏽", "👩‍👩‍👧‍👦", "🇯🇵", "1️⃣", "❤️"])(
    "%s is one picture of several colours",
    (emoji) => {
      const shot = shoot(`${HIDE}${emoji}`);
      const colours = new Set(
        Array.from({ length: 2 * CELL.widthPx * CELL.heightPx }, (_, index) =>
          String(shot.at(0, 0, index % (2 * CELL.widthPx), Math.floor(index / (2 * CELL.widthPx)))),
        ),
      );
      expect(colours.size).toBeGreaterThan(4);
      expect(shot.ink(2, 0)).toBeLessThan(20);
    },
  );
  test("what no font has is a frame, not nothing", () => {
    expect(shoot(HIDE + MISSING).ink(0, 0)).toBeGreaterThan(10);
  });
  test("bold and italic are other glyphs", () => {
    const looks = ["", "\x1b[1m", "\x1b[3m", "\x1b[1;3m"].map((vt) => shoot(`${HIDE}${vt}a`).look(0, 0));
    expect(new Set(looks).size).toBe(4);
  });
  test("two characters never become a ligature", () => {
    expect(shoot(`${HIDE}->`).look(1, 0)).toBe(shoot(`${HIDE} >`).look(1, 0));
  });
});

describe("boxes and blocks join at every edge", () => {
  test("lines run through from cell to cell", () => {
    const shot = shoot(`${HIDE}┌─┐\r\n│ │\r\n└─┘`);
    const y = Array.from({ length: CELL.heightPx }, (_, dy) => dy).find(
      (dy) => String(shot.at(1, 0, 0, dy)) === String(INK),
    )!;
    const x = Array.from({ length: CELL.widthPx }, (_, dx) => dx).find(
      (dx) => String(shot.at(0, 1, dx, 0)) === String(INK),
    )!;
    for (const column of [0, 1]) expect(shot.at(column, 0, CELL.widthPx - 1, y)).toEqual(INK);
    for (const row of [0, 1]) expect(shot.at(0, row, x, CELL.heightPx - 1)).toEqual(INK);
    expect(shot.at(0, 0, x, y)).toEqual(INK);
    expect(shot.at(0, 2, x, y)).toEqual(INK);
    expect(shot.at(0, 0, 0, y)).toEqual(GROUND);
    expect(shot.at(0, 0, x, 0)).toEqual(GROUND);
  });
  test("a full block is full; halves fill one cell together", () => {
    expect(shoot(`${HIDE}█`).ink(0, 0)).toBe(CELL.widthPx * CELL.heightPx);
    const halves = shoot(`${HIDE}▀▄▌▐`);
    expect(halves.ink(0, 0) + halves.ink(1, 0)).toBe(CELL.widthPx * CELL.heightPx);
    expect(halves.ink(2, 0) + halves.ink(3, 0)).toBe(CELL.widthPx * CELL.heightPx);
  });
  test("double lines stay open inside", () => {
    const shot = shoot(`${HIDE}╬`);
    expect(shot.at(0, 0, Math.floor(CELL.widthPx / 2), Math.floor(CELL.heightPx / 2))).toEqual(GROUND);
  });
  test("every shape of the three blocks has ink, apart from the empty braille", () => {
    for (let code = 0x2500; code <= 0x259f; code++)
      expect(shoot(HIDE + String.fromCodePoint(code)).ink(0, 0), code.toString(16)).toBeGreaterThan(2);
    expect(shoot(`${HIDE}\u2800`).ink(0, 0)).toBe(0);
    expect(shoot(`${HIDE}\u28ff`).ink(0, 0)).toBeGreaterThan(8);
  });
});

describe("which rows", () => {
  const numbered = Array.from({ length: 30 }, (_, row) => `${row}`).join("\r\n");
  const cases: Record<string, [text: string, lines: number | null, rows: number]> = {
    "the visible screen": [numbered, null, 3],
    "the last ones, history included": [numbered, 10, 10],
    "not more than there are": [numbered, 200, 30],
    "blank ones at the end are left out": [`${HIDE}a\r\nb`, 3, 2],
    "an empty screen is one row": [HIDE, 5, 1],
  };
  test.each(Object.entries(cases))("%s", (_title, [text, lines, rows]) => {
    expect(shoot(text, { lines }).rows).toBe(rows);
  });
});

test("a list of code points is read in every form of CSS", () => {
  expect(parseRanges("U+0000-00FF,U+0131, U+4??")).toEqual([
    [0, 0xff],
    [0x131, 0x131],
    [0x400, 0x4ff],
  ]);
});
