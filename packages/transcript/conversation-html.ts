// The items of a conversation -> prompts and what the agent did between them. Pure.
import type { TranscriptItem } from "@kolu/contract/transcript.ts";
import { answerText, noteLine, reasoningFold, type ToolItem, toolFold, userText } from "./item-html.ts";
import { countOf, escapeText, firstLine } from "./text.ts";
import { type Clock, timeElement } from "./times.ts";

/** Chat: what was said, and in one line what was left out between. Full: everything, folded where it is not said. */
export type TranscriptMode = "chat" | "full";

export interface ConversationContext {
  mode: TranscriptMode;
  agentName: string;
  cwd: string | null;
  clock: Clock;
}

type UserItem = Extract<TranscriptItem, { kind: "user" }>;
type AgentItem = Exclude<TranscriptItem, { kind: "user" }>;
type Part = { kind: "prompt"; item: UserItem; number: number } | { kind: "work"; items: AgentItem[] };

/** Prompts from which on a list of them is worth its place. */
const CONTENTS_MIN_PROMPTS = 4;
const CONTENTS_MAX_CHARS = 120;

export function conversationHtml(items: readonly TranscriptItem[], context: ConversationContext): string {
  if (items.length === 0) return '<p class="note">Nothing has been said yet.</p>';
  const parts = partsOf(items);
  let model: string | null = null;
  const told = parts.map((part) => {
    if (part.kind === "prompt") return promptHtml(part, context);
    const html = workHtml(part.items, model, context);
    model = modelOf(part.items) ?? model;
    return html;
  });
  return contentsHtml(parts) + told.join("");
}

function partsOf(items: readonly TranscriptItem[]): Part[] {
  const parts: Part[] = [];
  let number = 0;
  for (const item of items) {
    const last = parts.at(-1);
    if (item.kind === "user") parts.push({ kind: "prompt", item, number: ++number });
    else if (last?.kind === "work") last.items.push(item);
    else parts.push({ kind: "work", items: [item] });
  }
  return parts;
}

function contentsHtml(parts: readonly Part[]): string {
  const prompts = parts.filter((part) => part.kind === "prompt");
  if (prompts.length < CONTENTS_MIN_PROMPTS) return "";
  const rows = prompts.map(({ item, number }) => {
    const words = escapeText(firstLine(item.text, CONTENTS_MAX_CHARS));
    return `<li><a href="#prompt-${number}" dir="auto">${words}</a></li>`;
  });
  const summary = `<span class="row-name">Contents</span><span class="row-about">${countOf(prompts.length, "prompt")}</span>`;
  return `<nav aria-label="Prompts"><details class="fold contents"><summary>${summary}</summary><ol class="fold-body">${rows.join("")}</ol></details></nav>`;
}

function promptHtml(
  { item, number }: Extract<Part, { kind: "prompt" }>,
  { clock }: ConversationContext,
): string {
  const header = `<header><h2>You</h2>${timeOf(item, clock)}</header>`;
  return `<section class="prompt" id="prompt-${number}">${header}${userText(item.text)}</section>`;
}

function workHtml(
  items: readonly AgentItem[],
  modelBefore: string | null,
  context: ConversationContext,
): string {
  const body = context.mode === "full" ? fullBody(items, context) : chatBody(items);
  const model = modelOf(items);
  const named =
    model === null || model === modelBefore ? "" : `<span class="model">${escapeText(model)}</span>`;
  const header = `<header><h2>${escapeText(context.agentName)}</h2>${named}${timeOf(items[0]!, context.clock)}</header>`;
  return `<section class="work">${header}${body}</section>`;
}

function modelOf(items: readonly AgentItem[]): string | null {
  return items.findLast((item) => item.kind === "assistant")?.model ?? null;
}

function fullBody(items: readonly AgentItem[], { cwd }: ConversationContext): string {
  return items.map((item) => (item.kind === "tool" ? toolFold(item, cwd) : wordsHtml(item))).join("");
}

function wordsHtml(item: Exclude<AgentItem, ToolItem>): string {
  switch (item.kind) {
    case "assistant":
      return answerText(item.text);
    case "reasoning":
      return reasoningFold(item.text);
    case "note":
      return noteLine(item.text);
    default:
      return item satisfies never;
  }
}

/** Answers and notes; calls and reasoning between them become one line that says how much is not here. */
function chatBody(items: readonly AgentItem[]): string {
  const told: string[] = [];
  let calls: ToolItem[] = [];
  const endSteps = (): void => {
    if (calls.length > 0) told.push(`<p class="steps">${stepsLine(calls)}</p>`);
    calls = [];
  };
  for (const item of items) {
    if (item.kind === "tool") calls.push(item);
    else if (item.kind !== "reasoning") {
      endSteps();
      told.push(wordsHtml(item));
    }
  }
  endSteps();
  return told.join("");
}

function stepsLine(calls: readonly ToolItem[]): string {
  const files = new Set(calls.flatMap(({ edits }) => edits.map(({ path }) => path))).size;
  const changed = files === 0 ? "" : `, ${countOf(files, "file")} changed`;
  return `${countOf(calls.length, "tool call")}${changed}`;
}

function timeOf({ atMs }: TranscriptItem, clock: Clock): string {
  return atMs === null ? "" : timeElement(atMs, clock.timeOfDay(atMs));
}
