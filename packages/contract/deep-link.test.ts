import { expect, test } from "vitest";
import { formatDeepLink, ownDeepLink, parseDeepLink } from "./deep-link.ts";

test("a link names a terminal, a machine, a file and a line", () => {
  const link = { terminal: "0b1f6a3e", host: "box", file: "src/a b&c.ts", line: 12 };
  expect(parseDeepLink(formatDeepLink(link))).toEqual(link);
  expect(parseDeepLink("/t/0b1f")).toEqual({ terminal: "0b1f", host: null, file: null, line: null });
});

test.each([
  "/",
  "/t/",
  "/t/xyz",
  "/t/0b1f/more",
  "//evil.example/t/0b1f",
  "/t/0b1f\r\nset-cookie: a",
  "/t/../0b",
])("%j is no link into the page", (link) => {
  expect(ownDeepLink(link)).toBeNull();
});

test("what a stranger wrote into a query cannot leave it", () => {
  const own = ownDeepLink('/t/0b1f?file="><script>&line=-3&other=\r\nx')!;
  expect(own).toBe("/t/0b1f?file=%22%3E%3Cscript%3E");
});
