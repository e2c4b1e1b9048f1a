// OpenAI's chat completions: OpenCode, Pi, Oh My Pi, Grok.
import {
  type Content,
  humanWords,
  nextId,
  overTime,
  type Protocol,
  sendJson,
  THOUGHTS,
  words,
} from "./exchange.ts";

interface ChatRequest {
  model?: string;
  stream?: boolean;
  tools?: { function?: { name: string } }[];
  messages?: { role: string; content: Content }[];
}

export const chat: Protocol = {
  path: "/chat/completions",
  read: (body) => {
    const { model = "demo", stream = false, tools = [], messages = [] } = body as ChatRequest;
    const at = messages.findLastIndex(
      (message) => message.role === "user" && humanWords(message.content) !== "",
    );
    return {
      model,
      stream,
      offered: tools.map((tool) => tool.function?.name ?? ""),
      prompt: at < 0 ? "" : humanWords(messages[at]!.content),
      repliesSince: messages.slice(at + 1).filter((message) => message.role === "assistant").length,
    };
  },
  answer: async (response, { asked, reply, tokens, signal }) => {
    const usage = {
      prompt_tokens: tokens,
      prompt_tokens_details: { cached_tokens: 0 },
      completion_tokens: 42,
      total_tokens: tokens + 42,
    };
    const base = {
      id: nextId("chatcmpl"),
      model: asked.model,
      created: Math.floor(Date.now() / 1000),
    };
    if (!asked.stream) {
      const message = { role: "assistant", content: reply.text ?? "" };
      const choices = [{ index: 0, message, finish_reason: "stop" }];
      return sendJson(response, 200, { ...base, object: "chat.completion", choices, usage });
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (delta: object, more: object = {}, finishReason: string | null = null) => {
      const choices = [{ index: 0, delta, finish_reason: finishReason }];
      const chunk = { ...base, object: "chat.completion.chunk", choices, ...more };
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    };
    send({ role: "assistant", content: "" });
    if (reply.thinkMs > 0) {
      await overTime(words(THOUGHTS), reply.thinkMs, signal, (word) => send({ reasoning_content: word }));
    }
    if (reply.text !== null) {
      await overTime(words(reply.text), reply.streamMs, signal, (word) => send({ content: word }));
    }
    const uses = reply.kind === "tools" ? reply.uses : [];
    for (const [index, { name, input }] of uses.entries()) {
      const call = { name, arguments: JSON.stringify(input) };
      send({ tool_calls: [{ index, id: nextId("call"), type: "function", function: call }] });
    }
    send({}, { usage }, reply.kind === "tools" ? "tool_calls" : "stop");
    response.end("data: [DONE]\n\n");
  },
};
