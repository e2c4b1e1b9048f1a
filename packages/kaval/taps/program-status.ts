// OSC 7501, the Program Status Protocol (revision 0.4): the parser of its bytes and the table of its records. The query
// is answered by us, once, whether or not anybody watches: programs report only after the answer.
import type { ProgramRecord, ProgramState } from "@kolu/contract/program-status.ts";
import { hasControls, plainText, textFromBase64 } from "./text.ts";

/** Records of one terminal; the least recently updated go first. */
export const PROGRAM_RECORDS_MAX = 256;
/** A whole sequence, introducer and terminator included; a longer one is void. */
export const PROGRAM_REPORT_MAX_BYTES = 4_096;
/** `ESC ] 7501 ;` and the shorter terminator, BEL. */
const FRAME_BYTES = 8;
/** What is sent back to a query. */
export const PROGRAM_STATUS_ANSWER = "\x1b]7501;?\x1b\\";

/** Every state, listed here so that a screen worker needs no schema library: 5 MB a thread. */
const STATES: Record<ProgramState | "clear", true> = {
  idle: true,
  working: true,
  blocked: true,
  done: true,
  error: true,
  clear: true,
};

export interface Report {
  id: string;
  state: ProgramState | "clear";
  app: string | null;
  kind: string | null;
  progress: number | null;
  message: string | null;
  title: string | null;
}

/** "query", a report, or null for bytes that are neither: a void report changes nothing. */
export function parseProgramStatus(payload: string): "query" | Report | null {
  if (payload === "?") return "query";
  if (Buffer.byteLength(payload) + FRAME_BYTES > PROGRAM_REPORT_MAX_BYTES || hasControls(payload))
    return null;
  const fields = new Map<string, string>();
  for (const field of payload.split(":")) {
    const separator = field.indexOf("=");
    if (separator > 0) fields.set(field.slice(0, separator), field.slice(separator + 1));
  }
  const state = fields.get("state");
  if (state === undefined || !Object.hasOwn(STATES, state)) return null;
  const message = base64Field(fields.get("msg"));
  const title = base64Field(fields.get("title"));
  const progress = progressField(fields.get("progress"));
  const id = idField(fields.get("id"));
  if (message === undefined || title === undefined || progress === undefined || id === undefined) return null;
  return {
    id,
    state: state as Report["state"],
    app: wordField(fields.get("app")),
    kind: state === "blocked" ? wordField(fields.get("kind")) : null,
    progress,
    message,
    title,
  };
}

/** Null when absent; undefined (void) when it is not base64 of UTF-8 text or holds control characters. */
function base64Field(value: string | undefined): string | null | undefined {
  if (value === undefined) return null;
  const text = textFromBase64(value);
  if (text === null || hasControls(text)) return undefined;
  return plainText(text, PROGRAM_REPORT_MAX_BYTES);
}

function wordField(value: string | undefined): string | null {
  const word = plainText(value ?? "", PROGRAM_REPORT_MAX_BYTES).trim();
  return word === "" ? null : word;
}

/** Absent is indeterminate; anything but 0 to 100 is void. */
function progressField(value: string | undefined): number | null | undefined {
  if (value === undefined) return null;
  if (!/^\d{1,3}(\.\d+)?$/.test(value) || Number(value) > 100) return undefined;
  return Number(value);
}

/** A path without empty steps; absent is the root. */
function idField(value: string | undefined): string | undefined {
  if (value === undefined) return "";
  return value === "" || value.split("/").includes("") ? undefined : value;
}

/** The records after a report. Each report replaces its record whole; the same array when nothing changed. */
export function applyReport(records: ProgramRecord[], report: Report, nowMs: number): ProgramRecord[] {
  if (report.state === "clear") {
    const left = records.filter((record) => !isAtOrBeneath(record.id, report.id));
    return left.length === records.length ? records : left;
  }
  const record: ProgramRecord = {
    id: report.id,
    app: report.app ?? inheritedApp(records, report.id),
    state: report.state,
    kind: report.kind,
    progress: report.progress,
    message: report.message,
    title: report.title,
    updatedAtMs: nowMs,
  };
  // Kept in order of update, so the first is the one to evict.
  const others = records.filter((other) => other.id !== record.id);
  return [...others, record].slice(-PROGRAM_RECORDS_MAX);
}

function isAtOrBeneath(id: string, ancestor: string): boolean {
  return ancestor === "" || id === ancestor || id.startsWith(`${ancestor}/`);
}

function inheritedApp(records: ProgramRecord[], id: string): string | null {
  for (let path = id; path !== ""; ) {
    path = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
    const app = records.find((record) => record.id === path)?.app;
    if (app) return app;
  }
  return null;
}

/** What a shell prompt leaves: nothing works or waits any more, results stay. */
export function endAtPrompt(records: ProgramRecord[]): ProgramRecord[] {
  const left = records.filter((record) => record.state !== "working" && record.state !== "blocked");
  return left.length === records.length ? records : left;
}
