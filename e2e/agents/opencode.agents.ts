// The real OpenCode in a real kolu: every state that it can be in, brought about and looked for.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import type { ModelScript } from "../stand-in-model/server.ts";
import {
  type Act,
  asksFor,
  goesOn,
  lasts,
  noAgent,
  on,
  presses,
  sleepsAndWakes,
  state,
  types,
} from "./acts.ts";
import { installAgent } from "./install-agent.ts";
import { watchOpencode } from "./opencode-witness.ts";
import { type Expectation, type Outcome, play, type Situation } from "./situations.ts";
import { openStage, type Stage, type Terminal } from "./stage.ts";

export const OPENCODE_VERSION = "1.18.33";
const KEY = "stand-in-key-that-is-no-secret";
/** Its first start makes and migrates a database; on a busy machine that takes a while. */
const START_TIMEOUT_MS = 120_000;

/** @returns the directory that holds its program */
export function installOpencode(version: string): Promise<string> {
  return installAgent("opencode-ai", version);
}

/** @param report called after each situation */
export async function runOpencode(version: string, report: (outcome: Outcome) => void): Promise<void> {
  await using stage = await openOpencode(version);
  const { bin } = stage;
  const witness = watchOpencode(stage.kolu.home);
  try {
    const first = await stage.openShell();
    const second = await stage.openShell();
    const all = [
      ...starts(first),
      ...turns(first),
      ...gates(first, stage),
      ...subAgents(first),
      ...interruptions(first),
      ...commands(first),
      ...processes(first, second, stage),
      ...wrappers(first),
      ...rooted(stage, bin),
    ];
    for (const situation of all) report(await play(stage, witness, situation));
  } finally {
    witness.stop();
  }
}

/**
 * Shells that find it.
 * @param script what its model answers; absent: the directives in the prompt
 */
export async function openOpencode(version: string, script?: ModelScript): Promise<Stage & { bin: string }> {
  const bin = await installOpencode(version);
  const stage = await openStage(
    (_model, home) => ({
      PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
      ...environmentFor(home),
    }),
    script,
  );
  await writeConfig(stage);
  return { ...stage, bin };
}

/** What its shell exports, on any stage. */
export function environmentFor(home: string): Record<string, string> {
  return {
    // What it leaves in the temporary directory goes with the home.
    TMPDIR: home,
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    OPENCODE_EXPERIMENTAL_PLAN_MODE: "1",
  };
}

/** Its provider package is built in: nothing is downloaded. Everything is allowed by default, so what asks is named. */
export async function writeConfig({ kolu, model }: Stage): Promise<void> {
  const dir = join(kolu.home, ".config", "opencode");
  await mkdir(dir, { recursive: true });
  const provider = {
    npm: "@ai-sdk/openai-compatible",
    name: "Stand-in",
    options: { baseURL: `${model.url}/v1`, apiKey: KEY },
    models: { "demo-model": { name: "Demo Model", limit: { context: 128_000, output: 8_000 } } },
  };
  const config = {
    autoupdate: false,
    share: "disabled",
    model: "standin/demo-model",
    small_model: "standin/demo-model",
    permission: { bash: { "*": "allow", "touch *": "ask" }, edit: "ask" },
    provider: { standin: provider },
  };
  await writeFile(join(dir, "opencode.json"), JSON.stringify(config));
}

// ---- what may be expected, with the agent's own word for it

const thinking = state("thinking", "thinking");
const toolUse = state("tool_use", "tool_use");
const waiting = state("waiting", "waiting");
/** A refused call is the last word: no request follows its round. */
const waitingAfterRefusal = state("waiting", "between");
const ready = state(
  "waiting",
  null,
  "no session yet",
  (agent) => !agent.prompted && agent.sessionId === null,
);
/** On disk a gate is a running call. */
const gate = asksFor("permission", "tool_use");

// ---- what may be done

