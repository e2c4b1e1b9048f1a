// The real Pi in a real kolu: every state that it can be in, brought about and looked for.
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
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

/** The release that is installed; an older one can be named to `npm run test:agents` (0.73.1 reports nothing in band). */
export const PI_VERSION = "1.6.0";
const KEY = "stand-in-key-that-is-no-secret";
/** A log tells before the program can be typed to; 0.73.1 takes more than three seconds. */
const _STARTS_WITHIN_MS = 5_000;
export const PI_START = `pi --extension ${join(import.meta.dirname, "pi-extension.ts")}`;

/** @param report called after each situation */
export async function runPi(version: string, report: (outcome: Outcome) => void): Promise<void> {
  await using stage = await openPi(version);
  const witness = watchEntryLogs(join(agentDirOf(stage), "sessions"));
  try {
    const first = await stage.openShell();
    const second = await stage.openShell();
    const all = [
      ...turns(first),
      ...gates(first),
      ...interruptions(first, stage),
      ...commands(first, !version.startsWith("0.")),
      ...processes(first, second, stage),
      ...starts(first, stage),
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
export async function openPi(version: string, script?: ModelScript): Promise<Stage> {
  const scope = version.startsWith("0.") ? "@mariozechner" : "@earendil-works";
  const bin = await installAgent(`${scope}/pi-coding-agent`, version);
  const stage = await openStage(
    (_model, home) => ({
      // Pi wants a newer Node than systems have.
      PATH: `${bin}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      TMPDIR: home,
      PI_OFFLINE: "1",
      PI_TELEMETRY: "0",
      PI_SKIP_VERSION_CHECK: "1",
    }),
    script,
  );
  await configure(agentDirOf(stage), stage.model.url, version);
  return stage;
}

function agentDirOf(stage: Stage): string {
  return join(stage.kolu.home, ".pi", "agent");
}

async function configure(agentDir: string, modelUrl: string, version: string): Promise<void> {
  await mkdir(agentDir, { recursive: true });
  const model = { id: "demo-large", contextWindow: 200_000, maxTokens: 8_000, reasoning: false };
  const demo = { baseUrl: `${modelUrl}/v1`, apiKey: KEY, api: "openai-completions", models: [model] };
  const settings = {
    defaultProvider: "demo",
    defaultModel: "demo-large",
    enableInstallTelemetry: false,
    lastChangelogVersion: version,
  };
  await writeFile(join(agentDir, "models.json"), JSON.stringify({ providers: { demo } }));
  await writeFile(join(agentDir, "settings.json"), JSON.stringify(settings));
}

/** Before 1.0 the first turn of a session is written when it is over: then the screen tells. */
const thinking = state("thinking", "prompt");
const toolUse = state("tool_use", "toolUse");
const waiting = state("waiting", "over");
/** Nothing is written before the first prompt. */
const ready = state("waiting", null, "no prompt yet", (agent) => !agent.prompted && agent.sessionId === null);

function turns(terminal: Terminal): Situation[] {
  const measured = state(
    "waiting",
    "over",
    "model and tokens",
    (agent) => agent.model === "demo-large" && agent.contextTokens !== null && agent.prompted,
  );
  return on(terminal, [
    ["a fresh start", types(PI_START), ready],
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

function gates(terminal: Terminal): Situation[] {
  // In band a gate is called one; on the screen it is a list of options like any other.
  const gate = state("awaiting", null, "permission", ({ awaiting, source }) => {
    return awaiting?.kind === (source === "in-band" ? "permission" : "question");
  });
  return on(terminal, [
    ["an extension's question", types("ASK"), asksFor("question")],
    ["… answered", presses("enter"), waiting],
    ["an extension's gate", types("PERM(touch outside.txt)"), gate],
    ["… granted", presses("enter"), waiting],
    ["the gate again", types("PERM(touch outside.txt)"), gate],
    ["… Esc", presses("escape"), waiting],
  ]);
}

function interruptions(terminal: Terminal, stage: Stage): Situation[] {
  const failed = state("waiting", null, "an error", (agent) => agent.error !== null);
  const calm = state("waiting", null, "no error", (agent) => agent.error === null);
  return on(terminal, [
    ["a long answer", types("hello SLOW(8)"), thinking],
    ["… Esc while it streams", presses("escape"), { ...waiting, word: "over" }],
    ["no answer at all", types("HANG"), thinking],
    ["… Esc before any output", presses("escape"), calm],
    ["a tool", types("TOOL(sleep 20)"), toolUse],
    ["… Esc while it runs", presses("escape"), waiting],
    ["the API fails", types("ERR(500)"), thinking],
    ["… it is asked again", () => stage.model.askedAgain(), { ...thinking, word: null }],
    ["… and given up", goesOn, failed, 40_000],
    ["a prompt after that", types("hello SLOW(3)"), thinking],
    ["… ended", goesOn, calm],
    ["the network is dead", types("CUT"), thinking],
    ["… and given up", goesOn, failed, 40_000],
  ]);
}

/** @param follows another session in the running Pi is told by what it says in band */
function commands(terminal: Terminal, follows: boolean): Situation[] {
  let before: string | null = null;
  const renews: Act = async (one) => {
    before = one.agent()?.sessionId ?? null;
    await one.enter("/new");
  };
  const renewed = state("waiting", "over", "another session", (agent) => {
    return (agent.sessionId !== before) === follows && (agent.title === null) === follows;
  });
  const titled = state("waiting", null, "titled", (agent) => agent.title === "my-task");
  return on(terminal, [
    ["/name", types("/name my-task"), titled],
    ["/new", renews, { ...waiting, word: null }],
    ["a prompt to the new session", types("hello SLOW(4)"), thinking],
    ["… ended", goesOn, renewed],
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
  const continued = state("waiting", null, "prompted", (agent) => agent.prompted);
  const alone: Expectation = {
    ...thinking,
    words: "thinking, the other waits",
    holds: (record) =>
      thinking.holds(record) &&
      waiting.holds(stage.records().get(first.id)) &&
      stage.records().get(first.id)?.agent?.sessionId !== record?.agent?.sessionId,
  };
  return [
    ...on(first, [
      ["Ctrl-Z", remembers(presses("C-z")), suspended],
      ["… fg", types("fg"), same],
    ]),
    ...on(second, [
      ["a second one in the same directory", types(PI_START), ready],
      ["… works while the first waits", types("hello SLOW(5)"), alone],
      ["… ended", goesOn, waiting],
    ]),
    ...on(first, [
      ["/quit", remembers(types("/quit")), noAgent],
      ["--session", (one) => one.enter(`${PI_START} --session ${kept.path}`), same],
      ["… is up", settles, same],
    ]),
    ...sleepsAndWakes(first, same),
    ...on(first, [
      ["a tool before its end", remembers(types("TOOL(sleep 20)")), toolUse],
      ["… kill -9", dies, noAgent, 2_000],
      ["-c after that", types(`${PI_START} -c`), continued],
      ["… is up", settles, continued],
      ["… left", types("/quit"), noAgent],
    ]),
  ];
}

/** Its programs run on terminals of their own: nothing is known of them, and nothing is made up. */
function insideTmux(terminal: Terminal): Situation[] {
  const runs = (isIt: boolean): Expectation => ({
    ...noAgent,
    holds: (record) => record?.agent === null && record.foreground?.name.startsWith("tmux") === isIt,
  });
  return on(terminal, [
    ["inside tmux: no agent, and no lie", types(`cd .. && tmux -L kolu-test new ${PI_START}`), runs(true)],
    ["… is up", settles, runs(true)],
    ["… works: still none", types("hello SLOW(3)"), runs(true)],
    ["… has ended: still none", settles, runs(true)],
    ["… left", types("/quit"), runs(false)],
  ]);
}

function starts(terminal: Terminal, stage: Stage): Situation[] {
  const left: [string, Act, Expectation] = ["… left", types("/quit"), noAgent];
  const unsaved = (name: "thinking" | "waiting") =>
    state(name, null, "no session", (agent) => agent.sessionId === null);
  const removesDoomed: Act = () => rm(join(stage.projectDir, "doomed"), { recursive: true });
  const rooted: Situation = {
    title: "as a terminal's root process",
    act: goesOn,
    expected: ready,
    terminal: () => stage.openCommand(["bash", "-c", `. ~/.bashrc; exec ${PI_START}`]),
  };
  return [
    ...on(terminal, [
      ["the picker of -r", types(`${PI_START} -r`), asksFor("dialog")],
      ["… Esc", presses("escape"), noAgent],
      ["without a session", types(`${PI_START} --no-session`), unsaved("waiting")],
      ["… thinks", types("hello SLOW(5)"), unsaved("thinking")],
      ["… ended", goesOn, unsaved("waiting")],
      left,
      ["behind env and nice", types(`env X=1 nice -n 5 ${PI_START}`), ready],
      left,
      ["behind script", types(`script -q -c '${PI_START}' /dev/null`), ready],
      ["… thinks", types("hello SLOW(5)"), thinking],
      ["… ended", goesOn, waiting],
      left,
      ["in a directory of its own", types(`mkdir doomed && cd doomed && ${PI_START}`), ready],
      ["… a tool", types("TOOL(sleep 4)"), toolUse],
      ["… its directory is removed: the turn ends all the same", removesDoomed, { ...waiting, word: null }],
      ["… left", types("/quit"), noAgent],
    ]),
    ...(existsSync("/usr/bin/tmux") ? insideTmux(terminal) : []),
    rooted,
  ];
}
