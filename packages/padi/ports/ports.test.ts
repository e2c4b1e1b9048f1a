import { expect, test } from "vitest";
import { type OwnedSocket, portsOf, scopeOf, terminalOf } from "./attribute.ts";

test.each([
  ["0.0.0.0", "any"],
  ["::", "any"],
  ["127.0.0.1", "loopback"],
  ["127.1.2.3", "loopback"],
  ["::1", "loopback"],
  ["::ffff:7f00:1", "loopback"],
  ["192.168.1.4", "interface"],
  ["fe80::1", "interface"],
])("%s is reached from: %s", (address, scope) => {
  expect(scopeOf(address)).toBe(scope);
});

function owned(terminalId: string, port: number, address = "0.0.0.0"): OwnedSocket {
  const family = address.includes(":") ? "v6" : "v4";
  return { socket: { key: `${address}${port}`, address, port, family }, terminalId, pid: 9, name: "node" };
}

test("a terminal's ports are its own, in order, each once", () => {
  const all = [owned("a", 8080), owned("b", 80), owned("a", 3000, "::1"), owned("a", 8080, "0.0.0.0")];
  expect(portsOf(all, "a")).toEqual([
    { port: 3000, pid: 9, name: "node", scope: "loopback", family: "v6" },
    { port: 8080, pid: 9, name: "node", scope: "any", family: "v4" },
  ]);
});

/** 10 is the shell of a, 30 that of b, which was started in a. */
const world = {
  roots: new Map([
    [10, "a"],
    [30, "b"],
  ]),
  parentOf: async (pid: number) => ({ 12: 11, 11: 10, 31: 30, 30: 12, 50: 1, 60: 1 })[pid] ?? null,
  markOf: async (pid: number) => ({ 50: "b", 60: "of-another-kolu" })[pid] ?? null,
};
test.each([
  ["a server two steps below its shell", 12, "a"],
  ["the nearest shell counts", 31, "b"],
  ["a server whose shell has left it behind is known by its environment", 50, "b"],
  ["another kolu's server is nobody's", 60, null],
  ["a process that has gone is nobody's", 99, null],
])("%s", async (_title, pid, id) => {
  expect(await terminalOf(pid, world)).toBe(id);
});
