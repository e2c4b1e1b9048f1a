// The real Codex in a real kolu: every state that it can be in, brought about and looked for.
import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { AgentReading } from "@kolu/contract/agent.ts";
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
import { watchCodex } from "./codex-witness.ts";
import { installAgent } from "./install-agent.ts";
import { type Expectation, type Outcome, play, type Situation } from "./situations.ts";
import { openStage, type Stage, type Terminal } from "./stage.ts";

/** The release that is installed when none is named. */
export const CODEX_VERSION = "0.171.0";
/** The first start copies a server of 300 MB into its home before it opens a thread. */
const FIRST_START_MS = 120_000;
const KEY = "stand-in-key-that-is-no-secret";

/** @param report called after each situation */
export async function runCodex(version: string, report: (outcome: Outcome) => void): Promise<void> {
  await using stage = await openCodex(version);
  const { bin } = stage;
  const witness = watchCodex(stage.kolu.home);
  try {
    const first = await stage.openShell();
    const second = await stage.openShell();
    const all = [
      ...turns(first),
      ...gates(first),
      ...subAgents(first),
      ...interruptions(first),
      ...plans(first),
      ...threads(first),
      ...neighbours(first, second, stage),
      ...resumption(first, second),
      ...withoutServer(first),
      ...reviewed(first),
      ...rooted(stage, bin),
    ];
    for (const situation of all) report(await play(stage, witness, situation));
  } finally {
    witness.stop();
  }
}

/**
 * Shells that find it. Its server ends with the stage.
 * @param script what its model answers; absent: the directives in the prompt
 */
export async function openCodex(version: string, script?: ModelScript): Promise<Stage & { bin: string }> {
  const bin = await installAgent("@openai/codex", version);
  const stage = await openStage(
    (_model, home) => ({
      PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
      ...environmentFor(home),
    }),
    script,
  );
  const root = join(stage.kolu.home, ".codex");
  await mkdir(root);
  await writeFile(join(root, "config.toml"), configFor(stage.model.url));
  // Only a repository is asked about.
  execFileSync("git", ["init", "-q"], { cwd: stage.projectDir });
  return {
    ...stage,
    bin,
    async [Symbol.asyncDispose]() {
      await stopServer(root, stage);
      await stage[Symbol.asyncDispose]();
    },
  };
}

function environmentFor(home: string): Record<string, string> {
  // What it leaves in the temporary directory goes with the home.
  return { TMPDIR: home, STAND_IN_KEY: KEY };
}

function configFor(modelUrl: string): string {
  return `model = "demo-model"
model_provider = "stand-in"
approval_policy = "on-request"
check_for_update_on_startup = false
[model_providers.stand-in]
name = "Stand-in"
base_url = "${modelUrl}/v1"
env_key = "STAND_IN_KEY"
wire_api = "responses"
[analytics]
enabled = false
[feedback]
enabled = false
`;
}

/** How long the server may take to end by itself, which removes its socket from the temporary directory. */
const SERVER_ENDS_MS = 5_000;

/** Its server and the server's updater outlive every terminal; each names itself in a file. */
async function stopServer(root: string, stage: Stage): Promise<void> {
  for (const record of stage.records().values()) endProcess(record.agent?.pid ?? null);
  for (const name of ["daemon.pid", "daemon-updater.pid"]) {
    const text = await readFile(join(root, "app-server-daemon", name), "utf8").catch(() => "{}");
    const pid = (JSON.parse(text) as { pid?: number }).pid ?? null;
    const giveUpAtMs = Date.now() + SERVER_ENDS_MS;
    endProcess(pid, "SIGTERM");
    while (isAlive(pid) && Date.now() < giveUpAtMs) await sleep(50);
    endProcess(pid);
  }
}

function endProcess(pid: number | null, signal: NodeJS.Signals = "SIGKILL"): void {
  if (pid === null) return;
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}

function isAlive(pid: number | null): boolean {
  try {
    return pid !== null && process.kill(pid, 0);
  } catch {
    return false;
  }
}

// ---- what may be expected, with the agent's own word for it

const thinking = state("thinking", "started", "");
const toolUse = state("tool_use", "call", "");
const waiting = state("waiting", "over", "");
const untimed = (expected: Expectation): Expectation => ({ ...expected, word: null });
const ready = state("waiting", "opened", "no prompt yet", (agent) => !agent.prompted && agent.title === null);

