// Lines of a rollout as Codex 0.171.0 writes them, for tests.

export const THREAD = "01a22ba9-ab8b-7561-943f-cabddc094b84";
export const OTHER_THREAD = "01a22bac-537e-7ce0-a5e8-cccbe878d8de";
export const BEGAN_AT_MS = Date.parse("2026-11-30T08:55:02.000Z");

let clockMs = BEGAN_AT_MS;

/** One line, a millisecond after the one before. */
export function line(type: string, payload: unknown): string {
  clockMs += 1;
  return JSON.stringify({ timestamp: new Date(clockMs).toISOString(), ordinal: 0, type, payload });
}

export const event = (type: string, more: Record<string, unknown> = {}) =>
  line("event_msg", { type, ...more });
export const item = (type: string, more: Record<string, unknown> = {}) =>
  line("response_item", { type, ...more });

export const started = () => event("task_started", { turn_id: "t", model_context_window: 258_400 });
export const complete = (more: Record<string, unknown> = {}) =>
  event("task_complete", { turn_id: "t", ...more });
export const aborted = (reason = "interrupted") => event("turn_aborted", { turn_id: "t", reason });
export const context = (model: string) => line("turn_context", { turn_id: "t", model });
export const call = (callId: string, name: string, input: unknown = {}) =>
  item("function_call", { status: "completed", name, arguments: JSON.stringify(input), call_id: callId });
export const output = (callId: string, text: string) =>
  item("function_call_output", { call_id: callId, output: text });
export const tokens = (input: number) =>
  event("token_count", { info: { last_token_usage: { input_tokens: input, cached_input_tokens: 13_000 } } });
export const plan = () => event("item_completed", { item: { type: "Plan", text: "# Plan" } });
export const said = (role: "user" | "assistant", text: string, kinds?: string[]) =>
  item("message", {
    role,
    content: [{ type: role === "user" ? "input_text" : "output_text", text }],
    ...(kinds === undefined
      ? {}
      : { internal_chat_message_metadata_passthrough: { content_item_kinds: kinds } }),
  });
export const agentEnded = (threadId: string) =>
  said(
    "user",
    `<subagent_notification>\n{"agent_path":"${threadId}","status":{"completed":"Done."}}\n</subagent_notification>`,
    ["multi_agent.subagent_notification"],
  );
export const spawned = (callId: string, threadId: string, nickname: string) => [
  call(callId, "spawn_agent", { message: "look" }),
  output(callId, JSON.stringify({ agent_id: threadId, nickname })),
];
