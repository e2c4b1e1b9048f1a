// One real agent drives another: a Claude Code whose only tools of ours are those of `kolu mcp` opens a worker, prompts it,
// waits, reads its screen, answers its question and closes it. The model that decides all that is scripted; the tools, the
// agents, the terminals and the way between them are real.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Reply, replyTo } from "../stand-in-model/script.ts";
import type { ModelScript } from "../stand-in-model/server.ts";
import { openClaude } from "./claude.agents.ts";
import type { Outcome } from "./situations.ts";

/** The prompt that makes the driver drive; the worker's never holds it. */
const MISSION = "DRIVE the worker through its task";
const LAST_WORDS = "The worker has done its task and is gone.";
const MISSION_TIMEOUT_MS = 180_000;

interface Move {
  title: string;
  tool: string;
  input(known: { id: string; cursor: string }): Record<string, unknown>;
  /** What the driver must read in the answer. */
  expected: RegExp;
}

/** The driver's part, move by move. */
function missionIn(projectDir: string): Move[] {
  return [
    {
      title: "opens a worker with an agent in it",
      tool: "lifecycle_create",
      input: () => ({
        placement: { kind: "toplevel" },
        intent: "worker",
        cwd: projectDir,
        run: "claude --permission-mode default",
      }),
      expected: /"ran":\s*"claude/,
    },
    {
      title: "waits until it is ready",
      tool: "wait_agentState",
      input: ({ id }) => ({
        id,
        until: ["awaiting", "waiting"],
        settledMs: 1_000,
        screenTail: 20,
        timeoutMs: 45_000,
      }),
      expected: /"bucket":\s*"waiting"/,
    },
    {
      title: "prompts it",
      tool: "lifecycle_prompt",
      input: ({ id }) => ({ id, text: "ASK which colour it shall be" }),
      expected: /accepted/,
    },
    {
      title: "waits for its question, and reads it in the same call",
      tool: "wait_agentState",
      input: ({ id }) => ({ id, until: ["awaiting"], screenTail: 40, timeoutMs: 45_000 }),
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
        timeoutMs: 45_000,
        after: cursor,
      }),
      expected: /"result":\s*"met".*demo work is finished/s,
    },
    {
      title: "closes it",
      tool: "lifecycle_kill",
      input: ({ id }) => ({ id }),
      expected: /"pid":\s*\d+/,
    },
  ];
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

/** @param report called after each move */
export async function runDriving(version: string, report: (outcome: Outcome) => void): Promise<void> {
  let mission: Move[] = [];
  const answers: string[] = [];
  const script: ModelScript = (prompt, repliesSince, offered, results): Reply => {
    if (!prompt.includes(MISSION) || offered.length === 0) return replyTo(prompt, repliesSince, offered);
    answers.splice(0, answers.length, ...results);
    const move = mission[repliesSince];
    const manner = { thinkMs: 0, streamMs: 100 };
    if (!move) return { kind: "text", text: LAST_WORDS, ...manner };
    const use = { name: `mcp__kolu__${move.tool}`, input: move.input(knownFrom(results)) };
    return { kind: "tools", uses: [use], text: null, ...manner };
  };
  await using stage = await openClaude(version, script);
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
