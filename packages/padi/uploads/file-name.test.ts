import { expect, test } from "vitest";
import { uploadFileName } from "./file-name.ts";

test.each([
  ["Screen Shot 1.PNG", "Screen-Shot-1.png"],
  ["../../etc/passwd", "passwd"],
  ["C:\\x\\y.txt", "y.txt"],
  ["$(rm -rf ~); `x`'.sh", "rm-rf-x.sh"],
  ["\x1b[31mred\n.png", "31mred.png"],
  ["写真.jpg", "写真.jpg"],
  [".bashrc", "file.bashrc"],
  ["", "file"],
  ["a".repeat(300), "a".repeat(60)],
  ["no.anendingthatistoolong", "no"],
])("%j is kept as …%s", (given, kept) => {
  expect(uploadFileName(given, { day: "2026-01-02", token: "ab12" })).toBe(`2026-01-02-ab12-${kept}`);
});
