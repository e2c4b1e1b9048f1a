import { expect, test } from "vitest";
import { type Grid, GridLog, GridRule } from "./grid.ts";

const wide: Grid = { cols: 160, rows: 40 };
const narrow: Grid = { cols: 45, rows: 60 };

function ruleWith(...viewers: string[]): GridRule {
  const rule = new GridRule();
  for (const viewer of viewers) rule.arrive(viewer);
  return rule;
}

test("the first size told counts while the grid was never anybody's, the second viewer's does not", () => {
  const rule = ruleWith("laptop", "phone");
  expect(rule.resized("laptop", wide)).toEqual(wide);
  expect(rule.resized("phone", narrow)).toBeNull();
  expect(rule.resized("laptop", { cols: 100, rows: 30 })).toEqual({ cols: 100, rows: 30 });
});

test("whoever typed or focused last has the grid, as soon as its size is known", () => {
  const rule = ruleWith("laptop", "phone");
  rule.resized("laptop", wide);
  expect(rule.acted("phone")).toBeNull();
  expect(rule.resized("phone", narrow)).toEqual(narrow);
  expect(rule.acted("laptop")).toEqual(wide);
  expect(rule.resized("phone", { cols: 50, rows: 50 })).toBeNull();
});

test("an owner that leaves hands over to whoever present acted before it, never to a mere onlooker", () => {
  const rule = ruleWith("laptop", "phone", "onlooker");
  rule.resized("laptop", wide);
  rule.resized("phone", narrow);
  rule.resized("onlooker", { cols: 80, rows: 24 });
  rule.acted("laptop");
  rule.acted("phone");
  rule.leave("phone");
  expect(rule.ownerIsAway).toBe(true);
  expect(rule.succeed()).toEqual(wide);
  rule.leave("laptop");
  expect(rule.succeed()).toBeNull();
});

test("an owner that comes back under its name is the owner still", () => {
  const rule = ruleWith("laptop", "phone");
  rule.resized("laptop", wide);
  rule.acted("laptop");
  rule.leave("laptop");
  rule.arrive("laptop");
  expect(rule.ownerIsAway).toBe(false);
  expect(rule.resized("laptop", narrow)).toEqual(narrow);
});

test("a grid set outright is nobody's until somebody acts", () => {
  const rule = ruleWith("laptop");
  rule.setOutright();
  expect(rule.resized("laptop", wide)).toBeNull();
  expect(rule.acted("laptop")).toEqual(wide);
});

test("the log knows the grid of every offset that is still held", () => {
  const log = new GridLog({ cols: 80, rows: 24 });
  log.add(100, wide);
  log.add(100, narrow);
  log.add(300, wide);
  expect(log.at(99)).toMatchObject({ cols: 80, rows: 24 });
  expect(log.at(100)).toMatchObject(narrow);
  expect(log.at(299)).toMatchObject(narrow);
  log.prune(250);
  expect(log.at(250)).toMatchObject(narrow);
  expect(log.after(log.at(250).index)).toMatchObject({ offset: 300, ...wide });
});