// ---- the situations

function turns(terminal: Terminal): Situation[] {
  const measured = state(
    "waiting",
    "over",
    "model, tokens, version",
    (agent) => agent.model === "demo-model" && agent.contextTokens !== null && agent.version !== null,
  );
  return on(terminal, [
    ["first start: trust in the folder", types("codex"), asksFor("dialog", null), FIRST_START_MS],
    ["… trusted, no prompt yet", presses("enter"), ready, FIRST_START_MS],
    ["a prompt", types("hello SLOW(5)"), thinking],
    ["… answered", goesOn, measured],
    ["extended thinking", types("THINK(4)"), thinking],
    ["… ended", goesOn, waiting],
    ["a tool", types("TOOL(sleep 5)"), toolUse],
    ["… ended", goesOn, waiting],
    ["two tools at once", types("PAR"), toolUse],
    ["… one of them is done", lasts(3_500), untimed(toolUse)],
    ["… both are done", goesOn, waiting],
  ]);
}

function gates(terminal: Terminal): Situation[] {
  return on(terminal, [
    ["a command's permission", types("PERM(touch outside.txt)"), asksFor("permission", "call")],
    ["… granted", presses("enter"), waiting],
    ["a command's permission again", types("PERM(touch another.txt)"), asksFor("permission", "call")],
    ["… Esc", presses("escape"), waiting],
    ["a question in default mode: refused by itself", types("ASK"), waiting],
    ["a panel of the user's", types("/permissions"), asksFor("dialog", null)],
    ["… closed", presses("escape"), untimed(waiting)],
  ]);
}

function subAgents(terminal: Terminal): Situation[] {
  const behind = state("background", "over", "one agent", (agent) => agent.background.agents.length === 1);
  const alone = state("waiting", "ended", "no agents", (agent) => agent.background.agents.length === 0);
  return on(terminal, [
    ["a sub-agent behind the ended turn", types("AGENT(CHILD)"), behind],
    ["… it ends", goesOn, alone],
    ["a terminal in the background", types("BG(sleep 6)"), waiting],
  ]);
}

function interruptions(terminal: Terminal): Situation[] {
  const failed = state("waiting", "over", "an error", (agent) => agent.error !== null);
  return on(terminal, [
    ["a long answer", types("hello SLOW(8)"), thinking],
    ["… Esc while it streams", presses("escape"), waiting],
    ["no answer at all", types("HANG"), thinking],
    ["… Esc before any output", presses("escape"), waiting],
    ["the API refuses", types("ERR(400)"), failed],
  ]);
}

function plans(terminal: Terminal): Situation[] {
  return on(terminal, [
    ["plan mode", types("/plan"), untimed(waiting)],
    ["a question", types("ASK"), asksFor("question", "call")],
    ["… answered", presses("enter"), waiting],
    ["two questions", types("ASK2"), asksFor("question", "call")],
    ["… Esc", presses("escape"), waiting],
    ["a plan's approval", types("PLAN"), asksFor("plan", "over")],
    ["… Esc", presses("escape"), untimed(waiting)],
  ]);
}

/** A new thread in the same process. */
function threads(terminal: Terminal): Situation[] {
  let before: string | null = null;
  const renews: Act = async (one) => {
    before = one.agent()?.sessionId ?? null;
    await one.enter("/new");
  };
  const another = (word: string, name: AgentReading["state"]) =>
    state(name, word, "another thread", (agent) => agent.sessionId !== null && agent.sessionId !== before);
  return on(terminal, [
    ["/new asks where, in a repository", renews, asksFor("dialog", null)],
    // It says `working` in band until the new thread is ready, seconds on a busy machine: its file is no word for that.
    ["… here", presses("enter"), untimed(ready)],
    ["a prompt to the new thread", types("hello SLOW(6)"), another("started", "thinking")],
    ["… answered", goesOn, another("over", "waiting")],
  ]);
}

