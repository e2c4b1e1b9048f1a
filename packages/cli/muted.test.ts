import type { TerminalId } from "@kolu/contract/ids.ts";
import { describe, expect, test } from "vitest";
import { parseInvocation } from "./arguments.ts";
import { findMuted } from "./muted.ts";
import { parseStates } from "./supervision.ts";
import { verbs } from "./verb-table.ts";

const id = (start: string): TerminalId => `${start}-0000-4000-8000-000000000001` as TerminalId;
const A = id("aaaaaaaa");
const B = id("aaaabbbb");
const STRANGER = id("99999999");

const muted = (words: string[], env: Record<string, string> = {}, only: TerminalId | null = null) =>
  findMuted(parseInvocation(verbs.watch, words).flags, { known: [A, B], only, env });

test("terminals are left out by any unique beginning, a whole id also when it is not there (yet)", () => {
  expect(muted(["--ignore", "AAAAA", "--ignore", STRANGER])).toEqual({ ids: [A, STRANGER], warnings: [] });
});

test("a beginning that means nobody is said and left out, one that means two is refused", () => {
  expect(muted(["--ignore", "77"])).toEqual({ ids: [], warnings: [expect.stringContaining("--ignore 77")] });
  expect(() => muted(["--ignore", "aaaa"])).toThrow(/matches 2 terminals: aaaaaaaa, aaaabbbb/);
});

test("oneself is left out, or it is said why not", () => {
  const self = (raw?: string) =>
    muted(["--ignore-self"], raw === undefined ? {} : { KAVAL_TERMINAL_ID: raw });
  expect(self(B)).toEqual({ ids: [B], warnings: [] });
  expect(() => self()).toThrow(expect.objectContaining({ kind: "ignore-self-unresolvable" }));
  expect(() => self("x")).toThrow(expect.objectContaining({ kind: "ignore-self-invalid" }));
  expect(() => self(STRANGER)).toThrow(expect.objectContaining({ kind: "ignore-self-not-in-fleet" }));
});

test("the one terminal to watch cannot be left out", () => {
  expect(() => muted(["--ignore", "aaaaa"], {}, A)).toThrow(
    expect.objectContaining({ kind: "muted-covers-include" }),
  );
});

describe("times", () => {
  const cases: Record<string, number> = {
    "60000": 60_000,
    "500ms": 500,
    "60s": 60_000,
    "5m": 300_000,
    "2H": 7_200_000,
    "1d": 86_400_000,
  };
  test.each(Object.entries(cases))("%s", (word, ms) => {
    expect(parseInvocation(verbs.watch, ["--nag", word]).flags.nag).toBe(ms);
  });
  test.each(["", "x", "5 m", "-1s", "0", "1.5h", "30d", "5w"])("%j is none", (word) => {
    expect(() => parseInvocation(verbs.watch, [`--nag=${word}`])).toThrow(/--nag/);
  });
  test("holding for no time is allowed", () => {
    expect(parseInvocation(verbs.watch, ["--held-for", "0"]).flags["held-for"]).toBe(0);
  });
});

test("states are read leniently in case and blanks, and by name alone", () => {
  expect(parseStates(" Waiting, awaiting")).toEqual(["waiting", "awaiting"]);
  expect(() => parseStates("waiting,idle")).toThrow(/does not know "idle"/);
});
