import type { AgentReading } from "@kolu/contract/agent.ts";
import type { ProgramRecord } from "@kolu/contract/program-status.ts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createDetector, type DetectionOutcome, type Detector, type TerminalSignals } from "./detector.ts";
import { unboundReport } from "./outcome.ts";
import type { AgentPlugin, AgentSession, Candidate, SessionHost, SessionReport } from "./plugin.ts";
import type { ProcessEntry, ProcessFacts } from "./process-tree.ts";
import { testVocab } from "./test-vocab.ts";

// ---- a machine of plain data: processes, sessions and screens that the tests change by hand

let processes: Map<number, ProcessEntry>;
let walks: number;
let sessions: Map<number, { sessionId: string; state: AgentReading["state"] }>;
let open: Set<string>;
let hosts: Map<number, SessionHost>;
let screens: Map<string, string>;
let published: Map<string, DetectionOutcome[]>;
let detector: Detector;
let nowMs: number;
let searchedTitles: (string | null)[];

const facts: ProcessFacts = {
  foregroundTree: async ({ foregroundPid }) => {
    walks += 1;
    return [...processes.values()].filter((one) => one.groupPid === foregroundPid);
  },
  entry: async (pid) => processes.get(pid) ?? null,
  environ: async () => ({ kind: "known", value: {} }),
  argv: async () => ({ kind: "known", value: [] }),
  cwd: async () => ({ kind: "hidden", reason: "" }),
  tty: async () => ({ kind: "known", value: "/dev/pts/1" }),
  openFiles: async () => ({ kind: "hidden", reason: "" }),
};

const plugin: AgentPlugin = {
  vocab: testVocab("acme"),
  envKeys: [],
  find: async ({ chain, title }) => {
    searchedTitles.push(title ?? null);
    const candidates = chain.filter((one) => sessions.has(one.pid)).map(candidateOf);
    if (sessions.has(NAMELESS)) candidates.push(namelessCandidate);
    return { candidates, missing: candidates.length > 0 ? [] : ["no session of acme"], watchPaths: [] };
  },
  open: (candidate, host) => openSession(candidate, host),
  readTranscript: async () => null,
  readScreen: (text) =>
    text.includes("trust?") ? { name: "trust", state: "awaiting", awaiting: null } : null,
};

/** A session that tells of no process, as one of the directory. */
const NAMELESS = 0;
const namelessCandidate: Candidate = {
  key: "nameless",
  evidence: "same-directory",
  updatedAtMs: 0,
  process: null,
  locator: String(NAMELESS),
};

function candidateOf(process: ProcessEntry): Candidate {
  return { key: `k${process.pid}`, evidence: "exact", updatedAtMs: 0, process, locator: String(process.pid) };
}

function openSession(candidate: Candidate, host: SessionHost): AgentSession {
  const pid = Number(candidate.locator);
  open.add(candidate.key);
  hosts.set(pid, host);
  return {
    report: (live): SessionReport => ({
      ...unboundReport({ vocab: plugin.vocab, process: null, invocation: null, matchedBy: "" }, live, []),
      ...(live.inBand.length > 0 ? {} : { state: sessions.get(pid)!.state, source: "status-file" as const }),
      sessionId: sessions.get(pid)!.sessionId,
      unknownReason: null,
      wantsScreen: false,
    }),
    refresh: async () => {},
    close: () => open.delete(candidate.key),
  };
}

function run(pid: number, name: string, groupPid = pid): void {
  processes.set(pid, { pid, parentPid: 1, groupPid, name, startTime: `t${pid}`, startedAtMs: 1_000 });
}

const AT_SHELL: TerminalSignals = {
  id: "one",
  rootPid: 10,
  rootArgv: null,
  foregroundPid: 10,
  atPrompt: true,
  command: null,
  title: null,
  cwd: "/",
  program: [],
  lastOutputAtMs: null,
};
const running = (foregroundPid: number, more: Partial<TerminalSignals> = {}): TerminalSignals => ({
  ...AT_SHELL,
  foregroundPid,
  atPrompt: false,
  ...more,
});
const word = (
  state: ProgramRecord["state"],
  app = "acme",
  more: Partial<ProgramRecord> = {},
): ProgramRecord => ({
  id: "",
  app,
  state,
  kind: null,
  progress: null,
  message: null,
  title: null,
  updatedAtMs: nowMs,
  ...more,
});

