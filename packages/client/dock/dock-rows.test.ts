import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { agentForTest, gitForTest, idForTest, recordForTest } from "../store/record-for-test.ts";
import { type DockRow, dockCards, rowOrder } from "./dock-rows.ts";
import { ageWords, waitWords } from "./time-words.ts";

const map = (...records: TerminalRecord[]): Map<string, TerminalRecord> =>
  new Map(records.map((record) => [record.id, record]));
const ids = (rows: DockRow[]): number[] => rows.map(({ record }) => Number(record.id.slice(-4)));

test("cards by repository, rows by branch and then creation, directories last", () => {
  const cards = dockCards(
    map(
      recordForTest(5),
      recordForTest(4, { git: gitForTest("zeta") }),
      recordForTest(3, { git: gitForTest("alpha", "main") }),
      recordForTest(2, { git: gitForTest("alpha", "main") }),
      recordForTest(1, { git: gitForTest("alpha", "zz") }),
    ),
  );
  expect(cards.map(({ name }) => name)).toEqual(["alpha", "zeta", "Elsewhere"]);
  expect(ids(rowOrder(cards))).toEqual([2, 3, 1, 4, 5]);
});

test("worktrees of one repository share its card", () => {
  const worktree = { ...gitForTest("app", "fix"), root: "/home/me/app/.worktrees/fix", isWorktree: true };
  const cards = dockCards(
    map(recordForTest(1, { git: gitForTest("app") }), recordForTest(2, { git: worktree })),
  );
  expect(cards).toHaveLength(1);
});

test("children stand under their parent whatever their repository, at any depth", () => {
  const cards = dockCards(
    map(
      recordForTest(1, { git: gitForTest("app") }),
      recordForTest(2, { git: gitForTest("app") }),
      recordForTest(4, { parentId: idForTest(3) }),
      recordForTest(3, { parentId: idForTest(1), git: gitForTest("other") }),
    ),
  );
  expect(cards).toHaveLength(1);
  expect(cards[0]!.rows.map(({ record, depth }) => [Number(record.id.slice(-1)), depth])).toEqual([
    [1, 0],
    [3, 1],
    [4, 2],
    [2, 0],
  ]);
});

test("no state of an agent changes the order", () => {
  const states = ["thinking", "tool_use", "background", "awaiting", "waiting", "unknown"] as const;
  const arbitrary = fc.array(
    fc.record({
      repo: fc.constantFrom(null, "a", "b"),
      branch: fc.constantFrom("main", "fix"),
      parent: fc.option(fc.nat(11)),
      state: fc.constantFrom(...states),
      unread: fc.nat(2),
      busy: fc.boolean(),
    }),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(arbitrary, (list) => {
      const at = (n: number, calm: boolean): TerminalRecord => {
        const { repo, branch, parent, state, unread, busy } = list[n]!;
        return recordForTest(n, {
          git: repo === null ? null : gitForTest(repo, branch),
          parentId: parent === null ? null : idForTest(parent),
          ...(calm ? {} : { agent: agentForTest({ state }), unread, busy, lastActivityAtMs: n }),
        });
      };
      const calm = rowOrder(dockCards(map(...list.map((_, n) => at(n, true)))));
      const lively = rowOrder(dockCards(map(...list.map((_, n) => at(n, false)).reverse())));
      expect(ids(lively)).toEqual(ids(calm));
      // Whatever the parents say, circles included, nobody is lost and nobody is shown twice.
      expect(ids(calm).toSorted((a, b) => a - b)).toEqual(list.map((_, n) => n));
    }),
  );
});

test("thirty terminals in one directory can be told apart", () => {
  const rows = rowOrder(dockCards(map(...Array.from({ length: 30 }, (_, n) => recordForTest(n + 1)))));
  const faces = rows.map(({ name, doing, tellApart }) => `${name}|${doing}|${tellApart ?? ""}`);
  expect(new Set(faces).size).toBe(1); // The ids of this test differ only at their end…
  const real = rowOrder(
    dockCards(
      map(
        ...Array.from({ length: 30 }, () =>
          recordForTest(1, { id: crypto.randomUUID() as TerminalRecord["id"] }),
        ),
      ),
    ),
  );
  expect(new Set(real.map(({ tellApart }) => tellApart)).size).toBe(30);
  const named = dockCards(map(recordForTest(1, { intent: "api" }), recordForTest(2, { intent: "web" })));
  expect(rowOrder(named).map(({ tellApart }) => tellApart)).toEqual([null, null]);
});

test("a row's second line adds something to its first", () => {
  const [row] = rowOrder(dockCards(map(recordForTest(1, { cwd: "/home/me/notes" }))));
  expect([row!.name, row!.doing]).toEqual(["notes", null]);
  const [branch] = rowOrder(
    dockCards(map(recordForTest(1, { cwd: "/home/me/app/src", git: gitForTest("app") }))),
  );
  expect([branch!.name, branch!.doing]).toEqual(["main", "src"]);
});

test("durations are one number and one unit", () => {
  expect([0, 59_999, 60_000, 3_600_000, 90_000_000].map(ageWords)).toEqual(["now", "now", "1m", "1h", "1d"]);
  expect([-5, 4_200, 61_000].map(waitWords)).toEqual(["0s", "4s", "1m"]);
});
