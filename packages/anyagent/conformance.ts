// The suite that every agent runs over its own fixtures: captured files, a captured screen, and what was true at the time.
// A fixture is a folder <version>/<situation> with `home/`, `screen.txt` and `expected.json` (Expected, below).
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentReading, BackgroundWork } from "@kolu/contract/agent.ts";
import { afterAll, describe, expect, it } from "vitest";
import { createDetector, type DetectionOutcome, type TerminalSignals } from "./detector.ts";
import type { AgentPlugin } from "./plugin.ts";
import type { ProcessEntry, ProcessFacts } from "./process-tree.ts";
import { FACT_NAMES } from "./vocab.ts";

/** What `expected.json` says. */
export interface Expected {
  /** What the agent was really doing; null when its process was gone. Absent with `screenState` alone. */
  state: AgentReading["state"] | null;
  /** What the screen alone tells; null: nothing, and nothing must be read into it. */
  screenState: AgentReading["state"] | null;
  cwd?: string;
  awaiting?: { kind: string } | null;
  process?: { pid: number; name: string; startTime: string; argv: string[] } | null;
  terminalTitle?: string | null;
  sessionId?: string | null;
  version?: string | null;
  model?: string | null;
  contextTokens?: number | null;
  title?: string | null;
  todos?: { completed: number; total: number } | null;
  background?: BackgroundWork;
}

interface Fixture {
  name: string;
  path: string;
  expected: Expected;
  screen: string;
}

/** @param home environment that makes the agent keep its files in the given home */
export function runConformance(options: {
  plugin: AgentPlugin;
  fixturesDir: string;
  environOf(home: string): Record<string, string>;
}): void {
  const { plugin, fixturesDir, environOf } = options;
  const fixtures = readFixtures(fixturesDir);
  const disposals: (() => Promise<void>)[] = [];
  afterAll(async () => {
    await Promise.all(disposals.map((dispose) => dispose()));
  });

  const detect = async (fixture: Fixture, alter: Partial<Stage> = {}): Promise<DetectionOutcome> => {
    const stage = { ...stageOf(fixture, environOf), ...alter };
    const { outcome, dispose } = await play(plugin, stage);
    disposals.push(dispose);
    return outcome;
  };

  describe(`${plugin.vocab.displayName} over its fixtures`, () => {
    for (const fixture of fixtures.filter((one) => one.expected.process != null)) {
      it(`${fixture.name}: says what was true`, async () => {
        const { agent } = await detect(fixture);
        expectTruth(plugin, fixture.expected, agent);
      });
      it(`${fixture.name}: a process that took over the pid is not taken for it`, async () => {
        const process = { ...stageOf(fixture, environOf).process!, startTime: "1", startedAtMs: null };
        const { agent } = await detect(fixture, { process, screen: "" });
        expect(agent?.sessionId ?? null).toBeNull();
        expect(agent?.state).toBe("unknown");
      });
      it(`${fixture.name}: nothing is said once the process is gone`, async () => {
        expect((await detect(fixture, { process: null })).agent).toBeNull();
      });
    }
    for (const fixture of fixtures) {
      it(`${fixture.name}: the screen alone tells ${fixture.expected.screenState ?? "nothing"}`, () => {
        expect(plugin.readScreen(fixture.screen)?.state ?? null).toBe(fixture.expected.screenState);
      });
    }
  });
}

function expectTruth(plugin: AgentPlugin, expected: Expected, agent: AgentReading | null): void {
  if (agent === null) throw new Error("no agent was recognised");
  expect(plugin.vocab.info.parse(agent)).toEqual(agent);
  expect(agent.state).toBe(expected.state);
  expect(agent.awaiting === null ? null : { kind: agent.awaiting.kind }).toEqual(expected.awaiting ?? null);
  for (const name of [
    "sessionId",
    "version",
    "model",
    "contextTokens",
    "title",
    "todos",
    "background",
  ] as const) {
    if (expected[name] !== undefined) expect({ [name]: agent[name] }).toEqual({ [name]: expected[name] });
  }
  for (const name of FACT_NAMES) {
    if (plugin.vocab.facts[name] === "never" && name !== "background") expect(agent[name]).toBeNull();
  }
}

interface Stage {
  process: ProcessEntry | null;
  argv: string[];
  cwd: string;
  title: string | null;
  screen: string;
  environ: Record<string, string>;
}

function stageOf(fixture: Fixture, environOf: (home: string) => Record<string, string>): Stage {
  const { process, cwd, terminalTitle } = fixture.expected;
  return {
    process: process == null ? null : { ...process, parentPid: 1, groupPid: process.pid, startedAtMs: null },
    argv: process?.argv ?? [],
    cwd: cwd ?? "/",
    title: terminalTitle ?? null,
    screen: fixture.screen,
    environ: environOf(join(fixture.path, "home")),
  };
}

/** Runs the whole detector over one still moment and gives what it published. */
async function play(
  plugin: AgentPlugin,
  stage: Stage,
): Promise<{ outcome: DetectionOutcome; dispose(): Promise<void> }> {
  let outcome: DetectionOutcome = { agent: null, program: null };
  const detector = createDetector({
    plugins: [plugin],
    processes: processesOf(stage),
    host: {
      readScreen: async () => stage.screen,
      publish: (_id, next) => {
        outcome = next;
      },
      log: (message, cause) => {
        throw new Error(message, { cause });
      },
    },
    now: Date.now,
  });
  detector.observe(signalsOf(stage));
  await detector.settled();
  return { outcome, dispose: () => detector.dispose() };
}

function signalsOf({ process, argv, cwd, title }: Stage): TerminalSignals {
  return {
    id: "fixture",
    rootPid: process?.pid ?? null,
    rootArgv: argv.length > 0 ? argv : null,
    foregroundPid: process?.pid ?? null,
    atPrompt: false,
    command: null,
    title,
    cwd,
    program: [],
    lastOutputAtMs: null,
  };
}

function processesOf({ process, argv, environ }: Stage): ProcessFacts {
  const known = (pid: number) => process !== null && process.pid === pid;
  return {
    foregroundTree: async ({ foregroundPid }) => (known(foregroundPid) ? [process!] : []),
    entry: async (pid) => (known(pid) ? process : null),
    environ: async () => ({ kind: "known", value: environ }),
    argv: async () => ({ kind: "known", value: argv }),
    tty: async () => ({ kind: "known", value: "/dev/pts/9" }),
  };
}

function readFixtures(dir: string): Fixture[] {
  return readdirSync(dir).flatMap((version) =>
    readdirSync(join(dir, version)).map((situation) => {
      const path = join(dir, version, situation);
      return {
        name: `${version} ${situation}`,
        path,
        expected: JSON.parse(readFileSync(join(path, "expected.json"), "utf8")) as Expected,
        screen: readFileSync(join(path, "screen.txt"), "utf8"),
      };
    }),
  );
}
