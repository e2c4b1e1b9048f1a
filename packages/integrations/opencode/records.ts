// What OpenCode's rows hold, read leniently. Names and meanings as observed on 1.18.33: a message's and a part's own fields
// are JSON in their `data` column. Pure.
import type { ForeignRow } from "@kolu/anyagent/foreign-database.ts";
import { type Json, nonBlank, numberOf, objectOf, parseObject, stringOf } from "@kolu/anyagent/lenient.ts";

export interface SessionRow {
  id: string;
  /** Of a sub-agent: the session that started it. */
  parentId: string | null;
  directory: string;
  title: string;
  /** Of the release that made it. */
  version: string | null;
  createdAtMs: number | null;
  /** Moves at the start and end of each message. */
  updatedAtMs: number | null;
  isArchived: boolean;
}

export interface Tokens {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** All of a request, as OpenCode itself adds them up and shows them. */
  total: number;
}

export interface MessageRecord {
  id: string;
  role: "user" | "assistant";
  createdAtMs: number;
  /** Null while the model or its tools are at work, and for ever after a SIGKILL. */
  completedAtMs: number | null;
  /** `stop`, `tool-calls`, …; null when it was interrupted, failed, or is a command that a person ran. */
  finish: string | null;
  error: { name: string; message: string } | null;
  model: string | null;
  /** Null while a request is under way, when all counts are zero. */
  tokens: Tokens | null;
}

export interface ToolRecord {
  tool: string;
  callId: string | null;
  status: "pending" | "running" | "completed" | "error";
  /** What it is about, in words for a person: a question's text, a command. */
  about: string | null;
  error: string | null;
  /** Of a `task`: the sub-agent's session. */
  childSessionId: string | null;
  startedAtMs: number | null;
}

/** Null when the row is not a session that kolu could show. */
export function parseSession(row: ForeignRow): SessionRow | null {
  const id = nonBlank(row.id);
  const directory = nonBlank(row.directory);
  if (id === null || directory === null) return null;
  return {
    id,
    parentId: nonBlank(row.parent_id),
    directory,
    title: stringOf(row.title) ?? "",
    version: nonBlank(row.version),
    createdAtMs: numberOf(row.time_created),
    updatedAtMs: numberOf(row.time_updated),
    isArchived: numberOf(row.time_archived) !== null,
  };
}

/** Null when it is no message, or one that is too large to be read. */
export function parseMessage(row: ForeignRow): MessageRecord | null {
  const id = nonBlank(row.id);
  const data = parseObject(stringOf(row.data) ?? "");
  if (id === null || data === null) return null;
  const { role } = data;
  if (role !== "user" && role !== "assistant") return null;
  const time = objectOf(data.time) ?? {};
  const createdAtMs = numberOf(time.created) ?? numberOf(row.time_created);
  if (createdAtMs === null) return null;
  return {
    id,
    role,
    createdAtMs,
    completedAtMs: numberOf(time.completed),
    finish: nonBlank(data.finish),
    error: errorOf(objectOf(data.error)),
    model: nonBlank(data.modelID) ?? nonBlank(objectOf(data.model)?.modelID),
    tokens: tokensOf(objectOf(data.tokens)),
  };
}

function errorOf(error: Json | null): MessageRecord["error"] {
  if (error === null) return null;
  const name = nonBlank(error.name) ?? "error";
  return { name, message: nonBlank(objectOf(error.data)?.message) ?? name };
}

/** More than this is no count of tokens, and sums of such would lose their last digits. */
const COUNT_MAX = 1e12;

/** Releases before `total` counted the same five numbers when they showed it. */
function tokensOf(tokens: Json | null): Tokens | null {
  if (tokens === null) return null;
  const cache = objectOf(tokens.cache) ?? {};
  const count = (value: unknown): number => {
    const whole = Math.trunc(numberOf(value) ?? 0);
    return whole > 0 && whole <= COUNT_MAX ? whole : 0;
  };
  const input = count(tokens.input);
  const output = count(tokens.output);
  const cacheRead = count(cache.read);
  const cacheWrite = count(cache.write);
  const total = count(tokens.total) || input + output + count(tokens.reasoning) + cacheRead + cacheWrite;
  return total === 0 ? null : { input, output, cacheRead, cacheWrite, total };
}

/** "other" for a part that is no tool call, null for one that cannot be read. */
export function parseTool(data: unknown): ToolRecord | "other" | null {
  const part = parseObject(stringOf(data) ?? "");
  if (part === null) return null;
  if (part.type !== "tool") return stringOf(part.type) === null ? null : "other";
  const tool = nonBlank(part.tool);
  const state = objectOf(part.state);
  const status = state?.status;
  if (tool === null || state === null || !isStatus(status)) return null;
  return {
    tool,
    callId: nonBlank(part.callID),
    status,
    about: aboutOf(objectOf(state.input) ?? {}),
    error: stringOf(state.error),
    childSessionId: nonBlank(objectOf(state.metadata)?.sessionId),
    startedAtMs: numberOf(objectOf(state.time)?.start),
  };
}

function isStatus(value: unknown): value is ToolRecord["status"] {
  return value === "pending" || value === "running" || value === "completed" || value === "error";
}

/** Long texts are for the transcript. */
const ABOUT_MAX_CHARS = 200;

function aboutOf(input: Json): string | null {
  const questions = Array.isArray(input.questions) ? input.questions : [];
  const question = nonBlank(objectOf(questions[0])?.question);
  const about =
    question ?? nonBlank(input.command) ?? nonBlank(input.filePath) ?? nonBlank(input.description) ?? null;
  return about === null ? null : about.slice(0, ABOUT_MAX_CHARS);
}

/** The title that a session has until the model has thought of one (observed on 1.18.33): as good as none. */
const DEFAULT_TITLE = /^(New session|Child session) - \d{4}-\d\d-\d\dT[\d:.]+Z$/;

export function givenTitle(title: string): string | null {
  return DEFAULT_TITLE.test(title) ? null : nonBlank(title);
}

/** The terminal's title while this session is shown: `OC | ` and at most 40 characters; `OpenCode` without a given one. */
export function terminalTitleOf(title: string): string {
  const given = givenTitle(title);
  if (given === null) return "OpenCode";
  return `OC | ${title.length > 40 ? `${title.slice(0, 37)}…` : title}`;
}
