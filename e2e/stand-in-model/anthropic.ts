// Anthropic's Messages API: Claude Code.
import {
  blocksOf,
  type Content,
  humanWords,
  nextId,
  overTime,
  type Protocol,
  sendJson,
  THOUGHTS,
  words,
} from "./exchange.ts";

interface MessagesRequest {
  model?: string;
  stream?: boolean;
  tools?: { name: string }[];
  messages?: { role: string; content: Content }[];
}

export const anthropic: Protocol = {
  path: "/messages",
  read: (body) => {
    const { model = "demo", stream = false, tools = [], messages = [] } = body as MessagesRequest;
    const offered = tools.map((tool) => tool.name);
    // Claude Code defers some tools behind a search, yet runs them when they are called outright.
    if (offered.includes("ToolSearch")) offered.push("ExitPlanMode", "TodoWrite");
    const at = messages.findLastIndex(
      (message) => message.role === "user" && promptIn(message.content) !== "",
    );
    const prompt = at < 0 ? "" : promptIn(messages[at]!.content);
    const repliesSince = messages.slice(at + 1).filter((message) => message.role === "assistant").length;
    const results = messages
      .slice(at + 1)
      .flatMap((message) => blocksOf(message.content))
      .filter((block) => block.type === "tool_result")
      .map((block) =>
        blocksOf(block.content)
          .map(({ type, text }) => text ?? `[${type}]`)
          .join("\n"),
      );
    return { model, stream, offered, prompt, repliesSince, results };
  },
  answer: async (response, { asked, reply, tokens, signal }) => {
    const usage = {
      input_tokens: tokens,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 1,
    };
    const message = { id: nextId("msg"), type: "message", role: "assistant", model: asked.model, usage };
    if (!asked.stream) {
      const content = [{ type: "text", text: reply.text ?? "" }];
      return sendJson(response, 200, { ...message, content, stop_reason: "end_turn", stop_sequence: null });
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (type: string, more: object = {}) =>
      response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`);
    let index = -1;
    const block = async (kind: object, deltas: object[], overMs: number) => {
      index += 1;
      send("content_block_start", { index, content_block: kind });
      await overTime(deltas, overMs, signal, (delta) => send("content_block_delta", { index, delta }));
      send("content_block_stop", { index });
    };
    send("message_start", { message: { ...message, content: [], stop_reason: null, stop_sequence: null } });
    if (reply.thinkMs > 0) {
      const deltas = words(THOUGHTS).map((thinking) => ({ type: "thinking_delta", thinking }));
      await block({ type: "thinking", thinking: "", signature: "" }, deltas, reply.thinkMs);
    }
    if (reply.text !== null) {
      const deltas = words(reply.text).map((text) => ({ type: "text_delta", text }));
      await block({ type: "text", text: "" }, deltas, reply.streamMs);
    }
    for (const { name, input } of reply.kind === "tools" ? reply.uses : []) {
      const delta = { type: "input_json_delta", partial_json: JSON.stringify(input) };
      await block({ type: "tool_use", id: nextId("toolu"), name, input: {} }, [delta], 0);
    }
    const stopReason = reply.kind === "tools" ? "tool_use" : "end_turn";
    send("message_delta", {
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { output_tokens: 42 },
    });
    send("message_stop");
    response.end();
  },
};

/** Text beside a tool's result is the harness's, unless an interrupted turn's next prompt was merged into it. */
function promptIn(content: Content): string {
  const blocks = blocksOf(content);
  const hasResult = blocks.some((block) => block.type === "tool_result");
  if (hasResult && !blocks.some((block) => block.text?.includes("[Request interrupted"))) return "";
  return humanWords(blocks.filter((block) => block.type === "text"));
}
