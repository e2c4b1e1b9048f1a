// Prompts as transactions, given to the real agents: every receipt is held against what the agent's own transcript says of the
// message, byte for byte, and against what its model was asked.
import { setTimeout as sleep } from "node:timers/promises";
import type { TerminalId } from "@kolu/contract/ids.ts";
import type { WaitCondition } from "@kolu/contract/padi.ts";
import type { PromptReceipt } from "@kolu/contract/prompt.ts";
import { Refusal } from "@kolu/contract/refusals.ts";
import { replyTo } from "../stand-in-model/script.ts";
import type { Kolu } from "../start-kolu.ts";
import { type PromptedAgent, promptedAgents } from "./prompted-agents.ts";
import type { Outcome } from "./situations.ts";
import type { Stage, Terminal } from "./stage.ts";

const LINES = Array.from({ length: 120 }, (_, index) => `${index + 1}. keep line ${index + 1} as it is`);
const ODD = "say 'it' \"twice\" `now` $(whoami) $HOME \\n 日本語 한국어 👨‍👩‍👧 é\nand a \\ at its end";
/** The first turn of a first start may take most of it, on a busy machine. */
const WITHIN_MS = 60_000;
const WRITTEN_WITHIN_MS = 3_000;
/** One after the other, each held against the transcript. */
const IN_A_ROW = 24;
/** An agent that comes to run for so long of each period is a slow one. */
const SLOW_RUNS_MS = 60;
const SLOW_STANDS_MS = 240;
const SLOW_PROMPTS = 4;
/** How long a prompt is given to an agent that stands still. */
const STOPPED_TIMEOUT_MS = 2_500;
/** Most of the time is spent on waiting. */
const AGENTS_AT_ONCE = 2;

type Padi = Awaited<ReturnType<Kolu["padi"]>>["client"];

interface Play {
  stage: Stage;
  terminal: Terminal;
  padi: Padi;
  agent: PromptedAgent;
  /** What the model was asked. */
  asked: readonly string[];
}

interface Trial {
  title: string;
  text: string;
  /** What the receipt, or the kind of the refusal, has to be. */
  expected: string;
  timeoutMs?: number;
  /** The agent comes to run for a part of the time only. */
  slow?: boolean;
  before?(play: Play): Promise<void>;
  /** Absent: until the turn that the prompt began is over. `cursor`: of the prompt, when one was sent. */
  after?(play: Play, cursor: string | null): Promise<void>;
}

/**
 * @param claudeVersion the others are played at the release that their own runners name
 * @param report called after each trial
 */
export async function runPrompting(claudeVersion: string, report: (outcome: Outcome) => void): Promise<void> {
  const agents = promptedAgents(claudeVersion);
  const queue = agents.values();
  const playsOn = async (): Promise<void> => {
    for (const agent of queue) await playAgent(agent, report);
  };
  await Promise.all(Array.from({ length: AGENTS_AT_ONCE }, playsOn));
}

async function playAgent(agent: PromptedAgent, report: (outcome: Outcome) => void): Promise<void> {
  const asked: string[] = [];
  await using stage = await agent.open((prompt, repliesSince, offered) => {
    asked.push(prompt);
    return replyTo(prompt, repliesSince, offered);
  });
  const terminal = await agent.start(stage);
  await using link = await stage.kolu.padi();
  const play = { stage, terminal, agent, asked, padi: link.client };
  for (const trial of trialsFor(agent)) report(await hold(play, trial));
}

