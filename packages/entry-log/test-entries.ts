// Entries as Pi writes them, for tests.

let nextId = 0;
/** Each entry is the child of the one before. */
const chained = () => {
  nextId += 1;
  return { id: `e${nextId}`, parentId: `e${nextId - 1}`, timestamp: "2026-11-30T08:50:00.000Z" };
};

export const header = (sessionId = "s1", cwd = "/work", timestamp = "2026-11-30T08:49:00.000Z"): string =>
  JSON.stringify({ type: "session", version: 3, id: sessionId, timestamp, cwd });

export const message = (fields: object, entry: object = {}): string =>
  JSON.stringify({ type: "message", ...chained(), ...entry, message: fields });

export const prompt = (text = "hello", entry: object = {}): string =>
  message({ role: "user", content: [{ type: "text", text }] }, entry);

export const USAGE = { input: 240, output: 42, cacheRead: 1_000, cacheWrite: 10 };
const NO_USAGE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

export const answer = (stopReason: string, fields: object = {}, entry: object = {}): string => {
  const counted = stopReason === "aborted" || stopReason === "error" ? NO_USAGE : USAGE;
  const content = [{ type: "text", text: "Well." }];
  const said = { role: "assistant", content, model: "demo-large", usage: counted, stopReason };
  return message({ ...said, ...fields }, entry);
};

export const call = (...ids: string[]): string =>
  answer("toolUse", {
    content: ids.map((one) => ({
      type: "toolCall",
      id: one,
      name: "bash",
      arguments: { command: "sleep 5" },
    })),
  });

export const result = (toolCallId: string, fields: object = {}): string =>
  message({
    role: "toolResult",
    toolCallId,
    toolName: "bash",
    content: [{ type: "text", text: "done\n" }],
    isError: false,
    ...fields,
  });

export const entry = (type: string, fields: object = {}): string =>
  JSON.stringify({ type, ...chained(), ...fields });
