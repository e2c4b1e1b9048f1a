import { expect, test } from "vitest";
import { boxGlyphs, CELL } from "./box-glyphs.ts";
import { buildTrueType, type Contour, checksum } from "./truetype.ts";

const glyphs = boxGlyphs();

/** Whether a point is inside, with overlapping contours adding up. */
function covers(contours: readonly Contour[], x: number, y: number): boolean {
  return contours.some((contour) => {
    let inside = false;
    for (const [index, a] of contour.entries()) {
      const b = contour[(index + 1) % contour.length]!;
      if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) inside = !inside;
    }
    return inside;
  });
}

/** Which edges of the cell a character's lines reach, asked a little outside the cell. */
function edges(character: string): string {
  const contours = glyphs.get(character.codePointAt(0)!)!;
  const { advance, ascender, descender } = CELL;
  const along = Array.from({ length: 60 }, (_, index) => index / 59);
  const reaches = {
    u: along.some((t) => covers(contours, t * advance, ascender + 10)),
    r: along.some((t) => covers(contours, advance + 10, descender + t * (ascender - descender))),
    d: along.some((t) => covers(contours, t * advance, descender - 10)),
    l: along.some((t) => covers(contours, -10, descender + t * (ascender - descender))),
  };
  return Object.entries(reaches)
    .filter(([, reached]) => reached)
    .map(([name]) => name)
    .join("");
}

const reach: Record<string, string> = {
  "─━═╼╾": "rl",
  "│┃║╽╿": "ud",
  "┌┏╔╭╒╓┍┎": "rd",
  "┐┓╗╮╕╖": "dl",
  "└┗╚╰╘╙": "ur",
  "┘┛╝╯╛╜": "ul",
  "├┣╠╞╟┝┠": "urd",
  "┤┫╣╡╢": "udl",
  "┬┳╦╤╥": "rdl",
  "┴┻╩╧╨": "url",
  "┼╋╬╪╫╂┿": "urdl",
  "█": "urdl",
  "╴╸": "l",
  "╷╻": "d",
};

for (const [characters, expected] of Object.entries(reach)) {
  test(`${characters} reach over exactly their edges, so that lines of neighbouring cells meet`, () => {
    expect([...characters].map((character) => [character, edges(character)])).toEqual(
      [...characters].map((character) => [character, expected]),
    );
  });
}

test("all of line drawing, blocks and braille are there", () => {
  for (let code = 0x2500; code <= 0x259f; code++)
    expect([code, glyphs.get(code)?.length]).not.toEqual([code, 0]);
  for (let code = 0x2500; code <= 0x259f; code++) expect(glyphs.has(code)).toBe(true);
  expect(glyphs.get(0x28ff)).toHaveLength(8);
  expect(glyphs.get(0x2800)).toHaveLength(0);
});

test("the font's own checksum comes out as the format wants", () => {
  const bytes = buildTrueType({ family: "Test", ...CELL, glyphs });
  expect(checksum(bytes)).toBe(0xb1b0afba);
});
