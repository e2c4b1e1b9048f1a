// Two of them in one directory, under the whole detector: each terminal shows its own session, also after /new in one.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDetector, type DetectionOutcome, type TerminalSignals } from "@kolu/anyagent/detector.ts";
import type { ProcessEntry, ProcessFacts } from "@kolu/anyagent/process-tree.ts";
import type { ProgramRecord } from "@kolu/contract/program-status.ts";
import { answer, header, prompt } from "@kolu/entry-log/test-entries.ts";
import { afterEach, beforeEach, expect, it } from "vitest";
import { piPlugin } from "./plugin.ts";
import { dirNameOf } from "./store.ts";

let home: string;
let cwd: string;
let startedAtMs: number;
let detector: ReturnType<typeof createDetector>;
let published: Map<string, DetectionOutcome>;
const entries = new Map<number, ProcessEntry>();
const facts: ProcessFacts = {
  foregroundTree: async ({ foregroundPid }) =>
    [entries.get(foregroundPid)].filter((one) => one !== undefined),
  entry: async (pid) => entries.get(pid) ?? null,
  environ: async () => ({ kind: "known", value: { HOME: home } }),
  argv: async () => ({ kind: "known", value: ["pi"] }),
  cwd: async () => ({ kind: "hidden", reason: "" }),
  tty: async () => ({ kind: "hidden", reason: "" }),
  openFiles: async () => ({ kind: "hidden", reason: "" }),
};

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "two-")));
  cwd = join(home, "project");
  mkdirSync(cwd);
  startedAtMs = Date.now() - 600_000;
  for (const [pid, after] of [
    [1, 0],
    [2, 3_000],
  ] as const) {
    const started = startedAtMs + after;
    entries.set(pid, {
      pid,
      parentPid: 0,
      groupPid: pid,
      name: "pi",
      startTime: `${pid}`,
      startedAtMs: started,
    });
  }
  published = new Map();
  detector = createDetector({
    plugins: [piPlugin({})],
    processes: facts,
    host: {
      readScreen: async () => "",
      publish: (id, outcome) => published.set(id, outcome),
      log: (message, cause) => {
        throw new Error(message, { cause });
      },
    },
    now: Date.now,
  });
});
afterEach(async () => {
  await detector.dispose();
  rmSync(home, { recursive: true });
});

const at = (second: number) => startedAtMs + second * 1000;
const said = (state: ProgramRecord["state"], second: number): ProgramRecord => ({
  id: "",
  app: "pi",
  state,
  kind: null,
  progress: null,
  message: null,
  title: null,
  updatedAtMs: at(second),
});
const signals = (pid: number, ...program: ProgramRecord[]): TerminalSignals => ({
  id: `terminal ${pid}`,
  rootPid: 100 + pid,
  rootArgv: null,
  foregroundPid: pid,
  atPrompt: false,
  command: { line: "pi", running: true, startedAtMs, exitStatus: null, endedAtMs: null },
  title: null,
  cwd,
  program,
  lastOutputAtMs: null,
});
async function see(...all: TerminalSignals[]): Promise<(string | null)[]> {
  for (const one of all) detector.observe(one);
  await detector.settled();
  await detector.settled();
  return [1, 2].map((pid) => published.get(`terminal ${pid}`)?.agent?.sessionId ?? null);
}
function write(id: string, began: number, written: number): void {
  const dir = join(home, ".pi", "agent", "sessions", dirNameOf(cwd));
  mkdirSync(dir, { recursive: true });
  const path = join(dir, `2026_${id}.jsonl`);
  writeFileSync(
    path,
    `${header(id, cwd, new Date(at(began)).toISOString())}\n${prompt()}\n${answer("stop")}\n`,
  );
  utimesSync(path, at(written) / 1000, at(written) / 1000);
}

it("each shows its own session, whichever was prompted first, and follows its own /new", async () => {
  expect(await see(signals(1), signals(2))).toEqual([null, null]);
  write("second", 3.4, 20);
  expect(await see(signals(1, said("idle", 1)), signals(2, said("working", 20)))).toEqual([null, "second"]);
  write("first", 0.4, 40);
  expect(await see(signals(1, said("working", 40)))).toEqual(["first", "second"]);
  // Begun by /new in the first: nothing in it says so, but it was written to as the first spoke.
  write("renewed", 60, 70);
  expect(await see(signals(1, said("done", 45)))).toEqual(["first", "second"]);
  expect(await see(signals(1, said("working", 70)))).toEqual(["renewed", "second"]);
  expect(await see(signals(1, said("done", 71)), signals(2, said("idle", 72)))).toEqual([
    "renewed",
    "second",
  ]);
});
