import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitrate, type Evidence, type SessionClaim, type TerminalClaims } from "./arbiter.ts";

const claim = (key: string, evidence: Evidence, updatedAtMs = 0): SessionClaim => ({
  key,
  evidence,
  updatedAtMs,
});
const terminal = (terminalId: string, heldKey: string | null, ...claims: SessionClaim[]): TerminalClaims => ({
  terminalId,
  heldKey,
  claims,
});

describe("who owns which session", () => {
  const cases: Record<string, { terminals: TerminalClaims[]; bound: Record<string, string> }> = {
    "exact evidence takes a session from whoever guessed it": {
      terminals: [terminal("a", "s", claim("s", "same-directory")), terminal("b", null, claim("s", "exact"))],
      bound: { b: "s" },
    },
    "two in one directory get two sessions": {
      terminals: [
        terminal("a", null, claim("s", "same-directory", 2), claim("t", "same-directory", 1)),
        terminal("b", null, claim("s", "same-directory", 2), claim("t", "same-directory", 1)),
      ],
      bound: { a: "s", b: "t" },
    },
    "what is held is kept although another is newer": {
      terminals: [terminal("a", "old", claim("new", "same-directory", 9), claim("old", "same-directory", 1))],
      bound: { a: "old" },
    },
    "a guess gives way to a free session that began after the agent did": {
      terminals: [
        terminal("a", "old", claim("new", "created-after-start", 9), claim("old", "same-directory", 1)),
      ],
      bound: { a: "new" },
    },
    "but not when that one is held by another": {
      terminals: [
        terminal("a", "old", claim("new", "created-after-start"), claim("old", "same-directory")),
        terminal("b", "new", claim("new", "created-after-start")),
      ],
      bound: { a: "old", b: "new" },
    },
    "a held session that is no longer offered is let go": {
      terminals: [terminal("a", "gone", claim("s", "same-directory"))],
      bound: { a: "s" },
    },
    "a session that began as one agent started is not an earlier agent's": {
      terminals: [
        terminal("a", null, claim("s", "created-after-start")),
        terminal("b", null, { ...claim("s", "created-after-start"), sinceStartMs: 400 }),
      ],
      bound: { b: "s" },
    },
    "of two that started shortly before it, the later one's": {
      terminals: [
        terminal("a", null, { ...claim("s", "created-after-start"), sinceStartMs: 2_400 }),
        terminal("b", null, { ...claim("s", "created-after-start"), sinceStartMs: 400 }),
      ],
      bound: { b: "s" },
    },
    "also when the other one holds it": {
      terminals: [
        terminal("a", "s", claim("s", "created-after-start")),
        terminal("b", null, { ...claim("s", "created-after-start"), sinceStartMs: 400 }),
      ],
      bound: { b: "s" },
    },
    "what the agent points to is taken although another is held": {
      terminals: [
        terminal("a", "held", claim("held", "created-after-start", 1), {
          ...claim("older", "same-directory", 2),
          pointedTo: true,
        }),
      ],
      bound: { a: "older" },
    },
    "and kept, until it points to another": {
      terminals: [
        terminal(
          "a",
          "was",
          { ...claim("was", "created-after-start", 1), pointedTo: true },
          { ...claim("is", "same-directory", 2), pointedTo: true },
        ),
      ],
      bound: { a: "is" },
    },
    "but not from the terminal that has the first call on it": {
      terminals: [
        terminal("a", null, { ...claim("s", "same-directory"), pointedTo: true }),
        terminal("b", null, { ...claim("s", "created-after-start"), sinceStartMs: 400 }),
      ],
      bound: { b: "s" },
    },
    "nothing free, nothing bound": {
      terminals: [
        terminal("a", null, claim("s", "exact")),
        terminal("b", null, claim("s", "created-after-start")),
      ],
      bound: { a: "s" },
    },
  };
  for (const [title, { terminals, bound }] of Object.entries(cases)) {
    it(title, () => expect(Object.fromEntries(arbitrate(terminals))).toEqual(bound));
  }

  const key = fc.constantFrom("p", "q", "r", "s");
  const claims = fc.uniqueArray(
    fc.record({
      key,
      evidence: fc.constantFrom<Evidence>("exact", "created-after-start", "same-directory"),
      updatedAtMs: fc.option(fc.nat(3)),
    }),
    { selector: (one) => one.key },
  );
  const terminals = fc.uniqueArray(
    fc.record({ terminalId: fc.constantFrom("1", "2", "3", "4"), heldKey: fc.option(key), claims }),
    { selector: (one) => one.terminalId },
  );

  it("never gives one session to two terminals, never one that was not claimed, and does not depend on the order", () => {
    fc.assert(
      fc.property(terminals, (all) => {
        const bound = arbitrate(all);
        expect(new Set(bound.values()).size).toBe(bound.size);
        for (const [id, one] of bound) {
          expect(
            all.find((terminal) => terminal.terminalId === id)!.claims.map((claim) => claim.key),
          ).toContain(one);
        }
        expect(arbitrate([...all].reverse())).toEqual(bound);
      }),
    );
  });

  it("is settled: dealing again with what it dealt changes nothing", () => {
    fc.assert(
      fc.property(terminals, (all) => {
        const bound = arbitrate(all);
        const again = all.map((one) => ({ ...one, heldKey: bound.get(one.terminalId) ?? null }));
        expect(arbitrate(again)).toEqual(bound);
      }),
    );
  });
});
