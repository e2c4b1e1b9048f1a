// The real Grok Build in a real kolu: every state that it can be in, brought about and looked for.
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
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
import { watchGrok } from "./grok-witness.ts";
import { installAgent } from "./install-agent.ts";
import { type Expectation, type Outcome, play, type Situation } from "./situations.ts";
import { openStage, type Stage, type Terminal } from "./stage.ts";

/** The release that is installed. */
export const GROK_VERSION = "1.0.41";
const START = "grok";
const KEY = "stand-in-key-that-is-no-secret";

/** @param report called after each situation */
export async function runGrok(version: string, report: (outcome: Outcome) => void): Promise<void> {
  await using stage = await openGrok(version);
  const { bin } = stage;
  await makeUntrustedRepository(join(stage.projectDir, "repo"));
  const witness = watchGrok(stage.kolu.home);
  try {
    const first = await stage.openShell();
    const second = await stage.openShell();
    const all = [
      ...turns(first),
      ...gates(first, stage),
      ...background(first),
      ...interruptions(first),
      ...commands(first),
      ...processes(first, second, stage),
      ...wrappers(first),
      ...plans(first),
      ...dialogs(first),
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
export async function openGrok(version: string, script?: ModelScript): Promise<Stage & { bin: string }> {
  const bin = await installAgent("@xai-official/grok", version);
  const stage = await openStage(
    (_model, home) => ({
      PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
      ...environmentFor(home),
    }),
    script,
  );
  await mkdir(join(stage.kolu.home, ".grok"));
  await writeFile(join(stage.kolu.home, ".grok", "config.toml"), configurationFor(stage.model.url));
  return { ...stage, bin };
}

function environmentFor(home: string): Record<string, string> {
  return {
    // What it leaves in the temporary directory goes with the home.
    TMPDIR: home,
    XAI_API_KEY: KEY,
    GROK_DISABLE_AUTOUPDATER: "1",
    // The cursor of a permission dialog starts on "Yes" rather than on "never ask again".
    GROK_DEFAULT_SELECTED_PERMISSION: "allow_once",
  };
}

function configurationFor(modelUrl: string): string {
  return `
[cli]
auto_update = false
[features]
telemetry = false
feedback = false
remote_fetch = false
[models]
default = "demo"
[model.demo]
model = "grok-demo"
base_url = "${modelUrl}/v1"
name = "Grok Demo"
api_key = "${KEY}"
api_backend = "chat_completions"
context_window = 200000
`;
}

/** Servers of its own are what makes Grok ask whether a directory is trusted. */
async function makeUntrustedRepository(dir: string): Promise<void> {
  await mkdir(dir);
  await promisify(execFile)("git", ["init", "--quiet", dir]);
  await writeFile(join(dir, ".mcp.json"), '{ "mcpServers": { "demo": { "command": "true" } } }\n');
}

// ---- what may be expected, with the agent's own word for it

const thinking = state("thinking", "thinking", "");
const toolUse = state("tool_use", "tool_use", "");
const waiting = state("waiting", "waiting", "");
const ready = state("waiting", "listed", "no prompt yet", (agent) => {
  return !agent.prompted && agent.sessionId !== null;
});
const asksFor = (kind: string) => state("awaiting", kind, kind, (agent) => agent.awaiting?.kind === kind);
const shells = (count: number) =>
  state("waiting", "waiting", `${count} shells`, (agent) => agent.background.shells === count);

// ---- what may be done

/** A prompt that was taken back stands in the composer again. */
const typesAfresh =
  (text: string): Act =>
  async (terminal) => {
    await terminal.press("C-u");
    await terminal.enter(text);
  };

// ---- the situations

function turns(terminal: Terminal): Situation[] {
  const measured = state(
    "waiting",
    "waiting",
    "model and tokens",
    (agent) => agent.model !== null && agent.contextTokens !== null,
  );
  const listed = state("waiting", "waiting", "1 of 2 todos", ({ todos }) => {
    return todos?.completed === 1 && todos.total === 2;
  });
  return on(terminal, [
    ["a fresh start", types(START), ready],
    ["a prompt", types("hello SLOW(5)"), thinking],
    ["its answer", goesOn, measured],
    ["extended thinking", types("THINK(5)"), thinking],
    ["… ended", goesOn, waiting],
    ["a tool", types("TOOL(sleep 5)"), toolUse],
    ["… ended", goesOn, waiting],
    ["two tools at once", types("PAR"), toolUse],
    ["… one of them is done", lasts(3_000), { ...toolUse, word: null }],
    ["… both are done", goesOn, waiting],
    ["a todo list", types("TODO"), listed],
  ]);
}

function gates(terminal: Terminal, stage: Stage): Situation[] {
  return on(terminal, [
    ["a question", types("ASK"), asksFor("question")],
    ["… answered", presses("enter"), waiting],
    ["two questions", types("ASK2"), asksFor("question")],
    ["… Ctrl+C", presses("C-c"), waiting],
    ["a command's permission", types("PERM(touch outside.txt)"), asksFor("permission")],
    ["… granted", presses("enter"), waiting],
    ["a write's permission", types(`EDIT(${join(stage.projectDir, "out.txt")})`), asksFor("permission")],
    ["… Ctrl+C", presses("C-c"), waiting],
  ]);
}

function background(terminal: Terminal): Situation[] {
  const named: Holds = ({ background: { agents } }) => agents[0]?.name === "Look around";
  const works = state("background", "background", "Look around", named);
  const childAsks = state("awaiting", "permission", "a child's", named);
  return on(terminal, [
    ["a shell in the background", types("BG(sleep 6)"), shells(1)],
    ["… it ends, a turn follows", goesOn, { ...shells(0), word: null }],
    ["a sub-agent's permission", types("BGAGENT(CHILD)"), asksFor("permission")],
    ["… it runs behind the ended turn", presses("enter"), works],
    ["… it ends, a turn follows", goesOn, waiting],
    ["a sub-agent that is waited for", types("AGENT(CHILD)"), asksFor("permission")],
    ["… it runs", presses("enter"), { ...toolUse, word: "background" }],
    ["… it ends", goesOn, waiting],
    ["a sub-agent that will ask", types("AGENT(PERM)"), asksFor("permission")],
    ["… it asks for a permission", presses("enter"), childAsks],
    ["… granted", presses("enter"), waiting],
  ]);
}

function interruptions(terminal: Terminal): Situation[] {
  const failed = state("waiting", "waiting", "an error", (agent) => agent.error !== null);
  return on(terminal, [
    ["a long answer", types("hello SLOW(8)"), thinking],
    ["… Ctrl+C while it streams", presses("C-c"), waiting],
    ["no answer yet", typesAfresh("HANG"), thinking],
    ["… Ctrl+C before any output", presses("C-c"), { ...waiting, word: null }],
    ["a long tool", typesAfresh("TOOL(sleep 20)"), toolUse],
    ["… Ctrl+C while it runs", presses("C-c"), waiting],
    ["the API fails and is asked again", typesAfresh("ERR(500)"), thinking],
    ["… Ctrl+C between two attempts", presses("C-c"), waiting],
    ["the API refuses", typesAfresh("ERR(400)"), failed],
  ]);
}

function commands(terminal: Terminal): Situation[] {
  let before: string | null = null;
  const renews: Act = async (one) => {
    before = one.agent()?.sessionId ?? null;
    await one.enter("/new");
  };
  const renewed: Holds = (agent) => agent.sessionId !== before && agent.sessionId !== null && !agent.prompted;
  return on(terminal, [
    [
      "/rename",
      types("/rename my-task"),
      state("waiting", null, "titled", (agent) => agent.title === "my-task"),
    ],
    ["/new", renews, state("waiting", "listed", "another session", renewed)],
    [
      "a prompt to the new session",
      types("hello"),
      state("waiting", "waiting", "prompted", (agent) => agent.prompted && agent.sessionId !== before),
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
  const same = state("waiting", "listed", "the same session", (agent) => agent.sessionId === sessionId);
  const alone: Expectation = {
    ...thinking,
    words: "thinking, the other waits",
    holds: (record) => thinking.holds(record) && waiting.holds(stage.records().get(first.id)),
  };
  const apart: Expectation = {
    ...ready,
    words: "ready, apart from the first",
    holds: (record) =>
      ready.holds(record) && record?.agent?.sessionId !== stage.records().get(first.id)?.agent?.sessionId,
  };
  const resumes: Act = (one) => one.enter(`${START} --resume ${sessionId}`);
  return [
    ...on(second, [
      ["a second one in the same directory", types(START), apart],
      ["… works while the first waits", types("hello SLOW(5)"), alone],
      ["… ended", goesOn, waiting],
    ]),
    ...on(first, [
      ["/quit", remembers(types("/quit")), noAgent],
      ["--resume", resumes, same],
    ]),
    ...sleepsAndWakes(first, same),
    ...on(first, [
      ["a tool before its end", types("TOOL(sleep 30)"), toolUse],
      ["… kill -9", async (one) => void process.kill(one.agent()!.pid!, "SIGKILL"), noAgent, 2_000],
      ["--resume of what was killed", resumes, same],
      ["… left", types("/quit"), noAgent],
      [
        "-c",
        types(`${START} -c`),
        state("waiting", "listed", "a session with prompts", (one) => one.prompted),
      ],
      ["… left", types("/quit"), noAgent],
    ]),
  ];
}

function wrappers(terminal: Terminal): Situation[] {
  const leaves: [string, Act, Expectation] = ["… left", types("/quit"), noAgent];
  return on(terminal, [
    ["behind env and nice", types(`env X=1 nice -n 5 ${START}`), ready],
    leaves,
    ["behind script", types(`script -q -c '${START} --no-alt-screen' /dev/null`), ready],
    ["… thinks", types("hello SLOW(5)"), thinking],
    ["… ended", goesOn, waiting],
    leaves,
  ]);
}

function plans(terminal: Terminal): Situation[] {
  return on(terminal, [
    ["in plan mode", types("grok --permission-mode plan"), ready],
    ["a plan's approval", types("PLAN"), asksFor("plan")],
    ["… approved", types("a"), waiting],
    ["… left", types("/quit"), noAgent],
  ]);
}

function dialogs(terminal: Terminal): Situation[] {
  const trusts = state("awaiting", null, "dialog", (agent) => agent.awaiting?.kind === "dialog");
  return on(terminal, [
    ["a directory that is not trusted", types("cd repo; grok"), trusts],
    ["… trusted", presses("enter"), ready],
    ["… left", types("/quit"), noAgent],
  ]);
}

/** No shell, no marks: the command that the terminal was created with is all there is. */
function rooted(stage: Stage, bin: string): Situation[] {
  const settings = Object.entries(environmentFor(stage.kolu.home)).map(([name, value]) => `${name}=${value}`);
  let opened: Promise<Terminal> | null = null;
  const terminal = (): Promise<Terminal> => {
    opened ??= stage.openCommand(["env", ...settings, join(bin, "grok")]);
    return opened;
  };
  return [
    { title: "as a terminal's root process", act: goesOn, expected: ready, terminal },
    { title: "… thinks", act: types("hello SLOW(5)"), expected: thinking, terminal },
  ];
}
