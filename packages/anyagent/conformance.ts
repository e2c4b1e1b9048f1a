// The suite that every agent runs over its own fixtures: captured files, a captured screen, and what was true at the time.
// A fixture is a folder <version>/<situation> with `home/`, `screen.txt` and `expected.json` (Expected, below).
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentReading, BackgroundWork } from "@kolu/contract/agent.ts";
import { Transcript } from "@kolu/contract/transcript.ts";
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
  /** The agent's own process. */
  process?: FixtureProcess | null;
  /** What stands between the shell and the agent, outermost first: `node` before a native program. */
  wrappers?: FixtureProcess[];
  /** The same agent in other terminals of the same directory, each its terminal's root process. */
  beside?: FixtureProcess[];
  /** The line that the shell marked; `{home}` as in `env`. Absent: the terminal was created with the agent's argv. */
  commandLine?: string;
  /** Environment of the agent's process; `{home}` stands for the unpacked home. */
  env?: Record<string, string>;
  /** Device of its standard input. */
  tty?: string;
  /** Files that the agent has open, relative to the home. */
  openFiles?: string[];
  /** Times that a checkout does not keep, by path relative to the home. */
  modified?: Record<string, string>;
  /** Where the home lay when it was captured: this prefix in its text files is rewritten to where it is unpacked. */
  capturedHome?: string;
  terminalTitle?: string | null;
  sessionId?: string | null;
  version?: string | null;
  model?: string | null;
  contextTokens?: number | null;
  title?: string | null;
  todos?: { completed: number; total: number } | null;
  background?: BackgroundWork;
  /** The capture has no conversation: it was cut out, or the agent had written none yet. */
  transcript?: "left out";
}

interface FixtureProcess {
  pid: number;
  name: string;
  startTime: string;
  /** ISO time; absent where it does not matter. */
  startedAt?: string;
  argv: string[];
}

interface Fixture {
  name: string;
  path: string;
  expected: Expected;
  screen: string;
}

export interface ConformanceOptions {
  plugin: AgentPlugin;
  fixturesDir: string;
  /** Environment that makes the agent keep its files in the given home. */
  environOf(home: string): Record<string, string>;
  /** Puts right in an unpacked home what rewriting text files cannot, such as paths inside a database. */
  prepare?(home: string, expected: Expected): void;
  /** False for an agent that records no process: whoever has its pid now, its sessions stay on offer. */
  namesProcess?: boolean;
}

