import { expect, test } from "vitest";
import { findLinks } from "./links.ts";

const cases: Record<string, [text: string, links: string[]]> = {
  "an address in a sentence": ["See https://kolu.dev/a(b)/c?x=1#y).", ["https://kolu.dev/a(b)/c?x=1#y"]],
  "an address in brackets": ["[docs](http://127.0.0.1:3000/)", ["http://127.0.0.1:3000/"]],
  "an address is no path": ["http://a.example/src/x.ts:3", ["http://a.example/src/x.ts:3"]],
  "script is no address": ["javascript:alert(1) file:///etc/passwd", []],
  "path and line": ["at src/main.ts:12:5", ["src/main.ts|12"]],
  "grep's output": ["src/a.c:12:int main(void)", ["src/a.c|12"]],
  "a compiler's": ["src/a.c:12:5: error: no", ["src/a.c|12"]],
  "tsc's": ["src/app.tsx(31,7): error TS2345", ["src/app.tsx|31"]],
  "rust's": ["  --> crates/x/lib.rs:3:9", ["crates/x/lib.rs|3"]],
  "python's": ['  File "/srv/app one/x.py", line 41, in <module>', ["/srv/app one/x.py|41"]],
  "a stack's": ["    at run (/srv/app/x.js:10:3)", ["/srv/app/x.js|10"]],
  "a name with a line": ["Makefile:3: *** missing", ["Makefile|3"]],
  "a path as such": ["modified:   packages/web/server.ts", ["packages/web/server.ts|-"]],
  home: ["~/notes/todo.md.", ["~/notes/todo.md|-"]],
  "a time is no path": ["at 12:30:01 and 7/8", []],
  "words are no paths": ["either/or is not excluded here", ["either/or|-"]],
  "a word with a colon": ["note: this", []],
};
test.each(Object.entries(cases))("%s", (_title, [text, links]) => {
  expect(
    findLinks(text).map((link) => (link.kind === "url" ? link.url : `${link.path}|${link.line ?? "-"}`)),
  ).toEqual(links);
});

test("what is underlined is the path with its line", () => {
  const [link] = findLinks("at src/main.ts:12:5: no");
  expect("at src/main.ts:12:5: no".slice(link!.start, link!.end)).toBe("src/main.ts:12:5");
});
