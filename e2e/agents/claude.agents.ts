// The real Claude Code in a real kolu: every state that it can be in, brought about and looked for.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ModelScript } from "../stand-in-model/server.ts";
import {
  type Act,
  goesOn,
  type Holds,
  lasts,
  noAgent,
  on,
  presses,
  sleepsAndWakes,
  state,
  types,
} from "./acts.ts";
import { installAgent } from "./install-agent.ts";
import { type Expectation, type Outcome, play, type Situation } from "./situations.ts";
import { openStage, type Stage, type Terminal } from "./stage.ts";
import { watchClaude } from "./witness.ts";

/** The release that is installed; an older one can be named to `npm run test:agents` (2.1.197 reports nothing in band). */
export const CLAUDE_VERSION = "2.1.332";
const START = "claude --permission-mode default";
/** A first start, its dialogs included, on a busy machine. */
const FIRST_START_MS = 30_000;
const KEY = "stand-in-key-that-is-no-secret";

/** @param report called after each situation */
export async function runClaude(version: string, report: (outcome: Outcome) => void): Promise<void> {
  await using stage = await openClaudeStage(version);
  const { bin } = stage;
  const witness = watchClaude(stage.kolu.home);
  try {
    const first = await stage.openShell();
    const second = await stage.openShell();
    const all = [
      ...turns(first, stage),
      ...gates(first, stage),
      ...background(first),
      ...interruptions(first),
      ...commands(first),
      ...processes(first, second, stage),
      ...wrappers(first),
      ...plans(first),
      ...rooted(stage, bin),
    ];
    for (const situation of all) report(await play(stage, witness, situation));
  } finally {
    witness.stop();
  }
}

/** Another agent that shares the stage with Claude Code. */
export interface Neighbour {
  /** The directory that holds its program. */
  bin: string;
  environment(home: string): Record<string, string>;
}

async function openClaudeStage(
  version: string,
  script?: ModelScript,
  neighbour?: Neighbour,
): Promise<Stage & { bin: string }> {
  const bin = await installAgent("@anthropic-ai/claude-code", version);
  const stage = await openStage(
    (model, home) => ({
      PATH: [bin, ...(neighbour ? [neighbour.bin] : []), "/usr/local/bin:/usr/bin:/bin"].join(":"),
      ...neighbour?.environment(home),
      ...environmentFor(model.url, home),
    }),
    script,
  );
  // No more than this: the dialogs of a first start are part of what is looked at.
  await writeFile(join(stage.kolu.home, ".claude.json"), '{"hasCompletedOnboarding":true,"theme":"dark"}');
  return { ...stage, bin };
}

/**
 * For others that need a Claude Code and not its situations: `start` resolves with one that stands at its composer.
 * @param script what its model answers; absent: the directives in the prompt
 */
export async function openClaude(
  version: string,
  script?: ModelScript,
  neighbour?: Neighbour,
): Promise<Stage & { start(flags?: string, wrap?: (command: string) => string): Promise<Terminal> }> {
  const stage = await openClaudeStage(version, script, neighbour);
  return {
    ...stage,
    async start(flags = "", wrap = (command) => command) {
      const terminal = await stage.openShell();
      await terminal.enter(wrap(`${START} ${flags}`));
      await stage.until(terminal.id, (record) => record?.agent != null, FIRST_START_MS);
      await stage.until(terminal.id, (record) => record?.agent?.state !== "unknown", FIRST_START_MS);
      await passFirstDialogs(terminal, stage);
      await stage.until(terminal.id, (record) => record?.agent?.state === "waiting", FIRST_START_MS);
      return terminal;
    },
  };
}

function environmentFor(modelUrl: string, home: string): Record<string, string> {
  return {
    // What it leaves in the temporary directory goes with the home.
    TMPDIR: home,
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_TELEMETRY: "1",
  };
}

// ---- what may be expected, with the agent's own word for it

const thinking = state("thinking", "busy", "");
const toolUse = state("tool_use", "tool_use", "");
const waiting = state("waiting", "idle", "");
/** The file passes through `idle` before the turn that follows a task: nothing to measure against. */
const waitingAfterTask: Expectation = { ...waiting, word: null };
const ready = state("waiting", "idle", "no prompt yet", (agent) => !agent.prompted);
const asksFor = (kind: string) =>
  state("awaiting", "waiting", kind, (agent) => agent.awaiting?.kind === kind);
