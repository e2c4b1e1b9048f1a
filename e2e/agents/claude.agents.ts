// The real Claude Code in a real kolu: every state that it can be in, brought about and looked for.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentReading } from "@kolu/contract/agent.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { installAgent } from "./install-agent.ts";
import { type Outcome, play, type Situation } from "./situations.ts";
import { openStage, type Stage, type Terminal } from "./stage.ts";
import { watchClaude } from "./witness.ts";

const PACKAGE = "@anthropic-ai/claude-code";
export const CLAUDE_VERSION = "2.1.332";
const START = "claude --permission-mode default";

/** @param report called after each situation */
export async function runClaude(report: (outcome: Outcome) => void): Promise<void> {
  const bin = await installAgent(PACKAGE, CLAUDE_VERSION);
  await using stage = await openStage((model) => ({
    PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: "stand-in-key-that-is-no-secret",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_TELEMETRY: "1",
  }));
  // Only this: trust and key dialogs are part of what is looked at.
  await writeFile(join(stage.kolu.home, ".claude.json"), '{"hasCompletedOnboarding":true,"theme":"dark"}');
  await mkdir(join(stage.kolu.home, ".claude"), { recursive: true });
  const witness = watchClaude(stage.kolu.home);
  try {
    for (const situation of await situations(stage, bin)) report(await play(stage, witness, situation));
  } finally {
    witness.stop();
  }
}

