import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { expect, test } from "vitest";
import { agentForTest, idForTest, recordForTest } from "../store/record-for-test.ts";
import { type DockFilter, filterCards, NO_FILTER } from "./dock-filter.ts";
import { parseLook } from "./dock-look.ts";
import { dockCards } from "./dock-rows.ts";

const NOW = 100 * 3_600_000;
const old: Partial<TerminalRecord> = { lastActivityAtMs: NOW - 5 * 3_600_000 };
const hour: DockFilter = { hideAsleep: false, quietForMs: 3_600_000 };
const asleep: DockFilter = { hideAsleep: true, quietForMs: null };

function shown(
  filter: DockFilter,
  records: TerminalRecord[],
  activeId: string | null = null,
): [string[], number] {
  const cards = dockCards(new Map(records.map((record) => [record.id, record])));
  const filtered = filterCards(cards, filter, { nowMs: NOW, activeId });
  return [filtered.cards.flatMap(({ rows }) => rows.map(({ name }) => name)), filtered.hiddenCount];
}
const one = (n: number, intent: string, changed: Partial<TerminalRecord>): TerminalRecord =>
  recordForTest(n, { intent, ...changed });

const cases: Record<
  string,
  [filter: DockFilter, records: TerminalRecord[], names: string[], hidden: number]
> = {
  "nothing is left out unasked": [
    NO_FILTER,
    [one(1, "a", old), one(2, "b", { life: "sleeping" })],
    ["a", "b"],
    0,
  ],
  "what sleeps": [asleep, [one(1, "a", {}), one(2, "b", { life: "sleeping" })], ["a"], 1],
  "what is quiet": [hour, [one(1, "a", old), one(2, "b", { lastActivityAtMs: NOW })], ["b"], 1],
  "never who needs a person, is unread or works": [
    hour,
    [
      one(1, "asks", { ...old, agent: agentForTest({ state: "awaiting" }) }),
      one(2, "done", { ...old, unread: 1 }),
      one(3, "works", { ...old, agent: agentForTest({ state: "background" }) }),
    ],
    ["asks", "done", "works"],
    0,
  ],
  "never the parent of somebody who is shown": [
    hour,
    [
      one(1, "parent", old),
      one(2, "aside", { ...old, parentId: idForTest(1) }),
      one(3, "child", { lastActivityAtMs: NOW, parentId: idForTest(1) }),
    ],
    ["parent", "child"],
    1,
  ],
};
test.each(Object.entries(cases))("%s", (_title, [filter, records, names, hidden]) => {
  expect(shown(filter, records)).toEqual([names, hidden]);
});

test("never the one that is being looked at", () => {
  expect(shown(hour, [one(1, "a", old)], idForTest(1))).toEqual([["a"], 0]);
});

test("a choice of an earlier visit holds, anything else does not", () => {
  expect(parseLook('{"filter":{"hideAsleep":true,"quietForMs":3600000},"compact":true}')).toEqual({
    filter: { hideAsleep: true, quietForMs: 3_600_000 },
    compact: true,
  });
  const none = { filter: NO_FILTER, compact: false };
  for (const text of [null, "{", "null", '{"filter":{"quietForMs":7}}'])
    expect(parseLook(text)).toEqual(none);
});
