// Entries of a transcript and states of a status file as 2.1.332 writes them, for tests that need an order of their own.
import type { ProgramRecord } from "@kolu/contract/program-status.ts";
import type { StatusFile } from "./records.ts";

/** Start of the process that the entries belong to, epoch milliseconds. */
export const STARTED_AT_MS = Date.parse("2026-11-30T08:00:00Z");

/** Milliseconds after the start, as Claude Code writes a time. */
export function at(ms: number): string {
  return new Date(STARTED_AT_MS + ms).toISOString();
}

type Entry = Record<string, unknown>;

export const prompt = (text = "do it", ms = 1_000): Entry => ({
  type: "user",
  message: { role: "user", content: text },
  origin: { kind: "human" },
  promptSource: "typed",
  timestamp: at(ms),
});

export const answer = (text = "done", more: Entry = {}, ms = 2_000): Entry => ({
  type: "assistant",
  message: {
    id: "msg_1",
    model: "claude-opus-5-5",
    content: [{ type: "text", text }],
    stop_reason: "end_turn",
    usage: { input_tokens: 100, cache_creation_input_tokens: 20, cache_read_input_tokens: 3 },
  },
  timestamp: at(ms),
  ...more,
});

export const call = (
  id: string,
  name = "Bash",
  input: Entry = { command: "sleep 5" },
  ms = 2_000,
): Entry => ({
  ...answer("", {}, ms),
  message: {
    id: "msg_2",
    model: "claude-opus-5-5",
    content: [{ type: "tool_use", id, name, input }],
    stop_reason: "tool_use",
    usage: { input_tokens: 100, cache_creation_input_tokens: 20, cache_read_input_tokens: 3 },
  },
});

export const result = (id: string, more: Entry = {}, ms = 3_000): Entry => ({
  type: "user",
  message: {
    role: "user",
    content: [{ type: "tool_result", tool_use_id: id, content: "ok", is_error: false }],
  },
  timestamp: at(ms),
  ...more,
});

export const rejection = (id: string): Entry => ({
  ...result(id),
  message: {
    role: "user",
    content: [
      {
        type: "tool_result",
        tool_use_id: id,
        content: "The user doesn't want to proceed with this tool use. The tool use was rejected",
        is_error: true,
      },
    ],
  },
  toolDenialKind: "user-rejected",
});

export const interruption = (what = ""): Entry => ({
  type: "user",
  message: { role: "user", content: [{ type: "text", text: `[Request interrupted by user${what}]` }] },
  rowSource: "harness",
  timestamp: at(3_000),
});

export const echo = (text: string, more: Entry = { rowSource: "local" }): Entry => ({
  type: "user",
  message: { role: "user", content: text },
  timestamp: at(3_000),
  ...more,
});

export const turnEnd = (more: Entry = {}): Entry => ({
  type: "system",
  subtype: "turn_duration",
  durationMs: 1_000,
  timestamp: at(4_000),
  ...more,
});

export const apiError = (text = "API Error: 400 no"): Entry => ({
  type: "assistant",
  message: {
    model: "<synthetic>",
    stop_reason: "stop_sequence",
    content: [{ type: "text", text }],
    usage: { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
  },
  isApiErrorMessage: true,
  apiErrorStatus: 400,
  timestamp: at(3_000),
});

export const notification = (taskId: string, status = "completed"): Entry => ({
  type: "queue-operation",
  operation: "enqueue",
  content: `<task-notification>\n<task-id>${taskId}</task-id>\n<status>${status}</status>\n</task-notification>`,
  timestamp: at(5_000),
});

export const bookkeeping: readonly Entry[] = [
  { type: "last-prompt", lastPrompt: "do it" },
  { type: "mode", mode: "normal" },
  { type: "permission-mode", permissionMode: "default" },
  { type: "file-history-snapshot", snapshot: {} },
  { type: "attachment", attachment: { type: "date" }, timestamp: at(1_500) },
];

export const agentLaunch = {
  isAsync: true,
  status: "async_launched",
  agentId: "a0123456789abcdef",
  description: "Look around",
};
export const workflowLaunch = {
  status: "async_launched",
  taskId: "w01234567",
  taskType: "local_workflow",
  workflowName: "demo-sweep",
  runId: "wf_1-2",
};
export const shellLaunch = { stdout: "", backgroundTaskId: "b01234567" };

export function statusFile(status: string | null, more: Partial<StatusFile> = {}): StatusFile {
  return {
    pid: 69,
    sessionId: "11111111-2222-3333-4444-555555555555",
    cwd: "/tmp/demo/project-a",
    startedAtMs: STARTED_AT_MS,
    procStart: "309292",
    version: "2.1.332",
    status,
    waitingFor: null,
    statusUpdatedAtMs: STARTED_AT_MS + 4_000,
    ...more,
  };
}

export function inBand(
  state: ProgramRecord["state"],
  ms: number,
  more: Partial<ProgramRecord> = {},
): ProgramRecord {
  return {
    id: "",
    app: "claude-code",
    state,
    kind: null,
    progress: null,
    message: null,
    title: null,
    updatedAtMs: STARTED_AT_MS + ms,
    ...more,
  };
}
