import { expect, test } from "vitest";
import { treesOf } from "./kill.ts";
import type { ProcessRow } from "./process-table.ts";

function row(pid: number, ppid: number, session: number): ProcessRow {
  return { pid, ppid, session, start: String(pid) };
}

test("a tree is every descendant and the rest of the session, not a daemon that left both", () => {
  const shell = row(100, 1, 100);
  const agent = row(101, 100, 100);
  const serverInItsOwnSession = row(102, 101, 102);
  const itsChild = row(103, 102, 102);
  const orphanOfTheSession = row(104, 1, 100);
  const daemon = row(105, 1, 105);
  const otherTerminal = row(200, 1, 200);
  const all = [shell, agent, serverInItsOwnSession, itsChild, orphanOfTheSession, daemon, otherTerminal];
  const pids = treesOf([100], all).map((one) => one.pid);
  expect(pids.sort()).toEqual([100, 101, 102, 103, 104]);
  expect(treesOf([100, 200], all)).toHaveLength(6);
});
