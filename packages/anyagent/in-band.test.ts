import type { ProgramRecord } from "@kolu/contract/program-status.ts";
import { describe, expect, it } from "vitest";
import { inBandClaim, splitByApp } from "./in-band.ts";

const record = (
  id: string,
  state: ProgramRecord["state"],
  more: Partial<ProgramRecord> = {},
): ProgramRecord => ({
  id,
  app: "acme",
  state,
  kind: null,
  progress: null,
  message: null,
  title: null,
  updatedAtMs: 1,
  ...more,
});

describe("what in-band words mean", () => {
  const cases: Record<string, { records: ProgramRecord[]; state: string | null; awaiting?: string }> = {
    idle: { records: [record("", "idle")], state: "waiting" },
    working: { records: [record("", "working")], state: "thinking" },
    "blocked, with its kind": {
      records: [record("", "blocked", { kind: "auth" })],
      state: "awaiting",
      awaiting: "auth",
    },
    "blocked without a kind is a question": {
      records: [record("", "blocked")],
      state: "awaiting",
      awaiting: "question",
    },
    done: { records: [record("", "done")], state: "waiting" },
    "an error ends the turn": { records: [record("", "error")], state: "waiting" },
    "an idle root with a live child works in the background": {
      records: [record("", "done"), record("task", "working")],
      state: "background",
    },
    "a blocked child is louder than an idle root": {
      records: [record("", "idle"), record("task", "blocked", { kind: "permission" })],
      state: "awaiting",
      awaiting: "permission",
    },
    "a child that is done says nothing about the root": {
      records: [record("", "working"), record("task", "done")],
      state: "thinking",
    },
    nothing: { records: [], state: null },
  };
  for (const [title, { records, state, awaiting }] of Object.entries(cases)) {
    it(title, () => {
      const claim = inBandClaim(records);
      expect(claim?.state ?? null).toBe(state);
      expect(claim?.awaiting?.kind).toBe(awaiting);
    });
  }

  it("only records under the agent's own names are its own", () => {
    const foreign = record("x", "working", { app: "deploy" });
    const nameless = record("y", "working", { app: null });
    const own = record("", "idle");
    expect(splitByApp([foreign, nameless, own], ["acme"])).toEqual({
      own: [own],
      others: [foreign, nameless],
    });
  });
});
