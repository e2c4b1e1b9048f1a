import fc from "fast-check";
import { expect, test } from "vitest";
import { createOutputLines, LINE_MAX_CHARS } from "./output-lines.ts";

/** All lines of this output, the open one last, when it comes in these pieces. */
function read(pieces: Uint8Array[]): string[] {
  const lines = createOutputLines();
  const complete: string[] = [];
  let open = "";
  for (const piece of pieces) {
    const pushed = lines.push(piece);
    complete.push(...pushed.complete);
    open = pushed.open;
  }
  return [...complete, open].filter((line) => line !== "");
}

const cases: Record<string, [output: string, lines: string[]]> = {
  "lines end in either kind of newline": ["a\r\nb\nc", ["a", "b", "c"]],
  "colours are no text": ["\x1b[32mPASS\x1b[0m: \x1b[1;38;5;4m3\x1b[m tests\n", ["PASS: 3 tests"]],
  "titles and links are no text": [
    "\x1b]0;my title\x07$ \x1b]8;;http://x\x1b\\here\x1b]8;;\x1b\\",
    ["$ here"],
  ],
  "a line that is painted over is two": ["10%\r20%\r", ["10%", "20%"]],
  "a jump on the screen ends what was read": ["left\x1b[5;40Hright", ["left", "right"]],
  "a step to the right is a gap": ["two\x1b[3Cwords", ["two   words"]],
  "character sets and keypad modes are no text": ["\x1b(B\x1b=ok\x1b>", ["ok"]],
  "device strings are no text": ["\x1bP1$r0m\x1b\\ok\x1b_kitty\x1b\\", ["ok"]],
  "an escape inside a string does not end it": ["\x1b]0;a\x1bb\x07ok", ["ok"]],
  "wide characters stay whole": ["語 👨‍👩‍👧 ok\n", ["語 👨‍👩‍👧 ok"]],
};

for (const [title, [output, lines]] of Object.entries(cases)) {
  test(title, () => {
    const bytes = Buffer.from(output);
    expect(read([bytes])).toEqual(lines);
    expect(read([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(lines);
  });
}

test("where the bytes are cut makes no difference", () => {
  const piece = fc.constantFrom(
    "a",
    "語",
    "👍🏽",
    "\r\n",
    "\n",
    "\r",
    "\x1b[31m",
    "\x1b[2;3H",
    "\x1b]0;t\x07",
    "\x1b[4C",
    " ",
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 40 }),
      fc.array(fc.nat(200), { maxLength: 20 }),
      (pieces, cuts) => {
        const bytes = Buffer.from(pieces.join(""));
        const places = [...new Set(cuts.filter((cut) => cut < bytes.length))].sort((a, b) => a - b);
        const parts = places.map((place, index) =>
          bytes.subarray(index === 0 ? 0 : places[index - 1]!, place),
        );
        parts.push(bytes.subarray(places.at(-1) ?? 0));
        expect(read(parts)).toEqual(read([bytes]));
      },
    ),
  );
});

test("a line without end costs no more than its bound", () => {
  const lines = createOutputLines();
  const block = Buffer.alloc(64 * 1024, "x");
  for (let n = 0; n < 20; n++) expect(lines.push(block).open.length).toBe(LINE_MAX_CHARS);
  expect(lines.push(Buffer.from("end")).open.endsWith("xend")).toBe(true);
});

test("after lost output the next line begins afresh", () => {
  const lines = createOutputLines();
  lines.push(Buffer.from("half a \x1b["));
  lines.reset();
  expect(lines.push(Buffer.from("whole\n")).complete).toEqual(["whole"]);
});