function trialsFor({ asking }: PromptedAgent): Trial[] {
  const expected = "accepted";
  return [
    { title: "one line", text: "hello there", expected },
    { title: "one line at a session that has begun", text: "and hello again", expected },
    { title: "two lines", text: "a line\nand another", expected },
    { title: "several lines", text: "first line\nsecond line\n\n    an indented one", expected },
    { title: "everything that a shell would touch", text: ODD, expected },
    { title: "nine lines", text: LINES.slice(0, 9).join("\n"), expected },
    { title: "120 lines", text: LINES.join("\n"), expected },
    { title: "a line of 2000 letters", text: "lorem ipsum ".repeat(170).trim(), expected },
    {
      title: "a draft of somebody stands there",
      text: "must not be merged",
      before: (play) => types(play, "half a thought"),
      expected: "draft-in-composer",
      after: clears,
    },
    { title: "the draft is gone", text: "now it may", expected },
    {
      title: "a turn that asks",
      text: asking.text,
      expected,
      after: async (play, cursor) => {
        await reaches(play, "awaiting", cursor);
        // It may say so before the dialog is drawn.
        await shows(play, asking.shows);
      },
    },
    {
      title: "the agent asks",
      text: "must not answer it",
      expected: "agent-awaiting",
      after: async (play) => {
        await play.terminal.press(asking.answeringKey);
        await reaches(play, "waiting", null);
      },
    },
    ...Array.from({ length: IN_A_ROW }, (_, index) => ({
      title: `in a row, ${index + 1}`,
      text: `number ${index + 1} of a row`,
      expected,
    })),
    { title: "a long turn", text: "SLOW(4) take your time", expected, after: async () => {} },
    { title: "while it works", text: "this one waits its turn", expected },
    ...Array.from({ length: SLOW_PROMPTS }, (_, index) => ({
      title: `slow, ${index + 1}`,
      text: `number ${index + 1} for a slow one`,
      expected,
      slow: true,
    })),
    {
      title: "it stands still",
      text: "nobody can have seen this",
      timeoutMs: STOPPED_TIMEOUT_MS,
      before: async ({ terminal }) => signals(terminal, "SIGSTOP"),
      expected: "timeout",
      after: async (play) => {
        signals(play.terminal, "SIGCONT");
        await shows(play, "nobody can have seen this");
        await clears(play);
      },
    },
    { title: "it runs again", text: "and now it goes on", expected },
  ];
}

async function hold(play: Play, trial: Trial): Promise<Outcome> {
  const { title, text, expected, before, after = rests, slow = false } = trial;
  const { agent } = play;
  const delivered = expected === "accepted" ? 1 : 0;
  const outcome = { title: `${agent.kind}: ${title}`, delayMs: null, listedMs: null };
  const wanted = `${expected}, ${delivered} times in the transcript`;
  try {
    await before?.(play);
    const { words, elapsedMs, cursor } = await (slow
      ? slowly(play, () => prompt(play, trial))
      : prompt(play, trial));
    await after(play, cursor);
    const { found, reached } = await whereItCame(play, text, delivered);
    const seen = `${words}, ${found} times, ${reached ? "" : "not "}asked${elapsedMs === null ? "" : `, ${elapsedMs} ms`}`;
    const ok = words.split(" ")[0] === expected && found === delivered && reached === (delivered === 1);
    return { ...outcome, expected: wanted, seen: ok ? seen : `${seen}\n${await play.terminal.screen()}`, ok };
  } catch (cause) {
    const seen = `${cause instanceof Error ? cause.message : cause}\n${await play.terminal.screen()}`;
    return { ...outcome, expected: wanted, seen, ok: false };
  }
}

async function prompt(
  { padi, terminal }: Play,
  { text, timeoutMs }: Trial,
): Promise<{ words: string; elapsedMs: number | null; cursor: string | null }> {
  try {
    const receipt = await padi.call("terminal.prompt", { id: idOf(terminal), text, timeoutMs });
    return { words: wordsOf(receipt), elapsedMs: receipt.elapsedMs, cursor: receipt.cursor };
  } catch (error) {
    if (error instanceof Refusal) return { words: error.kind, elapsedMs: null, cursor: null };
    throw error;
  }
}

function wordsOf(receipt: PromptReceipt): string {
  switch (receipt.outcome) {
    case "accepted":
      return `accepted by ${receipt.evidence}`;
    case "staged":
      return `staged ${JSON.stringify(receipt.draft)}`;
    case "blocked":
    case "timeout":
      return `${receipt.outcome} ${receipt.submitted ? "after" : "before"} Enter`;
    default:
      return receipt satisfies never;
  }
}

