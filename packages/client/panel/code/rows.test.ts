import { expect, test } from "vitest";
import { changeCounts, diffRows, fileRows, sideOf, widestCols } from "./rows.ts";

const DIFF = `diff --git a/a.ts b/a.ts
index 1..2 100644
--- a/a.ts
+++ b/a.ts
@@ -1,3 +1,3 @@
 one
-two
+zwei
 three
@@ -10,2 +10,3 @@ function ten() {
 ten
+more
 eleven
\\ No newline at end of file
`;
const rows = diffRows({ oldFileName: "a.ts", newFileName: "a.ts", hunks: [DIFF], binary: false });

test("a difference has its lines' numbers on both sides", () => {
  const drawn = rows.map(({ kind, oldLine, newLine, text }) => [kind, oldLine, newLine, text]);
  expect(drawn).toEqual([
    ["gap", null, null, "@@ -1,3 +1,3 @@"],
    ["line", 1, 1, "one"],
    ["removed", 2, null, "two"],
    ["added", null, 2, "zwei"],
    ["line", 3, 3, "three"],
    ["gap", null, null, "@@ -10,2 +10,3 @@"],
    ["line", 10, 10, "ten"],
    ["added", null, 11, "more"],
    ["line", 11, 12, "eleven"],
    ["gap", null, null, "No newline at end of file"],
  ]);
  expect(changeCounts(rows)).toEqual({ added: 2, removed: 1 });
});

test("each side can be coloured as a whole and found again", () => {
  expect(sideOf(rows, "old")).toEqual({ text: "one\ntwo\nthree\nten\neleven", rowOf: [1, 2, 4, 6, 8] });
  expect(sideOf(rows, "new").text).toBe("one\nzwei\nthree\nten\nmore\neleven");
});

test("a file's last newline begins no line, and carriage returns are not shown", () => {
  expect(fileRows("a\r\nb\n").map(({ text }) => text)).toEqual(["a", "b"]);
  expect(fileRows("")).toEqual([]);
  expect(fileRows("\n\n").map(({ newLine }) => newLine)).toEqual([1, 2]);
});

test("wide characters and tabs count as wide as they are", () => {
  expect(widestCols(fileRows("ab\n語語x\n\ty"))).toBe(5);
});

test("no difference is no row", () => {
  expect(diffRows({ oldFileName: "a", newFileName: "a", hunks: [], binary: false })).toEqual([]);
});
