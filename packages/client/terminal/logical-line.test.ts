import { expect, test } from "vitest";
import { type BufferLike, logicalLine, type RowLike } from "./logical-line.ts";

/** Rows of ten cells; "+" in front says that the row goes on from the one above. "漢" is two cells wide. */
function buffer(...rows: string[]): BufferLike {
  const lines = rows.map((text): RowLike => {
    const cells: { chars: string; width: number }[] = [];
    for (const chars of text.replace(/^\+/, "")) {
      const width = chars === "漢" ? 2 : 1;
      cells.push({ chars: chars === " " ? "" : chars, width });
      if (width === 2) cells.push({ chars: "", width: 0 });
    }
    while (cells.length < 10) cells.push({ chars: "", width: 1 });
    return {
      length: 10,
      isWrapped: text.startsWith("+"),
      getCell: (column) => {
        const cell = cells[column];
        return cell && { getChars: () => cell.chars, getWidth: () => cell.width };
      },
    };
  });
  return { getLine: (row) => lines[row] };
}

test("a line that the terminal wrapped is one line, asked from any of its rows", () => {
  const screen = buffer("see http:/", "+/a.b/c?ddd", "+e end", "next");
  for (const row of [0, 1, 2])
    expect(logicalLine(screen, row, { broken: false }).text.trim()).toBe("see http://a.b/c?ddde end");
  expect(logicalLine(screen, 3, { broken: false }).text.trim()).toBe("next");
});

test("a line that a program broke at the edge is joined when asked for, and a box's edge ends it", () => {
  const screen = buffer("http://a.b", "/c", "│ http:// │", "│ x");
  expect(logicalLine(screen, 0, { broken: true }).text.trim()).toBe("http://a.b/c");
  expect(logicalLine(screen, 0, { broken: false }).text.trim()).toBe("http://a.b");
  expect(logicalLine(screen, 3, { broken: true }).text.trim()).toBe("│ x");
});

test("places count cells, also behind wide characters and where one did not fit", () => {
  const { text, places } = logicalLine(buffer("漢漢漢漢x", "+漢 y"), 0, { broken: false });
  expect(text.trim()).toBe("漢漢漢漢x漢 y");
  expect(places[text.indexOf("x")]).toEqual({ row: 0, column: 8, width: 1 });
  expect(places[text.indexOf("y")]).toEqual({ row: 1, column: 3, width: 1 });
});