async function see(signals: TerminalSignals): Promise<DetectionOutcome> {
  detector.observe(signals);
  await detector.settled();
  return last(signals.id);
}
const last = (id = "one"): DetectionOutcome => published.get(id)!.at(-1)!;
const passTime = async (ms: number): Promise<void> => {
  const end = nowMs + ms;
  do {
    const step = Math.min(100, end - nowMs);
    nowMs += step;
    await vi.advanceTimersByTimeAsync(step);
  } while (nowMs < end);
};

beforeEach(() => {
  vi.useFakeTimers();
  processes = new Map();
  sessions = new Map();
  open = new Set();
  hosts = new Map();
  screens = new Map();
  published = new Map();
  walks = 0;
  searchedTitles = [];
  nowMs = 100_000;
  detector = createDetector({
    plugins: [plugin],
    processes: facts,
    host: {
      readScreen: async (id) => screens.get(id) ?? null,
      publish: (id, outcome) => published.set(id, [...(published.get(id) ?? []), outcome]),
      log: (message, cause) => {
        throw new Error(message, { cause });
      },
    },
    now: () => nowMs,
  });
});
afterEach(async () => {
  await detector.dispose();
  expect(open.size).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

function startAgent(pid = 20, state: AgentReading["state"] = "thinking", sessionId = `s${pid}`): void {
  run(pid, "acme");
  sessions.set(pid, { sessionId, state });
}

describe("what it costs when nobody is there", () => {
  it("a prompt and a program that is no agent start no timer that lasts and walk only on changes", async () => {
    run(20, "vim");
    expect(await see(AT_SHELL)).toEqual({ agent: null, program: null });
    expect(walks).toBe(0);
    await see(running(20));
    await passTime(5_000);
    const before = walks;
    expect(before).toBe(5);
    expect(vi.getTimerCount()).toBe(0);
    for (let at = 0; at < 50; at += 1) await see(running(20, { lastOutputAtMs: nowMs + at, cwd: `/${at}` }));
    expect(walks).toBe(before);
    expect(published.get("one")).toHaveLength(1);
  });

  it("a title that spins is no reason to walk at every turn", async () => {
    run(20, "build");
    await see(running(20));
    await passTime(5_000);
    walks = 0;
    for (let at = 0; at < 20; at += 1) {
      await see(running(20, { title: `${at}` }));
      await passTime(100);
    }
    expect(walks).toBeLessThanOrEqual(5);
  });
});

describe("a bound agent", () => {
  it("is published at once, and again only when something changed", async () => {
    startAgent();
    expect((await see(running(20))).agent).toMatchObject({ state: "thinking", sessionId: "s20", pid: 20 });
    await see(running(20, { lastOutputAtMs: nowMs }));
    await passTime(3_000);
    expect(published.get("one")).toHaveLength(1);
    sessions.get(20)!.state = "tool_use";
    hosts.get(20)!.changed();
    expect(published.get("one")).toHaveLength(2);
    expect(last().agent).toMatchObject({ state: "tool_use", bucket: "working", sinceMs: nowMs });
  });

  it("is gone within two seconds of a silent end", async () => {
    startAgent();
    await see(running(20));
    processes.delete(20);
    await passTime(2_000);
    expect(last().agent).toBeNull();
  });

  it("is gone at once when the prompt comes back", async () => {
    startAgent();
    await see(running(20));
    processes.delete(20);
    expect((await see(AT_SHELL)).agent).toBeNull();
  });

  it("is gone when its pid belongs to a later process", async () => {
    startAgent();
    await see(running(20));
    processes.set(20, { ...processes.get(20)!, name: "vim", startTime: "later" });
    sessions.delete(20);
    await passTime(2_000);
    expect(last().agent).toBeNull();
  });

  it("is kept while it is suspended, beneath a pager, and back in the foreground", async () => {
    startAgent();
    await see(running(20));
    run(30, "less");
    for (const signals of [AT_SHELL, running(30), AT_SHELL, running(20)]) {
      expect((await see(signals)).agent).toMatchObject({ state: "thinking", pid: 20 });
    }
    expect(published.get("one")).toHaveLength(1);
  });

  it("gives way to another agent in the foreground, and comes back with its process", async () => {
    startAgent(20);
    startAgent(21, "waiting");
    await see(running(20));
    expect((await see(running(21))).agent).toMatchObject({ state: "waiting", pid: 21 });
    expect((await see(running(20))).agent).toMatchObject({ state: "thinking", pid: 20 });
  });

  it("is found when a wrapper starts it later", async () => {
    run(20, "sh");
    expect((await see(running(20))).agent).toBeNull();
    run(21, "acme", 20);
    sessions.set(21, { sessionId: "late", state: "waiting" });
    await passTime(300);
    await detector.settled();
    expect(last().agent).toMatchObject({ sessionId: "late", pid: 21 });
  });

  it("is found by the title that it sets, long after its wrapper started", async () => {
    run(20, "sh");
    await see(running(20));
    await passTime(60_000);
    run(21, "acme", 20);
    sessions.set(21, { sessionId: "late", state: "waiting" });
    expect((await see(running(20, { title: "* acme" }))).agent).toMatchObject({ pid: 21 });
  });

  it("is found when it took the place of the shell", async () => {
    await see(AT_SHELL);
    startAgent(10, "waiting");
    const command = {
      line: "exec acme",
      running: true,
      exitStatus: null,
      startedAtMs: nowMs,
      endedAtMs: null,
    };
    expect((await see({ ...AT_SHELL, command })).agent).toMatchObject({ state: "waiting", pid: 10 });
  });

  it("keeps the time since when a state lasts, and starts it anew with another session", async () => {
    startAgent();
    await see(running(20));
    const { sinceMs } = last().agent!;
    await passTime(10_000);
    sessions.get(20)!.sessionId = "cleared";
    hosts.get(20)!.changed();
    expect(last().agent).toMatchObject({ sessionId: "cleared" });
    expect(last().agent!.sinceMs).toBe(sinceMs + 10_000);
  });

  it("is released when its terminal is forgotten, and nothing more is said", async () => {
    startAgent();
    await see(running(20));
    detector.forget("one");
    expect(open.size).toBe(0);
    await passTime(5_000);
    expect(published.get("one")).toHaveLength(1);
  });
});

describe("a search", () => {
  const command = { line: "acme", running: true, exitStatus: null, startedAtMs: 1, endedAtMs: null };

  it("is not given the title that an agent before it left behind", async () => {
    run(20, "acme");
    await see({ ...AT_SHELL, title: "acme: the killed one" });
    await see(running(20, { command, title: "acme: the killed one" }));
    expect(searchedTitles.at(-1)).toBeNull();
    await see(running(20, { command, title: "acme: the new one" }));
    await passTime(1_000);
    await detector.settled();
    expect(searchedTitles.at(-1)).toBe("acme: the new one");
  });

  it("is given the title of an agent that was there before anybody looked", async () => {
    run(20, "acme");
    await see(running(20, { command, title: "acme: the old one" }));
    expect(searchedTitles.at(-1)).toBe("acme: the old one");
  });
});

describe("an agent whose session names no process", () => {
  const command = { line: "acme", running: true, exitStatus: null, startedAtMs: 1, endedAtMs: null };

  it("is not taken to be the shell, which marks a command before it starts it", async () => {
    run(10, "bash");
    sessions.set(NAMELESS, { sessionId: "s", state: "thinking" });
    await see({ ...AT_SHELL, command });
    expect(last().agent).toMatchObject({ sessionId: null, pid: null });
    expect(searchedTitles).toEqual([]);
    run(20, "acme");
    await see(running(20, { command }));
    expect(last().agent).toMatchObject({ sessionId: "s", pid: 20 });
    processes.delete(20);
    await see({ ...AT_SHELL, command: { ...command, running: false } });
    expect(last().agent).toBeNull();
  });

  it("is a script that had its name for a moment, before its interpreter took it away", async () => {
    run(20, "acme");
    await see(running(20, { command }));
    run(20, "node");
    sessions.set(NAMELESS, { sessionId: "s", state: "thinking" });
    await passTime(1_000);
    await detector.settled();
    expect(last().agent).toMatchObject({ sessionId: "s", pid: 20 });
  });

  it("is what its command started until it has its name, and then its own process", async () => {
    run(20, "node");
    sessions.set(NAMELESS, { sessionId: "s", state: "thinking" });
    await see(running(20, { command }));
    expect(last().agent).toMatchObject({ sessionId: "s", pid: 20 });
    run(21, "acme", 20);
    await passTime(1_000);
    await detector.settled();
    expect(last().agent).toMatchObject({ sessionId: "s", pid: 21 });
    processes.delete(21);
    await passTime(1_000);
    await detector.settled();
    expect(last().agent).toMatchObject({ pid: null });
  });
});

describe("an agent without a session", () => {
  it("is an honest unknown with its reason", async () => {
    run(20, "acme");
    expect((await see(running(20))).agent).toMatchObject({
      state: "unknown",
      bucket: null,
      unknownReason: "no session of acme",
      pid: 20,
    });
  });

  it("is what its dialog shows, until the session appears", async () => {
    run(20, "acme");
    screens.set("one", "do you trust?");
    await see(running(20));
    await passTime(0);
    expect(last().agent).toMatchObject({ state: "awaiting", source: "screen" });
    sessions.set(20, { sessionId: "s", state: "waiting" });
    await passTime(1_000);
    await detector.settled();
    expect(last().agent).toMatchObject({ state: "waiting", sessionId: "s" });
  });

  it("is what it says in band", async () => {
    run(20, "acme");
    expect((await see(running(20, { program: [word("working")] }))).agent).toMatchObject({
      state: "thinking",
      source: "in-band",
    });
  });

  it("by its command alone is known before its process has its name", async () => {
    run(20, "node");
    const command = { line: "acme --fast", running: true, exitStatus: null, startedAtMs: 1, endedAtMs: null };
    expect((await see(running(20, { command }))).agent).toMatchObject({
      kind: "acme",
      state: "unknown",
      pid: null,
    });
    run(20, "acme");
    sessions.set(20, { sessionId: "s", state: "waiting" });
    await passTime(1_000);
    await detector.settled();
    expect(last().agent).toMatchObject({ state: "waiting", pid: 20 });
  });
});

describe("in-band words", () => {
  it("of the agent in the foreground count in the very call that brings them", async () => {
    startAgent();
    await see(running(20));
    detector.observe(running(20, { program: [word("blocked")] }));
    expect(last()).toMatchObject({ agent: { state: "awaiting", source: "in-band" }, program: null });
  });

  it("of a suspended agent do not count", async () => {
    startAgent(20, "waiting");
    await see(running(20));
    expect((await see({ ...AT_SHELL, program: [word("working")] })).agent).toMatchObject({
      source: "status-file",
    });
  });

  it("left behind by an earlier process do not count", async () => {
    startAgent();
    const old = word("blocked", "acme", { updatedAtMs: processes.get(20)!.startedAtMs! - 60_000 });
    expect((await see(running(20, { program: [old] }))).agent).toMatchObject({ state: "thinking" });
  });

  it("of the agent that was just killed do not count for the next one", async () => {
    startAgent(20, "waiting");
    const words = [word("blocked")];
    await see(running(20, { program: words }));
    processes.delete(20);
    await see({ ...AT_SHELL, program: words });
    startAgent(21, "waiting");
    expect((await see(running(21, { program: words }))).agent).toMatchObject({ state: "waiting", pid: 21 });
    expect(last().program).toBeNull();
  });

  it("of another program are the terminal's own status", async () => {
    run(20, "deploy");
    expect((await see(running(20, { program: [word("working", "deploy")] }))).program).toMatchObject({
      app: "deploy",
    });
    startAgent(21);
    const both = [word("idle"), word("error", "deploy", { id: "x" })];
    expect(await see(running(21, { program: both }))).toMatchObject({
      agent: { state: "waiting" },
      program: { app: "deploy", state: "error" },
    });
  });

  it("of an agent that runs where we see no process are a status too, but not what a dead one left at the prompt", async () => {
    run(20, "ssh");
    const remote = [word("blocked")];
    expect(await see(running(20, { program: remote }))).toMatchObject({
      agent: null,
      program: { state: "blocked" },
    });
    expect((await see({ ...AT_SHELL, program: [word("done")] })).program).toBeNull();
  });
});

describe("two terminals", () => {
  it("never show one session: exact evidence decides", async () => {
    startAgent(20);
    startAgent(21);
    await see(running(20));
    await see({ ...running(21), id: "two" });
    expect(last("one").agent?.sessionId).toBe("s20");
    expect(last("two").agent?.sessionId).toBe("s21");
  });
});

describe("the explanation", () => {
  it("names the chain, what matched, and what is missing", async () => {
    run(20, "sh");
    run(21, "acme", 20);
    await see(running(20));
    expect(await detector.explain("one")).toMatchObject({
      kind: "acme",
      recognition: {
        foregroundPid: 20,
        chain: [
          { pid: 20, name: "sh", startTime: "t20" },
          { pid: 21, name: "acme", startTime: "t21" },
        ],
        matchedBy: "process 21 is called acme",
      },
      missing: ["no session of acme"],
    });
  });

  it("of a program that reports in band says what it reports", async () => {
    run(20, "deploy");
    await see(running(20, { program: [{ ...word("blocked"), app: "deploy" }] }));
    expect(await detector.explain("one")).toMatchObject({
      kind: null,
      signals: [{ source: "in-band", state: "awaiting", verdict: "won" }],
    });
  });

  it("of a terminal that nobody told of says so", async () => {
    expect((await detector.explain("nowhere")).missing[0]).toContain("nowhere");
  });
});

describe("an agent that may move to another session", () => {
  /** Sessions by key, with the pid that each is known to be of; watched at a path of its own. */
  let offered: Candidate[];
  let searches: (readonly ProgramRecord[])[];
  const moving: AgentPlugin = {
    ...plugin,
    moveSigns: ["in-band"],
    find: async ({ inBand = [] }) => {
      searches.push(inBand);
      return { candidates: offered, missing: [], watchPaths: [] };
    },
    open: ({ key, locator }) => ({
      report: (live) => ({
        ...unboundReport({ vocab: plugin.vocab, process: null, invocation: null, matchedBy: "" }, live, []),
        state: "waiting",
        sessionId: key,
        title: locator,
      }),
      refresh: async () => {},
      close: () => {},
    }),
  };
  const session = (key: string, evidence: Candidate["evidence"] = "exact"): Candidate => {
    return { key, evidence, updatedAtMs: 0, process: null, locator: key };
  };
  const report = (updatedAtMs: number): ProgramRecord => {
    const base = { id: "", app: "acme", kind: null, progress: null, message: null, title: null };
    return { ...base, state: "idle", updatedAtMs };
  };
  const last = (id = "one") => published.get(id)?.at(-1)?.agent?.sessionId;
  const runningAt = (id: string, foregroundPid: number): TerminalSignals => {
    return { ...AT_SHELL, id, foregroundPid, atPrompt: false };
  };

  beforeEach(async () => {
    await detector.dispose();
    offered = [session("k1")];
    searches = [];
    detector = createDetector({
      plugins: [moving],
      processes: facts,
      now: () => nowMs,
      host: {
        readScreen: async () => "",
        publish: (id, outcome) => published.set(id, [...(published.get(id) ?? []), outcome]),
        log: () => {},
      },
    });
    run(20, "acme");
  });

  it("is looked for again when it reports in band, and followed to what is offered then", async () => {
    detector.observe(runningAt("one", 20));
    await detector.settled();
    expect(last()).toBe("k1");
    offered = [session("k2")];
    detector.observe({ ...runningAt("one", 20), program: [report(nowMs)] });
    await detector.settled();
    expect(last()).toBe("k2");
    expect(searches.at(-1)).toEqual([report(nowMs)]);
  });

  it("stays where it is while nothing is offered", async () => {
    detector.observe(runningAt("one", 20));
    await detector.settled();
    offered = [];
    detector.observe({ ...runningAt("one", 20), program: [report(nowMs)] });
    await detector.settled();
    expect(last()).toBe("k1");
  });

  it("shows a session no longer once another terminal has it for sure", async () => {
    offered = [session("k1", "created-after-start")];
    detector.observe(runningAt("one", 20));
    await detector.settled();
    run(30, "acme");
    offered = [session("k1")];
    detector.observe(runningAt("two", 30));
    await detector.settled();
    expect([last("one"), last("two")]).toEqual([null, "k1"]);
  });
});
