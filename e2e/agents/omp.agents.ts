// The real Oh My Pi in a real kolu: every state that it can be in, brought about and looked for.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ModelScript } from "../stand-in-model/server.ts";
import {
  type Act,
  asksFor,
  dies,
  goesOn,
  lasts,
  noAgent,
  on,
  presses,
  settles,
  sleepsAndWakes,
  state,
  types,
} from "./acts.ts";
import { watchEntryLogs } from "./entry-log-witness.ts";
import { installAgent } from "./install-agent.ts";
import { type Expectation, type Outcome, play, type Situation } from "./situations.ts";
import { openStage, type Stage, type Terminal } from "./stage.ts";

/** The release that is installed, with the runtime and the native part that it wants. */
export const OMP_VERSION = "18.2.3";
const BUN_VERSION = "1.4.5";
const KEY = "stand-in-key-that-is-no-secret";

/** @param report called after each situation */
export async function runOmp(version: string, report: (outcome: Outcome) => void): Promise<void> {
  await using stage = await openOmp(version);
  const witness = watchEntryLogs(join(stage.kolu.home, ".omp", "agent", "sessions"));
  try {
    const first = await stage.openShell();
    const second = await stage.openShell();
    const all = [
      ...turns(first),
      ...gates(first),
      ...interruptions(first, stage),
      ...commands(first),
      ...processes(first, second, stage),
      ...starts(first),
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
export async function openOmp(version: string, script?: ModelScript): Promise<Stage> {
  const bin = await installAgent("@oh-my-pi/pi-coding-agent", version, [
    `bun@${BUN_VERSION}`,
    `@oh-my-pi/pi-natives-${process.platform}-${process.arch}@${version}`,
  ]);
  const stage = await openStage(
    (_model, home) => ({
      PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
      TMPDIR: home,
      OMP_SKIP_SETUP: "1",
      PI_OFFLINE: "1",
    }),
    script,
  );
  const root = join(stage.kolu.home, ".omp");
  for (const dir of [join(root, "agent"), join(root, "profiles", "work", "agent")]) {
    await configure(dir, stage.model.url);
  }
  return stage;
}

async function configure(agentDir: string, modelUrl: string): Promise<void> {
  await mkdir(agentDir, { recursive: true });
  const model = { id: "demo-large", name: "Demo Large", contextWindow: 200_000, maxTokens: 8_000 };
  const demo = { baseUrl: `${modelUrl}/v1`, apiKey: KEY, api: "openai-completions", models: [model] };
  const roles = { default: "demo/demo-large", smol: "demo/demo-large", slow: "demo/demo-large" };
  // JSON is YAML.
  await writeFile(join(agentDir, "models.yml"), JSON.stringify({ providers: { demo } }));
  const config = { modelRoles: roles, startup: { checkUpdate: false }, dev: { autoqa: false } };
  await writeFile(join(agentDir, "config.yml"), JSON.stringify(config));
}

const thinking = state("thinking", "prompt");
const toolUse = state("tool_use", "toolUse");
const waiting = state("waiting", "over");
/** The file is made when the first answer is complete: until then the title and the screen tell. */
const ready = state("waiting", null, "no prompt yet", (agent) => !agent.prompted);

function turns(terminal: Terminal): Situation[] {
  const behind = state("background", null, "LookAround", ({ background }) => {
    return background.agents[0]?.name === "LookAround";
  });
  const measured = state(
    "waiting",
    "over",
    "model, tokens, a title",
    (agent) => agent.model === "demo-large" && agent.contextTokens !== null && agent.prompted,
  );
  return on(terminal, [
    ["a fresh start", types("omp"), ready, 40_000],
    ["a first prompt", types("hello SLOW(5)"), { ...thinking, word: null }],
    ["its answer", goesOn, measured],
    ["a prompt", types("hello SLOW(5)"), thinking],
    ["… ended", goesOn, waiting],
    ["a tool", types("TOOL(sleep 5)"), toolUse],
    ["… ended", goesOn, waiting],
    ["two tools at once", types("PAR"), toolUse],
    ["… one of them is done", lasts(3_000), { ...toolUse, word: null }],
    ["… both are done", goesOn, waiting],
    ["a sub-agent behind the ended turn", types("AGENT(CHILD)"), behind],
    ["… it ends, a turn follows", goesOn, { ...waiting, word: null }, 40_000],
  ]);
}

function gates(terminal: Terminal): Situation[] {
  return on(terminal, [
    ["a question", types("ASK"), asksFor("question", "toolUse")],
    ["… answered", presses("enter"), waiting],
    ["a question again", types("ASK"), asksFor("question", "toolUse")],
    ["… Esc", presses("escape"), waiting],
  ]);
}

function interruptions(terminal: Terminal, stage: Stage): Situation[] {
  const failed = state("waiting", null, "an error", (agent) => agent.error !== null);
  return on(terminal, [
    ["a long answer", types("hello SLOW(8)"), thinking],
    ["… Esc while it streams", presses("escape"), waiting],
    ["no answer at all", types("HANG"), thinking],
    ["… Esc before any output", presses("escape"), { ...waiting, word: null }],
    ["a tool", types("TOOL(sleep 20)"), toolUse],
    ["… Esc while it runs", presses("escape"), waiting],
    ["the API fails", types("ERR(500)"), thinking],
    ["… it is asked again", () => stage.model.askedAgain(), { ...thinking, word: null }],
    ["… Esc", presses("escape"), { ...waiting, word: null }],
    ["the API refuses", types("ERR(400)"), failed],
  ]);
}

function commands(terminal: Terminal): Situation[] {
  let before: string | null = null;
  const renews: Act = async (one) => {
    before = one.agent()?.sessionId ?? null;
    await one.enter("/new");
  };
  const renewed = state("waiting", null, "another session", (agent) => {
    return agent.sessionId !== null && agent.sessionId !== before && !agent.prompted;
  });
  const titled = state("waiting", null, "titled", (agent) => agent.title === "my-task");
  return on(terminal, [
    ["/rename", types("/rename my-task"), titled],
    ["/new", renews, renewed],
    ["a prompt to the new session", types("hello SLOW(4)"), { ...thinking, word: null }],
    ["… ended", goesOn, waiting],
  ]);
}

function processes(first: Terminal, second: Terminal, stage: Stage): Situation[] {
  let kept: { sessionId: string | null; path: string | null } = { sessionId: null, path: null };
  const remembers =
    (act: Act): Act =>
    async (terminal) => {
      const agent = terminal.agent();
      kept = { sessionId: agent?.sessionId ?? null, path: agent?.sessionPath ?? null };
      await act(terminal);
    };
  const same = state("waiting", null, "the same session", (agent) => agent.sessionId === kept.sessionId);
  const suspended: Expectation = {
    ...same,
    holds: (record) => record?.command?.running === false && same.holds(record),
  };
  const alone: Expectation = {
    ...thinking,
    word: null,
    words: "thinking, the other waits",
    holds: (record) => thinking.holds(record) && waiting.holds(stage.records().get(first.id)),
  };
  const apart = state("waiting", "over", "its own session", (agent) => {
    return agent.sessionId !== null && agent.sessionId !== stage.records().get(first.id)?.agent?.sessionId;
  });
  return [
    ...on(first, [
      ["Ctrl-Z", remembers(presses("C-z")), suspended],
      ["… fg", types("fg"), same],
    ]),
    ...on(second, [
      ["a second one in the same directory", types("omp --approval-mode always-ask"), ready, 40_000],
      ["… works while the first waits", types("hello SLOW(5)"), alone],
      ["… ended", goesOn, apart],
      ["a tool's permission", types("TOOL(sleep 4)"), asksFor("permission", "toolUse")],
      ["… granted", presses("enter"), state("tool_use", null)],
      ["… ended", goesOn, waiting],
      ["the permission again", types("TOOL(sleep 4)"), asksFor("permission", "toolUse")],
      ["… Esc", presses("escape"), waiting],
    ]),
    ...on(first, [
      ["/exit", remembers(types("/exit")), noAgent],
      ["--resume", (one) => one.enter(`omp --resume ${kept.path}`), same, 40_000],
      ["… is up", settles, same],
    ]),
    ...sleepsAndWakes(first, same),
    ...on(first, [
      ["a tool before its end", remembers(types("TOOL(sleep 20)")), toolUse],
      ["… kill -9", dies, noAgent, 2_000],
      ["-c after that", types("omp -c"), same, 40_000],
      ["… is up", settles, same],
      ["… left", types("/exit"), noAgent],
    ]),
  ];
}

function starts(terminal: Terminal): Situation[] {
  const left: [string, Act, Expectation] = ["… left", types("/exit"), noAgent];
  const unsaved = (name: "thinking" | "waiting") =>
    state(name, null, "no session", (agent) => agent.sessionId === null);
  return on(terminal, [
    ["without a session", types("omp --no-session"), unsaved("waiting"), 40_000],
    ["… is up", settles, unsaved("waiting")],
    ["… thinks", types("hello SLOW(5)"), unsaved("thinking")],
    ["… ended", goesOn, unsaved("waiting")],
    left,
    ["the picker of -r", types("omp -r"), asksFor("dialog"), 40_000],
    ["… Esc", presses("escape"), noAgent],
    ["with a profile", types("omp --profile work"), ready, 40_000],
    ["… is up", settles, ready],
    ["/plan", types("/plan"), ready],
    // What is written to the one is the plan, to the other the plan's name.
    ["a plan's review", types("EDIT(local://hello-plan.md) EDIT(xd://propose)"), asksFor("plan")],
    ["… Esc", presses("escape"), { ...waiting, word: null }],
    left,
    ["behind script", types("script -q -c omp /dev/null"), ready, 40_000],
    // Its bar is drawn before it takes what is typed.
    ["… is up", settles, ready],
    ["… thinks", types("hello SLOW(5)"), { ...thinking, word: null }],
    ["… ended", goesOn, waiting],
    left,
  ]);
}