function neighbours(first: Terminal, second: Terminal, stage: Stage): Situation[] {
  let sessionId: string | null = null;
  const remembers =
    (act: Act): Act =>
    async (terminal) => {
      sessionId = terminal.agent()?.sessionId ?? null;
      await act(terminal);
    };
  const same = state("waiting", null, "the same thread", (agent) => agent.sessionId === sessionId);
  const suspended: Expectation = {
    ...same,
    holds: (record) => record?.command?.running === false && same.holds(record),
  };
  const alone: Expectation = {
    ...thinking,
    words: "thinking, the other waits in a thread of its own",
    holds: (record) => {
      const other = stage.records().get(first.id);
      const apart = record?.agent?.sessionId !== null && record?.agent?.sessionId !== other?.agent?.sessionId;
      return apart && thinking.holds(record) && waiting.holds(other);
    },
  };
  return [
    ...on(first, [
      ["Ctrl-Z", remembers(presses("C-z")), suspended],
      ["… fg", types("fg"), same],
    ]),
    ...on(second, [
      ["a second one in the same directory", types("codex"), ready, FIRST_START_MS],
      ["… 12 s later it still shows nothing of the first", lasts(12_000), untimed(ready)],
      ["… works while the first waits", types("hello SLOW(5)"), alone],
      ["… ended", goesOn, waiting],
    ]),
    ...on(first, [
      [
        "the first works too",
        types("hello SLOW(4)"),
        state("thinking", "started", "its own thread", (agent) => agent.sessionId === sessionId),
      ],
      ["… ended", goesOn, waiting],
    ]),
  ];
}

function resumption(first: Terminal, second: Terminal): Situation[] {
  let sessionId: string | null = null;
  const leaves: Act = async (terminal) => {
    sessionId = terminal.agent()?.sessionId ?? null;
    await terminal.enter("/quit");
  };
  const same = state("waiting", "opened", "the same thread", (agent) => agent.sessionId === sessionId);
  return [
    ...on(second, [["/quit", types("/quit"), noAgent]]),
    ...on(first, [
      ["/quit", leaves, noAgent],
      ["resume <id>", (one) => one.enter(`codex resume ${sessionId}`), same],
    ]),
    ...sleepsAndWakes(first, same),
    ...on(first, [
      ["a tool before its end", types("TOOL(sleep 20)"), toolUse],
      ["… kill -9", async (one) => endProcess(one.agent()?.pid ?? null), noAgent, 2_000],
    ]),
    ...on(second, [
      ["the picker of resume", types("codex resume"), asksFor("dialog", null)],
      ["… Esc starts anew", presses("escape"), ready],
      ["… left", types("/quit"), noAgent],
    ]),
  ];
}

function withoutServer(terminal: Terminal): Situation[] {
  const exact = state("waiting", "over", "its thread", (agent) => agent.sessionId !== null);
  return on(terminal, [
    ["--no-daemon", types("env X=1 nice -n 5 codex --no-daemon"), ready],
    ["… a prompt", types("hello SLOW(4)"), thinking],
    ["… answered", goesOn, exact],
    ["… left", types("/quit"), noAgent],
  ]);
}

/** Approvals that Codex gives (or, with this model, refuses) by itself are nobody's to answer. */
function reviewed(terminal: Terminal): Situation[] {
  let asked = false;
  const unasked = (expected: Expectation): Expectation => ({
    ...expected,
    words: `${expected.words}, nobody asked`,
    holds: (record) => {
      asked ||= record?.agent?.state === "awaiting";
      return !asked && expected.holds(record);
    },
  });
  const works: Expectation = {
    words: "working",
    word: null,
    holds: (record) => record?.agent?.bucket === "working",
  };
  return on(terminal, [
    ["with automatic review", types("codex --approve-for-me"), ready],
    ["… a command to be reviewed", types("PERM(touch reviewed.txt)"), unasked(works)],
    ["… reviewed", goesOn, unasked(waiting)],
    ["… left", types("/quit"), noAgent],
  ]);
}

/** No shell, no marks: the command that the terminal was created with is all there is. */
function rooted(stage: Stage, bin: string): Situation[] {
  const settings = Object.entries({ ...environmentFor(stage.kolu.home), PATH: `${bin}:/usr/bin:/bin` }).map(
    ([name, value]) => `${name}=${value}`,
  );
  let opened: Promise<Terminal> | null = null;
  const terminal = (): Promise<Terminal> => {
    opened ??= stage.openCommand(["env", ...settings, join(bin, "codex")]);
    return opened;
  };
  return [
    { title: "as a terminal's root process", act: goesOn, expected: ready, terminal },
    { title: "… thinks", act: types("hello SLOW(4)"), expected: thinking, terminal },
    { title: "… ended", act: goesOn, expected: waiting, terminal },
  ];
}
