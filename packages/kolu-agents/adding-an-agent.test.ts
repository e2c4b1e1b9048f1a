// docs/adding-an-agent.md is run: the code on that page is written out, loaded, and has to know an agent when it sees one.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDetector, type DetectionOutcome } from "@kolu/anyagent/detector.ts";
import type { AgentPlugin } from "@kolu/anyagent/plugin.ts";
import type { ProcessEntry } from "@kolu/anyagent/process-tree.ts";
import type { AgentVocab } from "@kolu/anyagent/vocab.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { agentVocabs } from "./vocabs.ts";

const guide = readFileSync(
  join(import.meta.dirname, "..", "..", "docs", "adding-an-agent.md"),
  "utf8",
).replaceAll("\r\n", "\n");
const files = [...guide.matchAll(/```ts file=(\S+)\n([\s\S]*?)\n```/g)];
const example = guide.match(/```json\n([\s\S]*?)\n```/)![1]!;

let code: string;
let home: string;
beforeAll(() => {
  // Beside us, so that the packages it imports are found.
  code = mkdtempSync(join(import.meta.dirname, "example-"));
  home = mkdtempSync(join(tmpdir(), "kolu-acme-"));
  for (const [, name, text] of files) writeFileSync(join(code, name!), text!);
});
afterAll(() => {
  for (const path of [code, home]) rmSync(path, { recursive: true });
});

const STARTED_AT_MS = 1_796_028_640_000;
const process: ProcessEntry = {
  pid: 42,
  parentPid: 1,
  groupPid: 42,
  name: "acme",
  startTime: "7",
  startedAtMs: STARTED_AT_MS,
};

test("the agent of the guide is recognised, read and explained by the code of the guide", async () => {
  expect(files.map(([, name]) => name)).toEqual(["vocab.ts", "records.ts", "judge.ts", "plugin.ts"]);
  const { acmePlugin } = (await import(join(code, "plugin.ts"))) as {
    acmePlugin(env: Record<string, string>): AgentPlugin;
  };
  mkdirSync(join(home, ".acme"));
  writeFileSync(join(home, ".acme", "42.json"), example);
  let outcome: DetectionOutcome | null = null;
  const detector = createDetector({
    plugins: [acmePlugin({})],
    processes: {
      foregroundTree: async () => [process],
      entry: async () => process,
      environ: async () => ({ kind: "known", value: { HOME: home } }),
      argv: async () => ({ kind: "known", value: ["acme"] }),
      cwd: async () => ({ kind: "hidden", reason: "" }),
      tty: async () => ({ kind: "known", value: "/dev/pts/9" }),
      openFiles: async () => ({ kind: "known", value: [] }),
    },
    host: {
      readScreen: async () => "",
      publish: (_id, next) => {
        outcome = next;
      },
      log: (message, cause) => {
        throw new Error(message, { cause });
      },
    },
    now: Date.now,
  });
  detector.observe({
    id: "one",
    rootPid: 1,
    rootArgv: null,
    foregroundPid: 42,
    atPrompt: false,
    command: { line: "acme", running: true, startedAtMs: 0, exitStatus: null, endedAtMs: null },
    title: null,
    cwd: "/work",
    program: [],
    lastOutputAtMs: null,
  });
  await detector.settled();
  expect(outcome).toMatchObject({
    agent: {
      kind: "acme",
      state: "awaiting",
      awaiting: { kind: "question", message: "Shall I delete it?" },
      sessionId: "5f3a",
      title: "Clean up",
    },
  });
  expect((await detector.explain("one")).signals).toMatchObject([{ source: "status-file", verdict: "won" }]);
  await detector.dispose();
});

test("a vocabulary that lacks a facet does not compile", () => {
  const { resume, ...others } = agentVocabs[0]!;
  // @ts-expect-error: without its resume policy it is no vocabulary.
  const vocab: AgentVocab = others;
  expect({ ...vocab, resume }).toEqual(agentVocabs[0]);
});
