// OpenAI's Responses API: Codex.
import { type Content, humanWords, nextId, overTime, type Protocol, THOUGHTS, words } from "./exchange.ts";
import type { ToolUse } from "./tools.ts";

interface Item {
  type?: string;
  role?: string;
  content?: Content;
}
/** Codex offers related tools as a namespace: one entry that holds several. */
interface OfferedTool {
  name?: string;
  type?: string;
  tools?: { name: string }[];
}
interface ResponsesRequest {
  model?: string;
  tools?: OfferedTool[];
  input?: Item[];
}

export const responses: Protocol = {
  path: "/responses",
  read: (body) => {
    const { model = "demo", tools = [], input = [] } = body as ResponsesRequest;
    const at = input.findLastIndex((item) => item.role === "user" && humanWords(item.content) !== "");
    return {
      model,
      stream: true,
      offered: tools.flatMap(namesOf),
      namespaces: new Map(
        tools.flatMap(({ name = "", tools: held = [] }) => held.map((one) => [one.name, name])),
      ),
      prompt: at < 0 ? "" : humanWords(input[at]!.content),
      repliesSince: repliesIn(input.slice(at + 1)),
    };
  },
  answer: async (response, { asked, reply, tokens, signal }) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (type: string, more: object = {}) =>
      response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`);
    const id = nextId("resp");
    const output: object[] = [];
    const begin = (item: object) => send("response.output_item.added", { output_index: output.length, item });
    const finish = (item: object) => {
      send("response.output_item.done", { output_index: output.length, item });
      output.push(item);
    };
    send("response.created", { response: { id, status: "in_progress" } });
    if (reply.thinkMs > 0) {
      const item = { type: "reasoning", id: nextId("rs") };
      begin({ ...item, summary: [] });
      const where = { item_id: item.id, output_index: output.length, summary_index: 0 };
      await overTime(words(`**Considering** ${THOUGHTS}`), reply.thinkMs, signal, (delta) =>
        send("response.reasoning_summary_text.delta", { ...where, delta }),
      );
      finish({ ...item, summary: [{ type: "summary_text", text: `**Considering** ${THOUGHTS}` }] });
    }
    if (reply.text !== null) {
      const item = { type: "message", id: nextId("msg"), role: "assistant" };
      begin({ ...item, status: "in_progress", content: [] });
      const where = { item_id: item.id, output_index: output.length, content_index: 0 };
      await overTime(words(reply.text), reply.streamMs, signal, (delta) =>
        send("response.output_text.delta", { ...where, delta }),
      );
      const content = [{ type: "output_text", text: reply.text, annotations: [] }];
      finish({ ...item, status: "completed", content });
    }
    for (const use of reply.kind === "tools" ? reply.uses : []) {
      const { empty, whole } = callItems(use, asked.namespaces?.get(use.name));
      begin(empty);
      finish(whole);
    }
    const usage = {
      input_tokens: tokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 42,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: tokens + 42,
    };
    send("response.completed", { response: { id, status: "completed", output, usage } });
    response.end();
  },
};

/** One reply is a run of the model's items that the results of its calls close. */
function repliesIn(items: readonly Item[]): number {
  let replies = 0;
  let within = false;
  for (const item of items) {
    const type = item.type ?? "";
    if (type.endsWith("_output")) {
      if (within) replies += 1;
      within = false;
    } else if (item.role === "assistant" || type.endsWith("_call")) within = true;
  }
  return replies;
}

function namesOf({ name, type, tools: held }: OfferedTool): string[] {
  return [name ?? type ?? "", ...(held ?? []).map((one) => one.name)];
}

function callItems(
  { name, input, freeText }: ToolUse,
  namespace: string | undefined,
): { empty: object; whole: object } {
  const callId = nextId("call");
  if (freeText !== undefined) {
    const item = {
      type: "custom_tool_call",
      id: nextId("ctc"),
      call_id: callId,
      name,
      status: "completed",
    };
    return { empty: { ...item, input: "" }, whole: { ...item, input: freeText } };
  }
  const within = namespace === undefined ? {} : { namespace };
  const item = {
    type: "function_call",
    id: nextId("fc"),
    call_id: callId,
    name,
    ...within,
    status: "completed",
  };
  return { empty: { ...item, arguments: "" }, whole: { ...item, arguments: JSON.stringify(input) } };
}