async function situations(stage: Stage, bin: string): Promise<Situation[]> {
  const first = await stage.openShell();
  const second = await stage.openShell();
  let rooted: Terminal | null = null;
  let sessionId: string | null = null;
  const notNow = () => first;

  const is = (state: AgentReading["state"], more: (agent: AgentReading) => boolean = () => true) => {
    return ({ agent = null }: Partial<TerminalRecord> = {}) =>
      agent !== null && agent.state === state && more(agent);
  };
  const awaiting = (kind: string) => is("awaiting", (agent) => agent.awaiting?.kind === kind);
  const waiting = is("waiting");
  const gone = (record: TerminalRecord | undefined) => record !== undefined && record.agent === null;

  const step = (
    title: string,
    expected: string,
    act: (terminal: Terminal) => Promise<void>,
    holds: Situation["holds"],
    word: string | null,
    more: Partial<Situation> = {},
  ): Situation => ({ title, expected, act, holds, word, terminal: notNow, ...more });
  const asks = (text: string) => (terminal: Terminal) => terminal.enter(text);
  const presses =
    (...keys: string[]) =>
    async (terminal: Terminal) => {
      for (const key of keys) await terminal.press(key);
    };
  const nothing = async () => {};
  const ends = (title: string, more: Partial<Situation> = {}) =>
    step(title, "waiting", nothing, waiting, "idle", more);
  const onSecond = { terminal: () => second };

  /** Answers whatever the first start asks, until the session is there. */
  const passFirstDialogs = async (terminal: Terminal) => {
    for (let dialogs = 0; dialogs < 3 && terminal.agent()?.state === "awaiting"; dialogs += 1) {
      const screen = await terminal.screen();
      await terminal.press(screen.includes("API key") ? "up" : "down");
      await terminal.press("enter");
      await stage.until(terminal.id, (record) => record?.agent?.sessionId !== null, 3_000).catch(() => {});
    }
  };

  return [
    step(
      "first start: a dialog before any session",
      "awaiting dialog",
      asks(START),
      awaiting("dialog"),
      null,
    ),
    step(
      "dialogs passed, no prompt yet",
      "waiting, ready",
      passFirstDialogs,
      is("waiting", (agent) => !agent.prompted),
      "idle",
    ),
    step("a prompt", "thinking", asks("hello SLOW(2)"), is("thinking"), "busy"),
    step(
      "its answer",
      "waiting, with model and tokens",
      nothing,
      is("waiting", (agent) => agent.model !== null && (agent.contextTokens ?? 0) > 0),
      "idle",
    ),
    step("extended thinking", "thinking", asks("THINK(3)"), is("thinking"), "busy"),
    ends("… ended"),
    step("a tool", "tool_use", asks("TOOL(sleep 3)"), is("tool_use"), "tool_use"),
    ends("… ended"),
    step("two tools at once", "tool_use", asks("PAR"), is("tool_use"), "tool_use"),
    step("… one of them is done", "tool_use still", () => sleepMs(3_000), is("tool_use"), null),
    ends("… both are done"),
    step("a question", "awaiting question", asks("ASK"), awaiting("question"), "waiting"),
    step("… answered", "waiting", presses("enter"), waiting, "idle"),
    step("two questions", "awaiting question", asks("ASK2"), awaiting("question"), "waiting"),
    step("… Esc", "waiting", presses("escape"), waiting, "idle"),
    step(
      "a command's permission",
      "awaiting permission",
      asks("PERM(touch outside.txt)"),
      awaiting("permission"),
      "waiting",
    ),
    step("… granted", "waiting", presses("enter"), waiting, "idle"),
    step(
      "a write's permission",
      "awaiting permission",
      asks(`EDIT(${join(stage.projectDir, "out.txt")})`),
      awaiting("permission"),
      "waiting",
    ),
    step("… Esc", "waiting", presses("escape"), waiting, "idle"),
    step(
      "a shell in the background",
      "waiting, 1 shell",
      asks("BG(sleep 4)"),
      is("waiting", (agent) => agent.background.shells === 1),
      "shell",
    ),
    step(
      "… the shell ends, a turn follows",
      "waiting, none",
      nothing,
      is("waiting", (agent) => agent.background.shells === 0),
      "idle",
    ),
    step(
      "a sub-agent in the background",
      "background, by name",
      asks("BGAGENT(CHILD)"),
      is("background", (agent) => agent.background.agents[0]?.name === "Look around"),
      null,
    ),
    ends("… it ends, a turn follows"),
    step("a workflow's gate", "awaiting permission", asks("WORKFLOW"), awaiting("permission"), "waiting"),
    step(
      "… it runs behind the ended turn",
      "background, 2 agents",
      presses("enter"),
      is("background", (agent) => agent.background.workflows[0]?.agents === 2),
      null,
    ),
    ends("… it ends, a turn follows", { timeoutMs: 60_000 }),
    step("Esc while it streams", "thinking", asks("hello SLOW(8)"), is("thinking"), "busy"),
    step("… Esc", "waiting", presses("escape"), waiting, "idle"),
    step("the API fails and is asked again", "thinking", asks("ERR(500)"), is("thinking"), "busy"),
    step("… Esc before any output", "waiting", presses("escape"), waiting, "idle"),
    step(
      "the API refuses",
      "waiting, error",
      async (terminal) => {
        await terminal.press("ctrl+u");
        await terminal.enter("ERR(400)");
      },
      is("waiting", (agent) => agent.error !== null),
      "idle",
    ),
    step("a panel of the user's", "awaiting dialog", asks("/cost"), awaiting("dialog"), "waiting"),
    step("… closed", "waiting", presses("escape"), waiting, "idle"),
    step(
      "/rename",
      "title",
      asks("/rename my-task"),
      is("waiting", (agent) => agent.title === "my-task"),
      null,
    ),
    step(
      "/clear",
      "waiting, ready, another session",
      async (terminal) => {
        sessionId = terminal.agent()?.sessionId ?? null;
        await terminal.enter("/clear");
      },
      is("waiting", (agent) => agent.sessionId !== sessionId && !agent.prompted),
      null,
    ),
    step(
      "a prompt to the new session",
      "waiting, prompted",
      asks("hello"),
      is("waiting", (agent) => agent.prompted),
      "idle",
    ),
    step(
      "Ctrl-Z",
      "waiting, kept",
      presses("ctrl+z"),
      (record) => record?.command?.running === false && waiting(record),
      null,
    ),
    step(
      "… fg",
      "waiting, the same session",
      async (terminal) => {
        sessionId = terminal.agent()?.sessionId ?? null;
        await terminal.enter("fg");
      },
      is("waiting", (agent) => agent.sessionId === sessionId),
      null,
    ),
    step(
      "a second one in the same directory",
      "waiting, ready",
      asks(START),
      is("waiting", (agent) => !agent.prompted && agent.sessionId !== null),
      "idle",
      onSecond,
    ),
    step(
      "… works while the first waits",
      "thinking, first waiting",
      asks("hello SLOW(3)"),
      (record) => is("thinking")(record) && waiting(stage.records().get(first.id)),
      "busy",
      onSecond,
    ),
    ends("… ended", onSecond),
    step("/exit", "no agent", asks("/exit"), gone, null),
    step(
      "--resume",
      "waiting, the same session",
      async (terminal) => terminal.enter(`${START} --resume ${sessionId}`),
      is("waiting", (agent) => agent.sessionId === sessionId && agent.prompted),
      "idle",
    ),
    step("kill -9 while a tool runs", "tool_use", asks("TOOL(sleep 30)"), is("tool_use"), "tool_use"),
    step(
      "… killed",
      "no agent",
      async (terminal) => void process.kill(terminal.agent()!.pid!, "SIGKILL"),
      gone,
      null,
      { timeoutMs: 2_000 },
    ),
    step(
      "behind env and nice",
      "waiting, ready",
      asks(`env X=1 nice -n 5 ${START}`),
      is("waiting", (agent) => !agent.prompted),
      "idle",
    ),
    step("… left", "no agent", asks("/exit"), gone, null),
    step(
      "behind script",
      "waiting, ready",
      asks(`script -q -c '${START}' /dev/null`),
      is("waiting", (agent) => !agent.prompted),
      "idle",
    ),
    step("… thinks", "thinking", asks("hello SLOW(2)"), is("thinking"), "busy"),
    ends("… ended"),
    step("… left", "no agent", asks("/exit"), gone, null),
    step(
      "behind a script of the user's",
      "waiting, ready",
      asks(`sh -c 'sleep 2; ${START}; true'`),
      is("waiting", (agent) => !agent.prompted),
      "idle",
    ),
    step("… left", "no agent", asks("/exit"), gone, null),
    step(
      "in plan mode",
      "waiting, ready",
      asks("claude --permission-mode plan"),
      is("waiting", (agent) => !agent.prompted),
      "idle",
    ),
    step("a plan's approval", "awaiting plan", asks("PLAN"), awaiting("plan"), "waiting"),
    step("… Esc", "waiting", presses("escape"), waiting, "idle"),
    step("… left", "no agent", asks("/exit"), gone, null),
    step(
      "as a terminal's root process",
      "waiting, ready",
      async () => {
        const settings = [
          `ANTHROPIC_BASE_URL=${stage.model.url}`,
          "ANTHROPIC_API_KEY=stand-in-key-that-is-no-secret",
        ];
        const quiet = [
          "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
          "DISABLE_AUTOUPDATER=1",
          "DISABLE_TELEMETRY=1",
        ];
        rooted = await stage.openCommand(["env", ...settings, ...quiet, join(bin, "claude")]);
      },
      () => rooted !== null && is("waiting", (agent) => !agent.prompted)(stage.records().get(rooted.id)),
      "idle",
    ),
  ];
}

function sleepMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
