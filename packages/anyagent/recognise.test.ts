import { describe, expect, it } from "vitest";
import { shellWords } from "./command-line.ts";
import type { ProcessEntry } from "./process-tree.ts";
import { recognise, runningCommandWords } from "./recognise.ts";
import { testVocab } from "./test-vocab.ts";

const vocabs = [testVocab("acme"), testVocab("zed")];
const chainOf = (...names: string[]): ProcessEntry[] =>
  names.map((name, at) => ({
    pid: 10 + at,
    parentPid: 9 + at,
    groupPid: 10,
    name,
    startTime: "1",
    startedAtMs: null,
  }));

describe("who is in the foreground", () => {
  const cases: Record<string, { chain: string[]; line?: string; kind: string | null; pid?: number | null }> =
    {
      "a process of that name": { chain: ["acme"], kind: "acme", pid: 10 },
      "a process of a versioned name": { chain: ["acme197"], kind: "acme", pid: 10 },
      "beneath its wrappers": { chain: ["script", "sh", "acme"], kind: "acme", pid: 12 },
      "the nearest of two agents": { chain: ["zed", "acme"], kind: "zed", pid: 10 },
      "by the marked command while its process is still called something else": {
        chain: ["node"],
        line: "acme --fast",
        kind: "acme",
        pid: null,
      },
      "the process before the mark": { chain: ["zed"], line: "acme", kind: "zed", pid: 10 },
      "what is no session is no agent, although its process has the name": {
        chain: ["acme"],
        line: "acme update",
        kind: null,
      },
      "a mark without any process (it has ended) is nobody": { chain: [], line: "acme", kind: null },
      "an unknown program": { chain: ["vim"], line: "vim acme", kind: null },
    };
  for (const [title, { chain, line, kind, pid }] of Object.entries(cases)) {
    it(title, () => {
      const found = recognise(
        { chain: chainOf(...chain), commandWords: line === undefined ? null : shellWords(line) },
        vocabs,
      );
      expect(found?.vocab.kind ?? null).toBe(kind);
      if (pid !== undefined) expect(found?.process?.pid ?? null).toBe(pid);
    });
  }

  it("takes words from the argv that a terminal was created with, else from the mark of a running command", () => {
    expect(runningCommandWords(["acme", "a b"], null)).toEqual(["acme", "a b"]);
    expect(runningCommandWords(null, { line: "acme 'a b'", running: true })).toEqual(["acme", "a b"]);
    expect(runningCommandWords(null, { line: "acme", running: false })).toBeNull();
    expect(runningCommandWords(null, null)).toBeNull();
  });
});
