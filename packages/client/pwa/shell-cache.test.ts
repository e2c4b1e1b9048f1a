import { expect, test } from "vitest";
import { cacheName, type Plan, planFor, staleCaches } from "./shell-cache.ts";

const ORIGIN = "http://127.0.0.1:7681";
const SHELL = ["/", "/icon.svg", "/assets/main-abc.js"];

const cases: [asked: [path: string, destination?: string, method?: string], plan: Plan][] = [
  [["/", "document"], "page"],
  [["/t/0b1f6a3e?file=a.ts&line=3", "document"], "pass"],
  [["/open?token=secret", "document"], "pass"],
  [["/assets/main-abc.js", "script"], "file"],
  [["/assets/palette-def.js", "script"], "file"],
  [["/icon.svg", "image"], "file"],
  [["/icon.svg?x", "image"], "pass"],
  [["/session"], "pass"],
  [["/", ""], "pass"],
  [["/preview/x", "iframe"], "pass"],
  [["/upload", "", "POST"], "pass"],
  [["https://elsewhere.example/assets/a.js", "script"], "pass"],
];

test.each(cases)("%j: %s", ([path, destination = "", method = "GET"], plan) => {
  const url = new URL(path, ORIGIN).href;
  expect(planFor({ method, url, destination }, ORIGIN, SHELL)).toBe(plan);
});

test("only our own caches of other builds are stale", () => {
  expect(staleCaches([cacheName("1"), cacheName("2"), "others"], "2")).toEqual([cacheName("1")]);
});