/** What a killed program leaves on the screen and in the terminal's modes goes first. */
const afterReset = (act: Act): Act => {
  return async (terminal) => {
    await terminal.enter("reset");
    await terminal.settles();
    await act(terminal);
  };
};
/** A conversation that is gone on with is known by its command, long before its screen takes a prompt. */
const continues = (line: string): Act => {
  return async (terminal) => {
    await terminal.enter(line);
    const giveUpAtMs = Date.now() + START_TIMEOUT_MS;
    while (Date.now() < giveUpAtMs && !(await terminal.screen()).includes("ctrl+p commands"))
      await sleep(250);
  };
};
/** The first Esc only asks whether it is meant. */
const interrupts = presses("escape", "escape");
/** A key may get lost, at the moment of another attempt or on a busy machine: pressed again while it still works. */
const givesUp: Act = async (terminal) => {
  for (let round = 0; round < 3 && terminal.agent()?.state === "thinking"; round += 1) {
    await interrupts(terminal);
    await sleep(1_000);
  }
};

// ---- the situations

function starts(terminal: Terminal): Situation[] {
  return on(terminal, [
    ["a start", types("opencode"), ready, START_TIMEOUT_MS],
    ["a list over the start page", presses("C-p"), asksFor("dialog", null)],
    ["… closed", presses("escape"), ready],
  ]);
}

function turns(terminal: Terminal): Situation[] {
  const measured = state("waiting", "waiting", "model, tokens, title", (agent) => {
    return agent.model === "demo-model" && agent.contextTokens !== null && agent.title !== null;
  });
  const listed = state("waiting", "waiting", "1 of 2 todos", ({ todos }) => {
    return todos?.completed === 1 && todos.total === 2;
  });
  return on(terminal, [
    ["a prompt", types("hello SLOW(5) TITLE(The first one)"), thinking],
    ["its answer", goesOn, measured, 30_000],
    ["reasoning", types("THINK(5)"), thinking],
    ["… ended", goesOn, waiting],
    ["a tool", types("TOOL(sleep 5)"), toolUse],
    ["… ended", goesOn, waiting],
    ["two tools at once", types("PAR"), toolUse],
    ["… one of them is done", lasts(4_000), { ...toolUse, word: null }],
    ["… both are done", goesOn, waiting],
    ["a longer answer", types("hello SLOW(15)"), thinking],
    ["… a prompt while it streams", types("TOOL(sleep 12)"), { ...thinking, word: null }],
    ["… its tool", goesOn, toolUse],
    ["… ended", goesOn, waiting],
    ["a command of the person's", types("!sleep 5"), toolUse],
    ["… ended", goesOn, waiting],
    ["a todo list", types("TODO"), listed],
  ]);
}

function gates(terminal: Terminal, stage: Stage): Situation[] {
  const writes = types(`EDIT(${join(stage.projectDir, "out.txt")})`);
  return on(terminal, [
    ["a question", types("ASK"), asksFor("question", "awaiting")],
    ["… answered", presses("enter"), waiting],
    ["two questions", types("ASK2"), asksFor("question", "awaiting")],
    ["… Esc", presses("escape"), waitingAfterRefusal],
    ["a command's permission", types("TOOL(touch inside.txt)"), gate],
    ["… granted", presses("enter"), waiting],
    ["a command's permission again", types("TOOL(touch inside.txt)"), gate],
    ["… Esc", presses("escape"), waitingAfterRefusal],
    ["a write's permission", writes, gate],
    ["… refused", presses("right", "right", "enter"), waitingAfterRefusal],
    ["a plan's approval", (one) => inPlanMode(one), asksFor("plan", "awaiting")],
    ["… Esc", presses("escape"), waitingAfterRefusal],
    ["the other agent again", presses("tab"), { ...waiting, word: null }],
  ]);
}

async function inPlanMode(terminal: Terminal): Promise<void> {
  await terminal.press("tab");
  await terminal.enter("PLAN");
}

function subAgents(terminal: Terminal): Situation[] {
  return on(terminal, [
    ["a sub-agent", types("AGENT(CHILD)"), toolUse],
    ["… ended", goesOn, waiting],
    ["a sub-agent at a gate", types("AGENT(PERM)"), gate],
    ["… granted", presses("enter"), waiting],
  ]);
}

