// A model that is none: an HTTP server on the loopback that speaks three protocols and follows the directives in the prompt
// (script.ts). Real agents run against it without a network, an account or a cost.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { anthropic } from "./anthropic.ts";
import { chat } from "./chat.ts";
import { type Protocol, sendJson } from "./exchange.ts";
import { responses } from "./responses.ts";
import { type Reply, replyTo } from "./script.ts";

export interface StandInModel extends AsyncDisposable {
  /** Without a path: for ANTHROPIC_BASE_URL; OpenAI's clients want `/v1` after it. */
  url: string;
  /** Resolves when the next question arrives. */
  askedAgain(): Promise<void>;
}

const PROTOCOLS: readonly Protocol[] = [anthropic, responses, chat];

/**
 * The reply to a conversation.
 * @param results what the tools have answered since the prompt
 */
export type ModelScript = (
  prompt: string,
  repliesSince: number,
  offered: readonly string[],
  results: readonly string[],
) => Reply;

/** @param script what it answers; absent: the directives of script.ts */
export async function startStandInModel(script: ModelScript = replyTo): Promise<StandInModel> {
  const stop = new AbortController();
  let nextQuestion = Promise.withResolvers<void>();
  const onQuestion = (): void => {
    nextQuestion.resolve();
    nextQuestion = Promise.withResolvers();
  };
  const server = createServer((request, response) => {
    serve(request, response, { script, onQuestion, stop: stop.signal }).catch((cause: unknown) => {
      if (!stop.signal.aborted) process.stderr.write(`stand-in model: ${cause}\n`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    askedAgain: () => nextQuestion.promise,
    async [Symbol.asyncDispose]() {
      stop.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { script, onQuestion, stop }: { script: ModelScript; onQuestion(): void; stop: AbortSignal },
): Promise<void> {
  const raw = await readBody(request);
  const { pathname } = new URL(request.url ?? "/", "http://stand-in");
  if (pathname.endsWith("/count_tokens")) return sendJson(response, 200, { input_tokens: tokensOf(raw) });
  if (pathname.endsWith("/models")) return sendJson(response, 200, MODELS);
  const protocol = PROTOCOLS.find((one) => pathname.endsWith(one.path));
  if (protocol === undefined) return sendJson(response, request.method === "HEAD" ? 200 : 404, {});
  onQuestion();
  const asked = protocol.read(JSON.parse(raw) as Record<string, unknown>);
  const reply = script(asked.prompt, asked.repliesSince, asked.offered, asked.results ?? []);
  if (reply.kind === "cut") return void response.destroy();
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
    await protocol.answer(response, { asked, reply, tokens: tokensOf(raw), signal });
  } catch (cause) {
    if (!signal.aborted) throw cause;
  }
}

const MODELS = {
  object: "list",
  data: [{ id: "demo-model", object: "model", type: "model", display_name: "Demo" }],
  models: [],
};

/** Grows with the request, so that every turn has its own count. */
function tokensOf(raw: string): number {
  return Math.ceil(raw.length / 4);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
