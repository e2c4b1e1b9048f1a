import { expect, test } from "vitest";
import { testId, testRecord } from "../test-records.ts";
import { childrenOf, parentsFirst, refuseParent } from "./tree.ts";

const family = [
  testRecord(3, { parentId: testId(2) }),
  testRecord(2, { parentId: testId(1) }),
  testRecord(1),
  testRecord(4),
];
const byId = new Map(family.map((record) => [record.id as string, record]));

test("a terminal becomes a split of any other that does not lie inside it", () => {
  expect(refuseParent(byId, testId(3), testId(1))).toBeNull();
  expect(refuseParent(byId, testId(3), testId(4))).toBeNull();
  expect(refuseParent(byId, testId(1), testId(1))?.data.reason).toBe("self");
  expect(refuseParent(byId, testId(1), testId(3))?.data.reason).toBe("would-cycle");
});

test("a ring that is there already is refused and not walked for ever", () => {
  const ring = new Map([
    [testId(1) as string, testRecord(1, { parentId: testId(2) })],
    [testId(2) as string, testRecord(2, { parentId: testId(1) })],
    [testId(3) as string, testRecord(3)],
  ]);
  expect(refuseParent(ring, testId(3), testId(1))).toBeNull();
  expect(parentsFirst([...ring.values()])).toHaveLength(3);
});

test("parents come before their children", () => {
  const order = parentsFirst(family).map((record) => record.id);
  expect(order.indexOf(testId(1))).toBeLessThan(order.indexOf(testId(2)));
  expect(order.indexOf(testId(2))).toBeLessThan(order.indexOf(testId(3)));
  expect(childrenOf(family, testId(1)).map((record) => record.id)).toEqual([testId(2)]);
});
