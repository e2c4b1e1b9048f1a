// One real agent drives another: a Claude Code whose only tools of ours are those of `kolu mcp` opens an OpenCode in a fresh
// worktree, prompts it in both ways, waits, reads its screen, answers its question, reads its conversation and closes it. The
// model that decides all that is scripted; the tools, the agents, the terminals and the way between them are real.
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Reply, replyTo } from "../stand-in-model/script.ts";
import type { ModelScript } from "../stand-in-model/server.ts";
import { openClaude } from "./claude.agents.ts";
import { environmentFor, installOpencode, OPENCODE_VERSION, writeConfig } from "./opencode.agents.ts";
import type { Outcome } from "./situations.ts";

/** The prompt that makes the driver drive; the worker's never holds it. */
const MISSION = "DRIVE the worker through its task";
const LAST_WORDS = "The worker has done its task and is gone.";
const MISSION_TIMEOUT_MS = 420_000;
/** The worker's first start makes and migrates a database. */
const READY_TIMEOUT_MS = 120_000;
const TURN_TIMEOUT_MS = 90_000;

interface Move {
  title: string;
  tool: string;
  input(known: { id: string; cursor: string }): Record<string, unknown>;
  /** What the driver must read in the answer. */
  expected: RegExp;
  /** It may look so often before it reads that; once where nothing is said. */
  looks?: number;
}

/** The driver's part, move by move. */
function missionIn(projectDir: string): Move[] {
  return [...opens(projectDir), ...promptsInThreeSteps(), ...promptsAtOnce(), ...readsAndCloses(projectDir)];
}

function opens(projectDir: string): Move[] {
  return [
    {
      title: "opens a worker in a worktree of its own",
      tool: "lifecycle_create",
      input: () => ({
        placement: { kind: "toplevel" },
        intent: "worker",
        repo: projectDir,
        worktree: "worker",
        run: "opencode",
      }),
      expected: /^(?=.*"ran":\s*"opencode)(?=.*\.worktrees\/worker")/s,
    },
    {
      title: "waits until it is ready",
      tool: "wait_agentState",
      input: ({ id }) => ({
        id,
        until: ["awaiting", "waiting"],
        settledMs: 1_000,
        screenTail: 20,
        timeoutMs: READY_TIMEOUT_MS,
      }),
      expected: /"bucket":\s*"waiting"/,
    },
  ];
}

function promptsInThreeSteps(): Move[] {
  return [
    {
      title: "types a first prompt",
      tool: "lifecycle_sendInput",
      input: ({ id }) => ({ id, text: "hello from the driver" }),
      expected: /"textBytes":\s*21/,
    },
    {
      title: "lets it settle, and sees it stand there",
      tool: "wait_outputSettled",
      input: ({ id, cursor }) => ({
        id,
        idleMs: 800,
        screenTail: 40,
        timeoutMs: TURN_TIMEOUT_MS,
        after: cursor,
      }),
      expected: /"result":\s*"met".*hello from the driver/s,
      // Quiet it is also before the program has drawn a stroke: whoever submits looks first whether it stands there.
      looks: 10,
    },
    {
      title: "submits it",
      tool: "lifecycle_sendInput",
      input: ({ id }) => ({ id, key: "Enter" }),
      expected: /"key":\s*"Enter"/i,
    },
    {
      title: "waits until that turn is over",
      tool: "wait_agentState",
      input: ({ id, cursor }) => ({
        id,
        until: ["waiting"],
        settledMs: 1_500,
        screenTail: 40,
        timeoutMs: TURN_TIMEOUT_MS,
        after: cursor,
      }),
      expected: /"result":\s*"met".*Hello from the stand-in model/s,
    },
  ];
}

function promptsAtOnce(): Move[] {
  return [
    {
      title: "prompts it in one call",
      tool: "lifecycle_prompt",
      input: ({ id }) => ({ id, text: "ASK which colour it shall be" }),
      expected: /accepted/,
    },
    {
      title: "waits for its question, and reads it in the same call",
      tool: "wait_agentState",
      input: ({ id }) => ({ id, until: ["awaiting"], screenTail: 40, timeoutMs: TURN_TIMEOUT_MS }),
      expected: /Which colour should the button be/,
    },
    {
      title: "reads the screen",
      tool: "screen_text",
      input: ({ id }) => ({ id, tail: 40 }),
      expected: /Red.*Blue/s,
    },
    {
      title: "sees it",
      tool: "screen_image",
      input: ({ id }) => ({ id, lines: 40 }),
      expected: /image/,
    },
    {
      title: "answers the question",
      tool: "lifecycle_sendInput",
      input: ({ id }) => ({ id, key: "Enter" }),
      expected: /"key":\s*"Enter"/i,
    },
    {
      title: "waits until the turn is really over",
      tool: "wait_agentState",
      input: ({ id, cursor }) => ({
        id,
        until: ["waiting"],
        settledMs: 1_500,
        screenTail: 40,
        timeoutMs: TURN_TIMEOUT_MS,
        after: cursor,
      }),
      expected: /"result":\s*"met".*demo work is finished/s,
    },
  ];
}