export function runConformance(options: ConformanceOptions): void {
  const { plugin, fixturesDir, namesProcess = true } = options;
  const unpacked = mkdtempSync(join(tmpdir(), "kolu-fixtures-"));
  const fixtures = readFixtures(fixturesDir).map((fixture) => unpack(fixture, unpacked, options));
  const environOf = options.environOf;
  const disposals: (() => Promise<void>)[] = [];
  afterAll(async () => {
    await Promise.all(disposals.map((dispose) => dispose()));
    rmSync(unpacked, { recursive: true });
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
      if (namesProcess)
        it(`${fixture.name}: a process that took over the pid is not taken for it`, async () => {
          // Whoever has the pid now started long after everything in the files.
          const startedAtMs = Date.parse("2100-01-01");
          const process = { ...stageOf(fixture, environOf).process!, startTime: "1", startedAtMs };
          const { agent } = await detect(fixture, { process, screen: "" });
          expect(agent?.sessionId ?? null).toBeNull();
          expect(agent?.state).toBe("unknown");
        });
      if (fixture.expected.sessionId)
        it(`${fixture.name}: its conversation is a transcript`, async () => {
          const { agent } = await detect(fixture);
          await expectTranscript(plugin, fixture.expected, agent!);
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

/** A conversation that is there is whole; one of an agent that was never prompted may not be there. */
async function expectTranscript(plugin: AgentPlugin, expected: Expected, agent: AgentReading): Promise<void> {
  const { sessionId, sessionPath, prompted } = agent;
  const transcript = await plugin.readTranscript({ sessionId: sessionId!, sessionPath });
  if (transcript === null || expected.transcript === "left out") {
    expect(transcript).toBeNull();
    if (expected.transcript === undefined) expect(sessionPath).toBeNull();
    return;
  }
  expect(Transcript.parse(transcript)).toEqual(transcript);
  expect(transcript).toMatchObject({ agent: plugin.vocab.kind, sessionId });
  if (prompted) expect(transcript.items.map(({ kind }) => kind)).toContain("user");
}

/** Copies a fixture so that its home may be changed, and puts its paths and times right. */
function unpack(fixture: Fixture, into: string, { prepare }: ConformanceOptions): Fixture {
  const from = join(fixture.path, "home");
  if (!existsSync(from)) return fixture;
  const path = join(into, fixture.name.replaceAll(" ", "-"));
  const home = join(path, "home");
  cpSync(from, home, { recursive: true });
  const { capturedHome, modified = {} } = fixture.expected;
  if (capturedHome !== undefined) rewritePrefix(home, capturedHome);
  prepare?.(home, fixture.expected);
  for (const [file, time] of Object.entries(modified)) {
    utimesSync(join(home, file), new Date(time), new Date(time));
  }
  return { ...fixture, path };
}

function rewritePrefix(home: string, captured: string): void {
  for (const entry of readdirSync(home, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = readFileSync(path);
    // A database holds lengths beside its texts: `prepare` rewrites those through SQLite.
    if (bytes.includes(0) || !bytes.includes(captured)) continue;
    writeFileSync(path, bytes.toString("utf8").replaceAll(captured, home));
  }
}

interface Stage {
  process: ProcessEntry | null;
  wrappers: ProcessEntry[];
  beside: ProcessEntry[];
  argv: string[];
  commandLine: string | null;
  cwd: string;
  title: string | null;
  screen: string;
  environ: Record<string, string>;
  tty: string;
  openFiles: string[];
}

function stageOf(fixture: Fixture, environOf: (home: string) => Record<string, string>): Stage {
  const {
    process,
    wrappers = [],
    beside = [],
    cwd,
    terminalTitle,
    env = {},
    openFiles = [],
  } = fixture.expected;
  const home = join(fixture.path, "home");
  const own = Object.entries(env).map(([name, value]) => [name, value.replaceAll("{home}", home)]);
  const leader = wrappers[0] ?? process;
  const entryOf = ({ pid, name, startTime, startedAt }: FixtureProcess, parentPid: number): ProcessEntry => ({
    pid,
    name,
    startTime,
    parentPid,
    groupPid: leader!.pid,
    startedAtMs: startedAt === undefined ? null : Date.parse(startedAt),
  });
  return {
    process: process == null ? null : entryOf(process, wrappers.at(-1)?.pid ?? 1),
    wrappers: process == null ? [] : wrappers.map((one, at) => entryOf(one, wrappers[at - 1]?.pid ?? 1)),
    beside: beside.map((one) => ({ ...entryOf(one, 1), groupPid: one.pid })),
    argv: process?.argv ?? [],
    commandLine: fixture.expected.commandLine?.replaceAll("{home}", home) ?? null,
    cwd: (cwd ?? "/").replaceAll("{home}", home),
    title: terminalTitle ?? null,
    screen: fixture.screen,
    environ: { ...environOf(home), ...Object.fromEntries(own) },
    tty: fixture.expected.tty ?? "/dev/pts/9",
    openFiles: openFiles.map((file) => join(home, file)),
  };
}

const FIXTURE_ID = "fixture";

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
      publish: (id, next) => {
        if (id === FIXTURE_ID) outcome = next;
      },
      log: (message, cause) => {
        throw new Error(message, { cause });
      },
    },
    now: Date.now,
  });
  detector.observe(signalsOf(stage));
  for (const one of stage.beside) {
    const rooted = { ...stage, process: one, wrappers: [], commandLine: null };
    detector.observe({ ...signalsOf(rooted), id: `beside-${one.pid}` });
  }
  await detector.settled();
  return { outcome, dispose: () => detector.dispose() };
}

function signalsOf(stage: Stage): TerminalSignals {
  const { process, argv, commandLine, cwd, title } = stage;
  const rooted = commandLine === null && argv.length > 0;
  return {
    id: FIXTURE_ID,
    rootPid: process?.pid ?? null,
    rootArgv: rooted ? argv : null,
    foregroundPid: stage.wrappers[0]?.pid ?? process?.pid ?? null,
    atPrompt: false,
    command:
      commandLine === null
        ? null
        : { line: commandLine, running: process !== null, startedAtMs: 0, exitStatus: null, endedAtMs: null },
    title,
    cwd,
    program: [],
    lastOutputAtMs: null,
  };
}

function processesOf({ process, wrappers, beside, argv, environ, tty, openFiles }: Stage): ProcessFacts {
  const chain = process === null ? [] : [...wrappers, process];
  const chains = [chain, ...beside.map((one) => [one])];
  return {
    foregroundTree: async ({ foregroundPid }) =>
      chains.find(([leader]) => leader?.pid === foregroundPid) ?? [],
    entry: async (pid) => chains.flat().find((entry) => entry.pid === pid) ?? null,
    environ: async () => ({ kind: "known", value: environ }),
    argv: async () => ({ kind: "known", value: argv }),
    cwd: async () => ({ kind: "hidden", reason: "" }),
    tty: async () => ({ kind: "known", value: tty }),
    openFiles: async (pid) => ({ kind: "known", value: pid === process?.pid ? openFiles : [] }),
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
