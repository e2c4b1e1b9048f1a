// Prompts as transactions, given to the real Claude Code: every receipt is held against what the agent's own transcript
// says of the message.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { TerminalId } from "@kolu/contract/ids.ts";
import type { PromptReceipt } from "@kolu/contract/prompt.ts";
import { Refusal } from "@kolu/contract/refusals.ts";
import { openClaude } from "./claude.agents.ts";
import type { Outcome } from "./situations.ts";
import type { Stage, Terminal } from "./stage.ts";

const LINES = Array.from({ length: 120 }, (_, index) => `${index + 1}. keep line ${index + 1} as it is`);
const WITHIN_MS = 20_000;
/** One after the other, each held against the transcript. */
const IN_A_ROW = 15;

interface Trial {
  title: string;
  text: string;
  /** What the receipt, or the kind of the refusal, has to be. */
  expected: readonly string[];
  before?(terminal: Terminal): Promise<void>;
  after?(terminal: Terminal): Promise<void>;
  /** How often the transcript has to hold the message at the end. */
  delivered: number;
}

/** @param report called after each trial */
export async function runPrompting(version: string, report: (outcome: Outcome) => void): Promise<void> {
  await using stage = await openClaude(version);
  const terminal = await stage.start();
  for (const trial of trialsOf(stage)) report(await hold(stage, terminal, trial));
}

function trialsOf(stage: Stage): Trial[] {
  const rests = restsIn(stage);
  const accepted = { expected: ["accepted"], delivered: 1 };
  return [
    { title: "one line", text: "hello there", ...accepted, after: rests },
    { title: "one line at a session that has begun", text: "and hello again", ...accepted, after: rests },
    {
      title: "several lines",
      text: "first line\nsecond line\n\n    an indented one",
      ...accepted,
      after: rests,
    },
    {
      title: "everything that a shell would touch",
      text: "say 'it' \"twice\" `now` $(whoami) $HOME \\n 日本語 한국어 👨‍👩‍👧 é\nand a \\ at its end",
      ...accepted,
      after: rests,
    },
    { title: "120 lines", text: LINES.join("\n"), ...accepted, after: rests },
    {
      title: "a draft of somebody stands there",
      text: "must not be merged",
      before: (terminal) => types(stage, terminal, "half a thought"),
      expected: ["draft-in-composer"],
      after: (terminal) => presses(stage, terminal, "C-u"),
      delivered: 0,
    },
    { title: "the draft is gone", text: "now it may", ...accepted, after: rests },
    {
      title: "a turn that asks",
      text: "ASK",
      ...accepted,
      after: async (terminal) => {
        await stage.until(terminal.id, (record) => record?.agent?.state === "awaiting", WITHIN_MS);
      },
    },
    {
      title: "the agent asks",
      text: "must not answer it",
      expected: ["agent-awaiting"],
      after: async (terminal) => {
        await terminal.press("enter");
        await rests(terminal);
      },
      delivered: 0,
    },
    ...Array.from({ length: IN_A_ROW }, (_, index) => ({
      title: `in a row, ${index + 1}`,
      text: `number ${index + 1} of a row`,
      ...accepted,
      after: rests,
    })),
    { title: "a long turn", text: "SLOW(6) take your time", ...accepted },
    { title: "while it works", text: "this one waits its turn", ...accepted, after: rests },
  ];
}

async function hold(stage: Stage, terminal: Terminal, trial: Trial): Promise<Outcome> {
  const { title, text, expected, before, after, delivered } = trial;
  await before?.(terminal);
  const { words, elapsedMs } = await prompt(stage, terminal, text);
  await after?.(terminal);
  const found = await countInTranscripts(stage.kolu.home, text);
  return {
    title,
    expected: `${expected.join(" or ")}, in the transcript ${delivered} times`,
    seen: `${words}, ${found} times${elapsedMs === null ? "" : `, ${elapsedMs} ms`}`,
    ok: expected.includes(words.split(" ")[0]!) && found === delivered,
    delayMs: null,
    listedMs: null,
  };
}

async function prompt(
  stage: Stage,
  terminal: Terminal,
  text: string,
): Promise<{ words: string; elapsedMs: number | null }> {
  await using link = await stage.kolu.padi();
  try {
    const receipt = await link.client.call("terminal.prompt", { id: terminal.id as TerminalId, text });
    return { words: wordsOf(receipt), elapsedMs: receipt.elapsedMs };
  } catch (error) {
    if (error instanceof Refusal) return { words: error.kind, elapsedMs: null };
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

function restsIn(stage: Stage): (terminal: Terminal) => Promise<void> {
  return async ({ id }) => {
    await stage.until(id, (record) => record?.agent?.state === "waiting", WITHIN_MS);
  };
}

/** As a person types: nothing submits it. */
async function types(stage: Stage, { id }: Terminal, text: string): Promise<void> {
  await using link = await stage.kolu.padi();
  const { cursor } = await link.client.call("terminal.sendInput", { id: id as TerminalId, text });
  await settles(stage, id, cursor);
}

async function presses(stage: Stage, { id }: Terminal, key: string): Promise<void> {
  await using link = await stage.kolu.padi();
  const { cursor } = await link.client.call("terminal.sendInput", { id: id as TerminalId, key });
  await settles(stage, id, cursor);
}

async function settles(stage: Stage, id: string, after: string): Promise<void> {
  await using link = await stage.kolu.padi();
  const until = { kind: "idle" as const, idleMs: 500 };
  await link.client.call("terminal.wait", { id: id as TerminalId, until, after, timeoutMs: WITHIN_MS });
}

/** User messages of exactly this text, byte for byte, in every transcript of this home. */
async function countInTranscripts(home: string, text: string): Promise<number> {
  const projects = join(home, ".claude", "projects");
  const names = await readdir(projects, { recursive: true }).catch(() => []);
  let count = 0;
  for (const name of names.filter((one) => one.endsWith(".jsonl"))) {
    const lines = (await readFile(join(projects, name), "utf8")).split("\n").filter((line) => line !== "");
    count += lines.filter((line) => userTextOf(JSON.parse(line)) === text).length;
  }
  return count;
}

function userTextOf(entry: { type?: string; message?: { content?: unknown } }): string | null {
  if (entry.type !== "user") return null;
  const content = entry.message?.content;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return null;
  const first = content[0] as { type?: string; text?: string } | undefined;
  return first?.type === "text" ? (first.text ?? null) : null;
}
