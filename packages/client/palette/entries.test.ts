import { expect, test } from "vitest";
import { dockCards, rowOrder } from "../dock/dock-rows.ts";
import type { Action } from "../keys/actions.ts";
import { gitForTest, recordForTest } from "../store/record-for-test.ts";
import { type Known, sectionsFor } from "./entries.ts";

const action = (id: string, title: string, possible = true): Action => ({
  id,
  title,
  group: "Page",
  chord: null,
  isPossible: () => possible,
  run() {},
});
const records = [
  recordForTest(1, { git: gitForTest("shop", "steps"), intent: "cart total" }),
  recordForTest(2, { git: gitForTest("ledger") }),
];
const KNOWN: Known = {
  rows: rowOrder(dockCards(new Map(records.map((record) => [record.id as string, record])))),
  actions: [
    action("canvas.fit", "Fit everything"),
    action("terminal.place-1", "Terminal 1 of the dock"),
    action("page.palette", "Search"),
    action("page.notify", "Notify me", false),
  ],
  places: [{ path: "/home/me/shop", name: "shop", from: "2 terminals" }],
  recents: {
    repos: [],
    agents: [{ command: "claude --model opus", kind: "claude-code", repoRoot: "/home/me/shop", usedAtMs: 1 }],
  },
  home: "/home/me",
  host: "desk",
  address: "localhost:7681",
};
const found = (scope: Parameters<typeof sectionsFor>[1], query: string): [string, string[]][] =>
  sectionsFor(KNOWN, scope, query).map(({ scope: of, entries }) => [of, entries.map(({ title }) => title)]);

test("with nothing typed everything but this machine is there, terminals first", () => {
  expect(found("all", "")).toEqual([
    ["terminals", ["main", "cart total"]],
    ["repos", ["shop"]],
    ["agents", ["claude --model opus"]],
    ["commands", ["Fit everything"]],
  ]);
});

test("the section with the best answer comes first", () => {
  expect(found("all", "fit")).toEqual([["commands", ["Fit everything"]]]);
  expect(found("all", "shop").map(([scope]) => scope)).toEqual(["repos", "terminals", "agents"]);
});

test("a terminal is found by branch, repository, agent and state", () => {
  expect(found("terminals", "steps")).toEqual([["terminals", ["cart total"]]]);
  expect(found("terminals", "ledger shell")).toEqual([["terminals", ["main"]]]);
});

test("this machine is found where it is looked for", () => {
  expect(found("hosts", "")).toEqual([["hosts", ["desk"]]]);
  expect(found("all", "desk")).toEqual([["hosts", ["desk"]]]);
});
