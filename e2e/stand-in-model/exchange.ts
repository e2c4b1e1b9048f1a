// What the three protocols share: one request, the reply that the script gives it, a stream of events back.
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Reply } from "./script.ts";

/** A request of a model, in the words of no protocol. */
export interface Asked {
  model: string;
  /** The newest words of a person. */
  prompt: string;
  /** How many replies the model has given to them. */
  repliesSince: number;
  offered: string[];
  /** What the tools that those replies called have answered, as text, in order. */
  results?: string[];
  /** By name of a tool: the namespace that it is offered in, where the protocol has such. */
  namespaces?: ReadonlyMap<string, string>;
  /** False: the answer is wanted whole. */
  stream: boolean;
}

export interface Answering {
  asked: Asked;
  reply: Extract<Reply, { kind: "text" | "tools" }>;
  tokens: number;
  signal: AbortSignal;
}

export interface Protocol {
  /** Ends of the paths that speak it. */
  path: string;
  read(body: Record<string, unknown>): Asked;
  answer(response: ServerResponse, answering: Answering): Promise<void>;
}

export interface ContentBlock {
  type: string;
  text?: string;
  /** Of a tool's result. */
  content?: Content;
}
export type Content = string | ContentBlock[] | null | undefined;

export function blocksOf(content: Content): ContentBlock[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : (content ?? []);
}

const HARNESS_WORDS =
  /<(system-reminder|task-notification|environment_context|user_instructions|local-command-[a-z]+|command-[a-z]+)>[\s\S]*?<\/\1>|\[Request interrupted[^\]]*\]|\(no content\)/g;

/** The human words of a message: its last text, without what the harness adds. */
export function humanWords(content: Content): string {
  const texts = blocksOf(content).map((block) => (block.text ?? "").replaceAll(HARNESS_WORDS, "").trim());
  return texts.filter(Boolean).at(-1) ?? "";
}

export function words(text: string): string[] {
  return text.split(/(?<=\s)/);
}

/** Says each part in turn, spread over the time. */
export async function overTime<T>(
  parts: readonly T[],
  ms: number,
  signal: AbortSignal,
  say: (part: T) => void,
): Promise<void> {
  for (const part of parts) {
    say(part);
    await sleep(ms / parts.length, undefined, { signal });
  }
}

export const THOUGHTS = "Considering the request step by step.";

let nextNumber = 0;
export function nextId(prefix: string): string {
  nextNumber += 1;
  return `${prefix}_${nextNumber}`;
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
