import { expect, test } from "vitest";
import { directoriesAbove, directoryOf, fileName, pathInRoot } from "./places.ts";

const at = { cwd: "/home/me/app/src", root: "/home/me/app" };
const cases: Record<string, [path: string, inRoot: string | null]> = {
  "relative to the terminal's directory": ["a.ts", "src/a.ts"],
  "up and beside": ["../test/./a.ts", "test/a.ts"],
  absolute: ["/home/me/app/docs/a.md", "docs/a.md"],
  "outside by name": ["/etc/passwd", null],
  "outside by going up": ["../../other/a.ts", null],
  "a neighbour whose name begins alike": ["/home/me/app-two/a.ts", null],
  "further up than there is": ["../../../../../../etc/passwd", null],
};

test.each(Object.entries(cases))("%s", (_name, [path, inRoot]) => {
  expect(pathInRoot(path, at)).toBe(inRoot);
});

test("a terminal in the topmost directory", () => {
  expect(pathInRoot("etc/hosts", { cwd: "/", root: "/" })).toBe("etc/hosts");
});

test("what lies above a file, and its name", () => {
  expect(directoriesAbove("a/b/c")).toEqual(["a", "a/b"]);
  expect(directoriesAbove("c")).toEqual([]);
  expect([fileName("a/b"), fileName("b"), directoryOf("a/b"), directoryOf("b")]).toEqual(["b", "b", "a", ""]);
});
