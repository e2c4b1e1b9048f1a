import { describe, expect, it } from "vitest";
import { believe, type Claim } from "./believe.ts";

const claim = (source: Claim["source"], state: Claim["state"], more: Partial<Claim> = {}): Claim => ({
  source,
  value: String(state),
  state,
  atMs: null,
  ...more,
});
const busy = claim("in-band", "thinking", { coarse: true });

describe("the order of belief", () => {
  const cases: Record<
    string,
    { claims: Claim[]; state: string | null; source?: string; verdicts: string[] }
  > = {
    "the first that speaks wins": {
      claims: [claim("in-band", "awaiting"), claim("status-file", "thinking")],
      state: "awaiting",
      source: "in-band",
      verdicts: ["won", "disagreed"],
    },
    "who has nothing to say is silent": {
      claims: [claim("in-band", null), claim("transcript", "waiting")],
      state: "waiting",
      source: "transcript",
      verdicts: ["silent", "won"],
    },
    "a coarse winner is refined by the next of its bucket": {
      claims: [busy, claim("status-file", "thinking", { coarse: true }), claim("transcript", "tool_use")],
      state: "tool_use",
      source: "in-band",
      verdicts: ["won", "agreed", "agreed"],
    },
    "but never into another bucket": {
      claims: [busy, claim("transcript", "waiting")],
      state: "thinking",
      source: "in-band",
      verdicts: ["won", "disagreed"],
    },
    "an ignored claim decides and refines nothing": {
      claims: [claim("in-band", "thinking", { ignoredBecause: "old" }), claim("status-file", "waiting")],
      state: "waiting",
      source: "status-file",
      verdicts: ["ignored", "won"],
    },
    "nobody speaks": { claims: [claim("transcript", null)], state: null, verdicts: [] },
  };
  for (const [title, { claims, state, source, verdicts }] of Object.entries(cases)) {
    it(title, () => {
      const belief = believe(claims);
      expect(belief?.state ?? null).toBe(state);
      if (source !== undefined) expect(belief?.source).toBe(source);
      expect(belief?.signals.map((signal) => signal.verdict) ?? []).toEqual(verdicts);
    });
  }

  it("names what is awaited by the most telling claim that agrees", () => {
    const gate = claim("in-band", "awaiting", { awaiting: { kind: "permission", message: "approve" } });
    const plan = claim("transcript", "awaiting", { awaiting: { kind: "plan", message: null } });
    expect(believe([gate, plan])?.awaiting).toEqual({ kind: "plan", message: "approve" });
    expect(believe([gate])?.awaiting).toEqual({ kind: "permission", message: "approve" });
    expect(believe([busy, plan])?.awaiting).toBeNull();
  });
});