function interruptions(terminal: Terminal): Situation[] {
  const failed = state("waiting", "waiting", "an error", (agent) => agent.error !== null);
  return on(terminal, [
    ["a long answer", types("hello SLOW(20)"), thinking],
    ["… Esc while it streams", givesUp, waiting],
    ["no answer at all", types("HANG"), thinking],
    ["… Esc before any output", givesUp, waiting],
    ["a long tool", types("TOOL(sleep 30)"), toolUse],
    ["… Esc", interrupts, waiting],
    ["the API fails and is asked again", types("ERR(500)"), thinking],
    ["… Esc between two attempts", givesUp, { ...waiting, word: null }],
    ["the API refuses", types("ERR(400)"), failed],
  ]);
}

function commands(terminal: Terminal): Situation[] {
  const moved = (title: string) =>
    state("waiting", null, title, (agent) => agent.title?.includes(title) === true);
  return on(terminal, [
    ["/compact", types("/compact"), { ...waiting, word: null }],
    ["/new", types("/new"), { ...waiting, word: null }],
    ["a prompt to the new session", types("hello SLOW(3) TITLE(The second one)"), moved("The second one")],
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
  const same = state(
    "waiting",
    null,
    "the same session",
    (agent) => agent.sessionId === sessionId && agent.prompted,
  );
  const suspended: Expectation = {
    ...same,
    holds: (record) => record?.command?.running === false && same.holds(record),
  };
  const another = (record: TerminalRecord | undefined) =>
    record?.agent?.sessionId !== stage.records().get(first.id)?.agent?.sessionId;
  const alone: Expectation = {
    ...thinking,
    words: "thinking, the other waits",
    holds: (record) =>
      thinking.holds(record) && another(record) && waiting.holds(stage.records().get(first.id)),
  };
  return [
    ...on(first, [
      ["Ctrl-Z", remembers(presses("C-z")), suspended],
      ["… fg", types("fg"), same],
    ]),
    ...on(second, [
      ["a second one in the same directory", types("opencode"), ready, START_TIMEOUT_MS],
      ["… works while the first waits", types("hello SLOW(5) TITLE(Of the other)"), alone],
      ["… ended", goesOn, waiting],
      ["… /exit", types("/exit"), noAgent],
    ]),
    ...on(first, [
      ["/exit", remembers(types("/exit")), noAgent],
      ["-s", (one) => continues(`opencode -s ${sessionId}`)(one), same],
    ]),
    ...sleepsAndWakes(first, same),
    ...on(first, [
      ["a tool before its end", types("TOOL(sleep 40)"), toolUse, 60_000],
      ["… kill -9", async (one) => void process.kill(one.agent()!.pid!, "SIGKILL"), noAgent, 2_000],
      ["-c, its last call left open on disk", afterReset(continues("opencode -c")), same],
      ["… left", types("/exit"), noAgent],
    ]),
  ];
}

function wrappers(terminal: Terminal): Situation[] {
  return on(terminal, [
    ["behind env and nice", types("env X=1 nice -n 5 opencode"), ready, START_TIMEOUT_MS],
    ["… thinks", types("hello SLOW(5)"), thinking],
    ["… ended", goesOn, waiting],
    ["… left", types("/exit"), noAgent],
  ]);
}

/** No shell, no marks: the command that the terminal was created with is all there is. */
function rooted(stage: Stage, bin: string): Situation[] {
  const settings = Object.entries(environmentFor(stage.kolu.home)).map(([name, value]) => `${name}=${value}`);
  let opened: Promise<Terminal> | null = null;
  const terminal = (): Promise<Terminal> => {
    opened ??= stage.openCommand(["env", ...settings, join(bin, "opencode")]);
    return opened;
  };
  return [
    {
      title: "as a terminal's root process",
      act: goesOn,
      expected: ready,
      terminal,
      timeoutMs: START_TIMEOUT_MS,
    },
    { title: "… thinks", act: types("hello SLOW(5)"), expected: thinking, terminal },
  ];
}