const worksBehind = (words: string, more: Holds) => state("background", null, words, more);
const shells = (count: number, word: string | null) =>
  state("waiting", word, `${count} shells`, (agent) => agent.background.shells === count);

// ---- the situations

function turns(terminal: Terminal, stage: Stage): Situation[] {
  const measured = state(
    "waiting",
    "idle",
    "model and tokens",
    (agent) => agent.model !== null && agent.contextTokens !== null,
  );
  return on(terminal, [
    ["first start: a dialog before any session", types(START), state("awaiting", null, "")],
    ["its dialogs are passed", (one) => passFirstDialogs(one, stage), ready],
    ["a prompt", types("hello SLOW(5)"), thinking],
    ["its answer", goesOn, measured],
    ["extended thinking", types("THINK(5)"), thinking],
    ["… ended", goesOn, waiting],
    ["a tool", types("TOOL(sleep 5)"), toolUse],
    ["… ended", goesOn, waiting],
    ["two tools at once", types("PAR"), toolUse],
    ["… one of them is done", lasts(3_000), { ...toolUse, word: null }],
    ["… both are done", goesOn, waiting],
  ]);
}

/** Answers whatever a first start asks, until the session is there. */
async function passFirstDialogs(terminal: Terminal, stage: Stage): Promise<void> {
  for (let dialogs = 0; dialogs < 3 && terminal.agent()?.state === "awaiting"; dialogs += 1) {
    // Releases order the two options differently, and start on either.
    const lines = (await terminal.screen()).split("\n");
    const stepsDown =
      lines.findLastIndex((line) => /\bYes\b/.test(line)) - lines.findLastIndex((line) => line.includes("❯"));
    if (stepsDown !== 0) await terminal.press(stepsDown > 0 ? "down" : "up");
    await terminal.press("enter");
    // The next dialog or the session, whichever comes.
    await stage.until(terminal.id, (record) => record?.agent?.sessionId !== null, 3_000).catch(() => {});
  }
}

function gates(terminal: Terminal, stage: Stage): Situation[] {
  return on(terminal, [
    ["a question", types("ASK"), asksFor("question")],
    ["… answered", presses("enter"), waiting],
    ["two questions", types("ASK2"), asksFor("question")],
    ["… Esc", presses("escape"), waiting],
    ["a command's permission", types("PERM(touch outside.txt)"), asksFor("permission")],
    ["… granted", presses("enter"), waiting],
    ["a write's permission", types(`EDIT(${join(stage.projectDir, "out.txt")})`), asksFor("permission")],
    ["… Esc", presses("escape"), waiting],
  ]);
}

function background(terminal: Terminal): Situation[] {
  const named: Holds = ({ background: { agents } }) => agents[0]?.name === "Look around";
  const swept: Holds = ({ background: { workflows } }) =>
    workflows[0]?.name === "demo-sweep" && workflows[0].agents === 2;
  return on(terminal, [
    ["a shell in the background", types("BG(sleep 6)"), shells(1, "shell")],
    ["… the shell ends, a turn follows", goesOn, shells(0, null)],
    ["a sub-agent in the background", types("BGAGENT(CHILD)"), worksBehind("Look around", named)],
    ["… it ends, a turn follows", goesOn, waitingAfterTask],
    ["a workflow's gate", types("WORKFLOW"), asksFor("permission")],
    ["… it runs behind the ended turn", presses("enter"), worksBehind("2 agents", swept)],
    ["… it ends, a turn follows", goesOn, waitingAfterTask, 60_000],
  ]);
}

function interruptions(terminal: Terminal): Situation[] {
  const failed = state("waiting", "idle", "an error", (agent) => agent.error !== null);
  const afterClearing: Act = async (one) => {
    await one.press("C-u");
    await one.enter("ERR(400)");
  };
  return on(terminal, [
    ["a long answer", types("hello SLOW(8)"), thinking],
    ["… Esc while it streams", presses("escape"), waiting],
    ["the API fails and is asked again", types("ERR(500)"), thinking],
    ["… Esc before any output", presses("escape"), waiting],
    ["the API refuses", afterClearing, failed],
  ]);
}

