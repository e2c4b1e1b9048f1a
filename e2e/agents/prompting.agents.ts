// Prompts as transactions, given to the real Claude Code: every receipt is held against what the agent's own transcript
// says of the message.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { TerminalId } from "@kolu/contract/ids.ts";
import type { PromptReceipt } from "@kolu/contract/prompt.ts";
import { Refusal } from "@kolu/contract/refusals.ts";
import { openClaude } from "./claude.agents.ts";
import type { Outcome } from "./situations.ts";
import type { Stage, Terminal } from "./stage.ts";

const LINES = Array.from({ length: 120 }, (_, index) => `${index + 1}. keep line ${index + 1} as it is`);
const WITHIN_MS = 20_000;
const WRITTEN_WITHIN_MS = 3_000;
/** One after the other, each held against the transcript. */
const IN_A_ROW = 15;

interface Trial {
  title: string;
  text: string;
  /** What the receipt, or the kind of the refusal, has to be. */
  expected: readonly string[];
  before?(terminal: Terminal): Promise<void>;
  /** `cursor`: of the prompt, when one was sent. */
  after?(terminal: Terminal, cursor: string | null): Promise<void>;
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
      after: (terminal, cursor) => reaches(stage, terminal, "awaiting", cursor),
    },
    {
      title: "the agent asks",
      text: "must not answer it",
      expected: ["agent-awaiting"],
      after: async (terminal) => {
        await terminal.press("enter");
        await rests(terminal, null);
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
  const { words, elapsedMs, cursor } = await prompt(stage, terminal, text);
  await after?.(terminal, cursor);
  const found = await countInTranscripts(stage.kolu.home, text, delivered);
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
): Promise<{ words: string; elapsedMs: number | null; cursor: string | null }> {
  await using link = await stage.kolu.padi();
  try {
    const receipt = await link.client.call("terminal.prompt", { id: terminal.id as TerminalId, text });
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

/** Until the turn that the prompt began is over. */
function restsIn(stage: Stage): (terminal: Terminal, cursor: string | null) => Promise<void> {
  return (terminal, cursor) => reaches(stage, terminal, "waiting", cursor);
}

async function reaches(
  stage: Stage,
  { id }: Terminal,
  bucket: "waiting" | "awaiting",
  cursor: string | null,
): Promise<void> {
  await using link = await stage.kolu.padi();
  const until = { kind: "agent" as const, buckets: [bucket] };
  const after = cursor === null ? {} : { after: cursor };
  await link.client.call("terminal.wait", { id: id as TerminalId, until, timeoutMs: WITHIN_MS, ...after });
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

/** The agent may write the message a moment after it took it. */
async function countInTranscripts(home: string, text: string, wanted: number): Promise<number> {
  const giveUpAtMs = Date.now() + WRITTEN_WITHIN_MS;
  for (;;) {
    const count = (await userMessages(home)).filter((message) => unwrapped(message) === text).length;
    if (count >= wanted || Date.now() > giveUpAtMs) return count;
    await sleep(100);
  }
}

/** Every message of a person in every transcript of this home. */
async function userMessages(home: string): Promise<string[]> {
  const projects = join(home, ".claude", "projects");
  const names = await readdir(projects, { recursive: true }).catch(() => []);
  const messages: string[] = [];
  for (const name of names.filter((one) => one.endsWith(".jsonl"))) {
    const text = await readFile(join(projects, name), "utf8");
    // The last line may be half written.
    for (const line of text.split("\n").slice(0, -1))
      if (line !== "") messages.push(...textsOf(JSON.parse(line)));
  }
  return messages;
}

/** A paste that the composer folds is wrapped (2.1.332); what is inside has to be the text, byte for byte. */
function unwrapped(message: string): string {
  const wrapped = /^\s*<pasted_content id="(\w+)">\n([\s\S]*)\n<\/pasted_content id="\1">\s*$/.exec(message);
  return wrapped ? wrapped[2]! : message;
}

/** A message may come with blocks of the harness beside the person's own. */
function textsOf(entry: { type?: string; message?: { content?: unknown } }): string[] {
  if (entry.type !== "user") return [];
  const content = entry.message?.content;
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) return [];
  return (content as { text?: string }[]).flatMap((block) => block.text ?? []);
}
