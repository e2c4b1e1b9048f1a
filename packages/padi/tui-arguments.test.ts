import { expect, test } from "vitest";
import { parseCommand, UsageError } from "./tui-arguments.ts";

const good: [string, object][] = [
  ["status --json", { verb: { kind: "status" }, json: true }],
  ["watch ab", { verb: { kind: "watch", id: "ab" } }],
  [
    "wait ab --until waiting,Awaiting --timeout 5",
    { verb: { buckets: ["waiting", "awaiting"], timeoutMs: 5 } },
  ],
  ["create --toplevel -- claude --json", { verb: { parent: null, argv: ["claude", "--json"] }, json: false }],
  ["create --parent ab --worktree w --repo /r -- x", { verb: { parent: "ab", worktree: "w", repo: "/r" } }],
  ["status --socket /s", { socket: "/s" }],
  ["--help", { verb: { kind: "help" } }],
  ["wait --help", { verb: { kind: "help" } }],
];
for (const [line, expected] of good)
  test(`padi-tui ${line} is understood`, () => {
    expect(parseCommand(line.split(" "))).toMatchObject(expected);
  });

const bad = [
  "",
  "frobnicate",
  "status extra",
  "status --until waiting",
  "wait",
  "wait ab",
  "wait ab --until idle",
  "wait ab --until waiting --timeout 0",
  "create -- claude",
  "create --toplevel --parent ab -- claude",
  "create --toplevel",
  "watch -- claude",
  "status --socket /s --state-root /r",
  "status --host box",
];
for (const line of bad)
  test(`padi-tui ${line} is refused`, () => {
    expect(() => parseCommand(line === "" ? [] : line.split(" "))).toThrow(UsageError);
  });

test("a blank flag is refused by its name", () => {
  expect(() => parseCommand(["status", "--socket", " "])).toThrow("--socket is blank");
});