function commands(terminal: Terminal): Situation[] {
  let before: string | null = null;
  const clears: Act = async (one) => {
    before = one.agent()?.sessionId ?? null;
    await one.enter("/clear");
  };
  const cleared: Holds = (agent) => agent.sessionId !== before && !agent.prompted;
  return on(terminal, [
    ["a panel of the user's", types("/cost"), asksFor("dialog")],
    ["… closed", presses("escape"), waiting],
    [
      "/rename",
      types("/rename my-task"),
      state("waiting", null, "titled", (agent) => agent.title === "my-task"),
    ],
    ["/clear", clears, state("waiting", null, "another session", cleared)],
    [
      "a prompt to the new session",
      types("hello"),
      state("waiting", "idle", "prompted", (agent) => agent.prompted),
    ],
  ]);
}

function processes(first: Terminal, second: Terminal, stage: Stage): Situation[] {
  let sessionId: string | null = null;
  const remembers =
    (act: Act): Act =>
    async (terminal) => {
      sessionId = terminal.agent()?.sessionId ?? null;
      await act(terminal);
    };
  const same = state("waiting", null, "the same session", (agent) => agent.sessionId === sessionId);
  const suspended: Expectation = {
    ...same,
    holds: (record) => record?.command?.running === false && same.holds(record),
  };
  const alone: Expectation = {
    ...thinking,
    words: "thinking, the other waits",
    holds: (record) => thinking.holds(record) && waiting.holds(stage.records().get(first.id)),
  };
  return [
    ...on(first, [
      ["Ctrl-Z", remembers(presses("C-z")), suspended],
      ["… fg", types("fg"), same],
    ]),
    ...on(second, [
      ["a second one in the same directory", types(START), ready],
      ["… works while the first waits", types("hello SLOW(5)"), alone],
      ["… ended", goesOn, waiting],
    ]),
    ...on(first, [
      ["/exit", remembers(types("/exit")), noAgent],
      ["--resume", (one) => one.enter(`${START} --resume ${sessionId}`), { ...same, word: "idle" }],
    ]),
    ...sleepsAndWakes(first, same),
    ...on(first, [
      ["a tool before its end", types("TOOL(sleep 20)"), toolUse],
      ["… kill -9", async (one) => void process.kill(one.agent()!.pid!, "SIGKILL"), noAgent, 2_000],
    ]),
  ];
}

function wrappers(terminal: Terminal): Situation[] {
  const leaves: [string, Act, Expectation] = ["… left", types("/exit"), noAgent];
  return on(terminal, [
    ["behind env and nice", types(`env X=1 nice -n 5 ${START}`), ready],
    leaves,
    ["behind script", types(`script -q -c '${START}' /dev/null`), ready],
    ["… thinks", types("hello SLOW(5)"), thinking],
    ["… ended", goesOn, waiting],
    leaves,
    ["behind a script of the user's", types(`sh -c 'sleep 2; ${START}; true'`), ready],
    leaves,
  ]);
}

function plans(terminal: Terminal): Situation[] {
  return on(terminal, [
    ["in plan mode", types("claude --permission-mode plan"), ready],
    ["a plan's approval", types("PLAN"), asksFor("plan")],
    ["… Esc", presses("escape"), waiting],
    ["… left", types("/exit"), noAgent],
  ]);
}

/** No shell, no marks: the command that the terminal was created with is all there is. */
function rooted(stage: Stage, bin: string): Situation[] {
  const settings = Object.entries(environmentFor(stage.model.url, stage.kolu.home)).map(
    ([name, value]) => `${name}=${value}`,
  );
  let opened: Promise<Terminal> | null = null;
  const terminal = (): Promise<Terminal> => {
    opened ??= stage.openCommand(["env", ...settings, join(bin, "claude"), "--permission-mode", "default"]);
    return opened;
  };
  return [
    { title: "as a terminal's root process", act: goesOn, expected: ready, terminal },
    { title: "… thinks", act: types("hello SLOW(5)"), expected: thinking, terminal },
  ];
}
