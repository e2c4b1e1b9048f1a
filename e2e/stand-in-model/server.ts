// A model that is none: an HTTP server on the loopback that speaks Anthropic's Messages API and follows the directives in
// the prompt (script.ts). The real agent runs against it without a network, an account or a cost.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Reply, replyTo } from "./script.ts";

export interface StandInModel extends AsyncDisposable {
  /** For ANTHROPIC_BASE_URL. */
  url: string;
}

/** @param script what it answers; absent: the directives of script.ts */
export async function startStandInModel(script = replyTo): Promise<StandInModel> {
  const stop = new AbortController();
  const server = createServer((request, response) => {
    serve(request, response, { script, stop: stop.signal }).catch((cause: unknown) => {
      if (!stop.signal.aborted) process.stderr.write(`stand-in model: ${cause}\n`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      stop.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Block {
  type: string;
  text?: string;
}
interface MessagesRequest {
  model?: string;
  stream?: boolean;
  tools?: { name: string }[];
  messages?: { role: string; content: string | Block[] }[];
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { script, stop }: { script: typeof replyTo; stop: AbortSignal },
): Promise<void> {
  const raw = await readBody(request);
  const { pathname } = new URL(request.url ?? "/", "http://stand-in");
  if (pathname.endsWith("/count_tokens")) return sendJson(response, 200, { input_tokens: tokensOf(raw) });
  if (!pathname.endsWith("/messages")) return sendJson(response, request.method === "HEAD" ? 200 : 404, {});
  const body = JSON.parse(raw) as MessagesRequest;
  const reply = answer(body, script);
  if (reply.kind === "failure") {
    return sendJson(response, reply.httpStatus, {
      type: "error",
      error: { type: "api_error", message: "The stand-in model fails as it was told to" },
    });
  }
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const signal = AbortSignal.any([gone.signal, stop]);
  if (reply.kind === "silence") return untilAborted(signal);
  try {
    await streamReply(response, reply, { model: body.model ?? "demo", tokens: tokensOf(raw), signal });
  } catch (cause) {
    if (!signal.aborted) throw cause;
  }
}

function answer(body: MessagesRequest, script: typeof replyTo): Reply {
  const offered = (body.tools ?? []).map((tool) => tool.name);
  // Claude Code defers some tools behind a search, yet runs them when they are called outright.
  if (offered.includes("ToolSearch")) offered.push("ExitPlanMode", "TodoWrite");
  const messages = body.messages ?? [];
  const at = messages.findLastIndex((message) => message.role === "user" && promptIn(message.content) !== "");
  const prompt = at < 0 ? "" : promptIn(messages[at]!.content);
  const repliesSince = messages.slice(at + 1).filter((message) => message.role === "assistant").length;
  return script(prompt, repliesSince, offered);
}

/** The human words of a user message: the last text block, without what the harness adds. Text beside a tool's result is the
 * harness's, unless an interrupted turn's next prompt was merged into it. */
function promptIn(content: string | Block[]): string {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const texts = blocks.filter((block) => block.type === "text").map((block) => block.text ?? "");
  const hasResult = blocks.some((block) => block.type === "tool_result");
  if (hasResult && !texts.some((one) => one.includes("[Request interrupted"))) return "";
  const clean = texts.map((one) => one.replaceAll(HARNESS_WORDS, "").trim()).filter(Boolean);
  return clean.at(-1) ?? "";
}

const HARNESS_WORDS =
  /<(system-reminder|task-notification|local-command-[a-z]+|command-[a-z]+)>[\s\S]*?<\/\1>|\[Request interrupted[^\]]*\]|\(no content\)/g;

/** Grows with the request, so that every turn has its own count. */
function tokensOf(raw: string): number {
  return Math.ceil(raw.length / 4);
}

let nextId = 0;

async function streamReply(
  response: ServerResponse,
  reply: Extract<Reply, { kind: "text" | "tools" }>,
  { model, tokens, signal }: { model: string; tokens: number; signal: AbortSignal },
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (type: string, more: object = {}) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`);
  let index = -1;
  const block = async (kind: object, deltas: object[], overMs: number) => {
    index += 1;
    send("content_block_start", { index, content_block: kind });
    for (const delta of deltas) {
      send("content_block_delta", { index, delta });
      await sleep(overMs / deltas.length, undefined, { signal });
    }
    send("content_block_stop", { index });
  };
  const usage = {
    input_tokens: tokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 1,
  };
  nextId += 1;
  const message = { id: `msg_${nextId}`, type: "message", role: "assistant", model, content: [], usage };
  send("message_start", { message: { ...message, stop_reason: null, stop_sequence: null } });
  if (reply.thinkMs > 0) {
    const deltas = words("Considering the request step by step.").map((thinking) => ({
      type: "thinking_delta",
      thinking,
    }));
    await block({ type: "thinking", thinking: "", signature: "" }, deltas, reply.thinkMs);
  }
  if (reply.text !== null) {
    const deltas = words(reply.text).map((text) => ({ type: "text_delta", text }));
    await block({ type: "text", text: "" }, deltas, reply.streamMs);
  }
  for (const use of reply.kind === "tools" ? reply.uses : []) {
    nextId += 1;
    const delta = { type: "input_json_delta", partial_json: JSON.stringify(use.input) };
    await block({ type: "tool_use", id: `toolu_${nextId}`, name: use.name, input: {} }, [delta], 0);
  }
  const stopReason = reply.kind === "tools" ? "tool_use" : "end_turn";
  send("message_delta", {
    delta: { stop_reason: stopReason, stop_sequence: null },
    usage: { output_tokens: 42 },
  });
  send("message_stop");
  response.end();
}

function words(text: string): string[] {
  return text.split(/(?<=\s)/);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
