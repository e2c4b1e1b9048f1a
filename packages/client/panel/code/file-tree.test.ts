import { expect, test } from "vitest";
import { childrenOfPaths, filterPaths, listKey, statusesOf, treeRows } from "./file-tree.ts";

const PATHS = ["readme.md", "src/app/main.ts", "src/app/menu.ts", "src/index.ts", "a.ts"];
const NONE = statusesOf([]);

const drawn = (expanded: string[], statuses = NONE): string[] =>
  treeRows(childrenOfPaths(PATHS), { expanded: new Set(expanded), statuses }).map(
    ({ level, name, directory, status, changedBelow }) =>
      `${"  ".repeat(level - 1)}${name}${directory ? "/" : ""}${status ?? (changedBelow ? "*" : "")}`,
  );

test("directories come first and are folded until they are opened", () => {
  expect(drawn([])).toEqual(["src/", "a.ts", "readme.md"]);
  expect(drawn(["src"])).toEqual(["src/", "  app/", "  index.ts", "a.ts", "readme.md"]);
  expect(drawn(["src/app"])).toEqual(["src/", "a.ts", "readme.md"]);
});

test("a change shows on its file and on every directory above it", () => {
  const statuses = statusesOf([{ path: "src/app/main.ts", status: "M" }]);
  expect(drawn(["src", "src/app"], statuses)).toEqual([
    "src/*",
    "  app/*",
    "    main.tsM",
    "    menu.ts",
    "  index.ts",
    "a.ts",
    "readme.md",
  ]);
});

const filters: Record<string, [filter: string, hits: string[]]> = {
  "the name's beginning before the rest": ["m", ["src/app/main.ts", "src/app/menu.ts", "readme.md"]],
  "every word, anywhere": ["ts src app", ["src/app/main.ts", "src/app/menu.ts"]],
  "letter case does not matter": ["README", ["readme.md"]],
  nothing: [" ", []],
};

test.each(Object.entries(filters))("filter: %s", (_name, [filter, hits]) => {
  expect(filterPaths(PATHS, filter)).toEqual(hits);
});

test("an edit of a known file is no reason to list all files again, a new file or another commit is", () => {
  const before = listKey("abc", [{ path: "a.ts", status: "?" }]);
  expect(
    listKey("abc", [
      { path: "a.ts", status: "?" },
      { path: "b.ts", status: "M" },
    ]),
  ).toBe(before);
  expect(listKey("abc", [{ path: "c.ts", status: "?" }])).not.toBe(before);
  expect(listKey("def", [{ path: "a.ts", status: "?" }])).not.toBe(before);
});
