// What the stand-in model answers: the prompt itself is the script. Pure. README.md lists the directives.
import { PLAN, type ToolUse, toolUses } from "./tools.ts";

export type Reply =
  | { kind: "text"; text: string; thinkMs: number; streamMs: number }
  | { kind: "tools"; uses: ToolUse[]; text: string | null; thinkMs: number; streamMs: number }
  | { kind: "failure"; httpStatus: number }
  /** The connection ends without a word. */
  | { kind: "cut" }
  | { kind: "silence" };

interface Step {
  word: string | null;
  argument: string | null;
  thinkMs: number;
  streamMs: number;
  text: string | null;
  /** Lines of the closing text; null for a short one. */
  lines: number | null;
}

const TOOL_WORDS = "TOOL|PAR|BG|PERM|ASK2|ASK|PLAN|TODO|BGAGENT|AGENT|WORKFLOW|EDIT|ERR|CUT|HANG";
const DIRECTIVE = new RegExp(`\\b(SLOW|THINK|PRE|LONG|${TOOL_WORDS})\\b(?:\\(([^()]*)\\))?`, "g");
const LAST_WORDS_MS = 200;

/** A prompt as steps: each tool directive costs one reply, a closing text ends the turn. */
function stepsOf(prompt: string): Step[] {
  const steps: Step[] = [];
  const fresh = (): Step => ({
    word: null,
    argument: null,
    thinkMs: 0,
    streamMs: 0,
    text: null,
    lines: null,
  });
  let step = fresh();
  for (const [, word, argument] of prompt.matchAll(DIRECTIVE)) {
    if (word === "SLOW") step.streamMs = Number(argument ?? 10) * 1_000;
    else if (word === "THINK") step.thinkMs = Number(argument ?? 5) * 1_000;
    else if (word === "LONG") step.lines = Number(argument ?? 40);
    else if (word === "PRE") step.text = argument ?? "Let me look at that first.";
    else {
      steps.push({ ...step, word: word!, argument: argument ?? null });
      step = fresh();
    }
  }
  return [...steps, step];
}

/**
 * The reply to a conversation.
 * @param prompt the newest human prompt
 * @param repliesSince how many replies the model has given to it
 * @param offered names of the tools that the caller offers
 */
export function replyTo(prompt: string, repliesSince: number, offered: readonly string[]): Reply {
  if (offered.length === 0) {
    const title = /\bTITLE\(([^()]*)\)/.exec(prompt)?.[1] ?? "Rename the demo button";
    return text(JSON.stringify({ title }), 0);
  }
  const forChild = !/AGENT\(/.test(prompt);
  if (forChild && /\bCHILDSLOW\b/.test(prompt)) return text("The child took its time.", 20_000);
  if (forChild && /\bCHILD\b/.test(prompt)) return text("The child is done.", 6_000);
  const steps = stepsOf(prompt);
  const step = steps[Math.min(repliesSince, steps.length - 1)]!;
  const { word, argument, thinkMs, streamMs } = step;
  if (word === null) {
    return {
      kind: "text",
      text: lastWords(step, repliesSince),
      thinkMs,
      streamMs: streamMs || LAST_WORDS_MS,
    };
  }
  if (word === "CUT") return { kind: "cut" };
  if (word === "ERR") return { kind: "failure", httpStatus: Number(argument ?? 500) };
  if (word === "HANG") return { kind: "silence" };
  const uses = toolUses(word, argument, offered);
  // Codex has no tool for it: a plan is a marked part of what the model says.
  if (uses === null && word === "PLAN" && offered.includes("request_user_input")) {
    return text(`<proposed_plan>\n${PLAN}\n</proposed_plan>`, 0);
  }
  if (uses === null) return text(`No tool for ${word} is offered, only: ${offered.join(", ")}`, 0);
  return { kind: "tools", uses, text: step.text, thinkMs, streamMs };
}

function lastWords({ lines }: Step, repliesSince: number): string {
  if (lines !== null)
    return Array.from({ length: lines }, (_, at) => `Line ${at + 1} of a longer answer.`).join("\n");
  return repliesSince > 0 ? "The demo work is finished." : "Hello from the stand-in model, at your service.";
}

function text(words: string, streamMs: number): Reply {
  return { kind: "text", text: words, thinkMs: 0, streamMs };
}