function idOf({ id }: Terminal): TerminalId {
  return id as TerminalId;
}

/** Until the turn that the prompt began is over. */
function rests(play: Play, cursor: string | null): Promise<void> {
  return reaches(play, "waiting", cursor);
}

async function reaches(play: Play, bucket: "waiting" | "awaiting", cursor: string | null): Promise<void> {
  await waitFor(play, { kind: "agent", buckets: [bucket] }, cursor);
}

/** @throws when it is not met in time */
async function waitFor({ padi, terminal }: Play, until: WaitCondition, cursor: string | null): Promise<void> {
  const after = cursor === null ? {} : { after: cursor };
  const wait = { id: idOf(terminal), until, timeoutMs: WITHIN_MS, ...after };
  const { result } = await padi.call("terminal.wait", wait);
  if (result !== "met") throw new Error(`${JSON.stringify(until)} was not met: ${result}`);
}

async function shows({ terminal }: Play, words: string): Promise<void> {
  const giveUpAtMs = Date.now() + WITHIN_MS;
  while (!(await terminal.screen()).includes(words)) {
    if (Date.now() > giveUpAtMs) throw new Error(`"${words}" did not come on the screen`);
    await sleep(100);
  }
}

/** As a person types: nothing submits it. */
async function types(play: Play, text: string): Promise<void> {
  await play.padi.call("terminal.sendInput", { id: idOf(play.terminal), text });
  // What is not drawn yet nobody can see.
  await shows(play, text);
}

async function clears(play: Play): Promise<void> {
  const { padi, terminal, agent } = play;
  const { cursor } = await padi.call("terminal.sendInput", { id: idOf(terminal), key: agent.clearingKey });
  await settles(play, cursor);
}

async function settles(play: Play, cursor: string | null): Promise<void> {
  await waitFor(play, { kind: "idle", idleMs: 500 }, cursor);
}

/** The agent may write the message, and ask the model, a moment after it took it. */
async function whereItCame(
  play: Play,
  text: string,
  delivered: number,
): Promise<{ found: number; reached: boolean }> {
  const giveUpAtMs = Date.now() + WRITTEN_WITHIN_MS;
  for (;;) {
    const found = (await userMessages(play)).filter((message) => unwrapped(message) === text).length;
    // One that must not have been sent must not have been merged into another either.
    const reached = play.asked.some((one) => one.includes(text));
    if ((found >= delivered && reached) || delivered === 0 || Date.now() > giveUpAtMs)
      return { found, reached };
    await sleep(100);
  }
}

/** Claude Code wraps a paste that its composer folds (2.1.332); what is inside has to be the text, byte for byte. */
function unwrapped(message: string): string {
  const wrapped = /^\s*<pasted_content id="(\w+)">\n([\s\S]*)\n<\/pasted_content id="\1">\s*$/.exec(message);
  return wrapped ? wrapped[2]! : message;
}

async function userMessages({ padi, terminal }: Play): Promise<string[]> {
  try {
    const { items } = await padi.call("transcript.read", { id: idOf(terminal) });
    return items.flatMap((item) => (item.kind === "user" ? [item.text] : []));
  } catch (error) {
    // Before its first message is written it has none.
    if (error instanceof Refusal && error.kind === "no-transcript") return [];
    throw error;
  }
}

// ---- a program that is slow, or stands still

function signals(terminal: Terminal, signal: NodeJS.Signals): void {
  process.kill(terminal.agent()!.pid!, signal);
}

/** Stops and continues the agent until it is done. */
async function slowly<T>({ terminal }: Play, work: () => Promise<T>): Promise<T> {
  const over = new AbortController();
  const drags = (async () => {
    while (!over.signal.aborted) {
      signals(terminal, "SIGSTOP");
      await sleep(SLOW_STANDS_MS);
      signals(terminal, "SIGCONT");
      await sleep(SLOW_RUNS_MS);
    }
  })();
  try {
    return await work();
  } finally {
    over.abort();
    await drags;
  }
}
