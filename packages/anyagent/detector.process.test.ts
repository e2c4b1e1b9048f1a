// The detector over real processes: real groups, wrappers, deaths. The agent is a copy of `sleep` under the agent's name.
import { type ChildProcess, spawn } from "node:child_process";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDetector, type DetectionOutcome, type Detector, type TerminalSignals } from "./detector.ts";
import { unboundReport } from "./outcome.ts";
import type { AgentPlugin } from "./plugin.ts";
import { processFacts } from "./processes.ts";
import { testVocab } from "./test-vocab.ts";

let dir: string;
let children: ChildProcess[];
let detector: Detector;
let outcome: DetectionOutcome | null;
let wake: () => void;

const facts = processFacts();
const vocab = testVocab("acme");
const plugin: AgentPlugin = {
  vocab,
  envKeys: [],
  find: async ({ agent }) => ({
    candidates:
      agent === null
        ? []
        : [{ key: String(agent.pid), evidence: "exact", updatedAtMs: 0, process: agent, locator: "" }],
    missing: [],
    watchPaths: [],
  }),
  open: () => ({
    report: (live) => ({
      ...unboundReport({ vocab, process: null, invocation: null, matchedBy: "" }, live, []),
      state: "waiting",
      unknownReason: null,
      wantsScreen: false,
    }),
    refresh: async () => {},
    close: () => {},
  }),
  readScreen: () => null,
  readTranscript: async () => null,
};

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "detect-"));
  await copyFile("/bin/sleep", join(dir, "acme"));
  children = [];
  outcome = null;
  wake = () => {};
  const publish = (_id: string, next: DetectionOutcome) => {
    outcome = next;
    wake();
  };
  const log = (message: string, cause: unknown) => {
    throw new Error(message, { cause });
  };
  const host = { readScreen: async () => null, publish, log };
  detector = createDetector({ plugins: [plugin], processes: facts, host, now: Date.now });
});
afterEach(async () => {
  await detector.dispose();
  for (const child of children) killGroup(child.pid!);
  await rm(dir, { recursive: true });
});

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The whole group has ended by itself.
  }
}

/** Starts a shell line as a process group of its own, as a shell with job control does. */
function start(line: string): number {
  const child = spawn("/bin/sh", ["-c", line], {
    detached: true,
    stdio: "ignore",
    env: { PATH: `${dir}:/usr/bin:/bin` },
  });
  children.push(child);
  return child.pid!;
}

function see(foregroundPid: number): void {
  const signals: TerminalSignals = {
    id: "one",
    rootPid: process.pid,
    rootArgv: null,
    foregroundPid,
    atPrompt: false,
    command: null,
    title: null,
    cwd: "/",
    program: [],
    lastOutputAtMs: null,
  };
  detector.observe(signals);
}

async function until(holds: (outcome: DetectionOutcome) => boolean): Promise<DetectionOutcome> {
  while (outcome === null || !holds(outcome)) {
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
  return outcome;
}

describe("real processes", () => {
  const lines: Record<string, string> = {
    "is the group's leader": "exec acme 1000",
    "is the child of a wrapper": "acme 1000; true",
    "is two wrappers down": "env A=1 sh -c 'nice -n 1 acme 1000; true'; true",
    "has a session of its own": "setsid -w acme 1000; true",
    "starts late": "sleep 0.5; acme 1000; true",
    "has a sibling in front of it": "sleep 1000 | acme 1000",
  };
  for (const [title, line] of Object.entries(lines)) {
    it(`an agent that ${title} is found, and gone when it is killed`, async () => {
      see(start(line));
      const { agent } = await until((one) => one.agent?.state === "waiting");
      process.kill(agent!.pid!, "SIGKILL");
      await until((one) => one.agent === null);
    });
  }

  it("are told apart by their start, and show environment, argv and children", async () => {
    const pid = start("X=1 exec acme 1000");
    see(pid);
    await until((one) => one.agent?.pid === pid);
    const entry = await facts.entry(pid);
    expect(entry).toMatchObject({ pid, name: "acme", groupPid: pid, parentPid: process.pid });
    expect(Math.abs(entry!.startedAtMs! - Date.now())).toBeLessThan(60_000);
    expect(await facts.argv(pid)).toEqual({ kind: "known", value: ["acme", "1000"] });
    expect(await facts.environ(pid)).toMatchObject({ kind: "known", value: { X: "1" } });
    expect(await facts.cwd(pid)).toEqual({ kind: "known", value: process.cwd() });
    killGroup(pid);
    await until((one) => one.agent === null);
    expect(await facts.entry(pid)).toBeNull();
    expect((await facts.environ(pid)).kind).toBe("hidden");
  });
});