function readsAndCloses(projectDir: string): Move[] {
  return [
    {
      title: "reads the conversation",
      tool: "transcript_read",
      input: ({ id }) => ({ id, last: 10 }),
      expected:
        /"agent":\s*"opencode".*hello from the driver.*Hello from the stand-in.*ASK which colour.*demo work is finished/s,
    },
    {
      title: "finds what was said in it",
      tool: "search_text",
      input: ({ id }) => ({ query: "demo work is finished", ids: [id] }),
      expected: /"where":\s*"transcript"/,
    },
    {
      title: "looks at its work",
      tool: "git_getStatus",
      input: () => ({ repoPath: join(projectDir, ".worktrees", "worker"), mode: "local" }),
      expected: /"name":\s*"worker"/,
    },
    {
      title: "closes it",
      tool: "lifecycle_kill",
      input: ({ id }) => ({ id }),
      expected: /"pid":\s*\d+/,
    },
  ];
}

/** The answer to each move so far, the last one where it looked more than once. Pure. */
function answersTo(mission: readonly Move[], results: readonly string[]): string[] {
  const answers: string[] = [];
  let looked = 0;
  for (const result of results) {
    const move = mission[answers.length - (looked > 0 ? 1 : 0)];
    if (!move) break;
    if (looked > 0) answers.pop();
    answers.push(result);
    looked = move.expected.test(result) || looked + 1 >= (move.looks ?? 1) ? 0 : looked + 1;
  }
  return looked > 0 ? answers.slice(0, -1) : answers;
}

/** What the driver knows from the answers so far. */
function knownFrom(results: readonly string[]): { id: string; cursor: string } {
  const newest = (pattern: RegExp): string =>
    results.flatMap((text) => pattern.exec(text)?.[1] ?? []).at(-1) ?? "";
  return {
    id: newest(/"id":\s*"([0-9a-f-]{36})"/),
    cursor: newest(/"cursor":\s*"([^"]+)"/),
  };
}

/** A worktree is cut from a commit. */
async function commitSomething(projectDir: string): Promise<void> {
  const git = (...args: string[]) =>
    promisify(execFile)("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: projectDir });
  await git("init", "-q", "-b", "main");
  await git("commit", "-q", "--allow-empty", "-m", "first");
}

/** @param report called after each move */
export async function runDriving(version: string, report: (outcome: Outcome) => void): Promise<void> {
  let mission: Move[] = [];
  const answers: string[] = [];
  const script: ModelScript = (prompt, repliesSince, offered, results): Reply => {
    if (!prompt.includes(MISSION) || offered.length === 0) return replyTo(prompt, repliesSince, offered);
    answers.splice(0, answers.length, ...answersTo(mission, results));
    const move = mission[answers.length];
    const manner = { thinkMs: 0, streamMs: 100 };
    if (!move) return { kind: "text", text: LAST_WORDS, ...manner };
    const use = { name: `mcp__kolu__${move.tool}`, input: move.input(knownFrom(results)) };
    return { kind: "tools", uses: [use], text: null, ...manner };
  };
  const bin = await installOpencode(OPENCODE_VERSION);
  await using stage = await openClaude(version, script, { bin, environment: environmentFor });
  await writeConfig(stage);
  await commitSomething(stage.projectDir);
  mission = missionIn(stage.projectDir);
  const { home } = stage.kolu;
  // Inside a kolu terminal nothing more is needed: `kolu` is on PATH and knows its daemon.
  const config = join(home, "mcp.json");
  await writeFile(config, JSON.stringify({ mcpServers: { kolu: { command: "kolu", args: ["mcp"] } } }));

  const driver = await stage.start(`--strict-mcp-config --mcp-config ${config} --allowedTools mcp__kolu`);
  await driver.enter(MISSION);
  const isOver = await stage
    .until(
      driver.id,
      (record) => answers.length >= mission.length && record?.agent?.bucket === "waiting",
      MISSION_TIMEOUT_MS,
    )
    .then(
      () => true,
      () => false,
    );
  const screen = isOver ? "" : `\n${await driver.screen()}`;
  mission.forEach((move, index) => {
    const answer = answers[index];
    const ok = answer !== undefined && move.expected.test(answer);
    const seen = answer === undefined ? `not reached${screen}` : ok ? "as expected" : answer;
    report({ title: move.title, expected: move.tool, seen, ok, delayMs: null, listedMs: null });
  });
  const others = [...stage.records().keys()].filter((id) => id !== driver.id);
  report({
    title: "leaves nothing behind",
    expected: "one terminal",
    seen: `${others.length} besides the driver`,
    ok: isOver && others.length === 0,
    delayMs: null,
    listedMs: null,
  });
}
