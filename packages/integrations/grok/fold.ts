// A session's events, folded: what the turn is at. One line per streamed chunk, so a long answer pushes a turn's start and
// its open tools out of the part of the file that is read first: `behind` puts them back. Pure; the same object means "no
// news".
import { type BackgroundTask, type GrokEvent, type GrokUpdate, parseEvent, parseUpdate } from "./records.ts";

/** Something that began and has not ended, by the tool's name: events of parallel calls carry no other identity. */
export interface Pending {
  tool: string;
  atMs: number | null;
}

export interface Turn {
  /** none: no prompt yet. over: it ended, however. */
  at: "none" | "open" | "over";
  phase: string | null;
  openTools: readonly Pending[];
  /** Every call asks, also one that is allowed within 2 ms by a rule. */
  asked: readonly Pending[];
  /** How the last turn ended, null while one runs. */
  outcome: string | null;
  /** Of the newest turn. */
  model: string | null;
  /** The newest event that says something about the state, in words for the explanation. */
  newest: string | null;
  newestAtMs: number | null;
  /** What was seen to end without having been seen to begin; null once the start of a turn was seen, after which there is
   * nothing of the kind. */
  unseen: { tools: readonly string[]; asked: readonly string[]; looped: boolean } | null;
}

export const NO_TURN: Turn = {
  at: "none",
  phase: null,
  openTools: [],
  asked: [],
  outcome: null,
  model: null,
  newest: null,
  newestAtMs: null,
  unseen: { tools: [], asked: [], looped: false },
};

export function foldEventLine(before: Turn, line: string): Turn | "malformed" {
  const event = parseEvent(line);
  if (event === "malformed") return "malformed";
  return event === "no-news" ? before : fold(before, event);
}

export function fold(before: Turn, event: GrokEvent): Turn {
  switch (event.kind) {
    case "turn-started":
      return {
        ...NO_TURN,
        at: "open",
        model: event.model ?? before.model,
        unseen: null,
        ...newest("a turn started", event),
      };
    case "turn-ended": {
      const { category, outcome } = event;
      const words = `the turn ended: ${outcome}${category === null ? "" : ` (${category})`}`;
      return { ...NO_TURN, at: "over", outcome, model: before.model, unseen: null, ...newest(words, event) };
    }
    case "loop-started":
      return { ...open(before, event), openTools: [], asked: [], unseen: looped(before) };
    case "first-token":
      return before.at === "open" ? before : open(before, event);
    case "phase":
      return foldPhase(before, event);
    case "tool-started":
      return {
        ...open(before, event),
        openTools: [...before.openTools, pending(event)],
        ...newest(`${event.tool} started`, event),
      };
    case "tool-completed": {
      const openTools = without(before.openTools, event.tool);
      const unseen =
        openTools === null ? before.unseen && seeEnd(before.unseen, "tools", event.tool) : before.unseen;
      return {
        ...open(before, event),
        openTools: openTools ?? before.openTools,
        unseen,
        ...newest(`${event.tool} completed`, event),
      };
    }
    case "permission-requested":
      return {
        ...open(before, event),
        asked: [...before.asked, pending(event)],
        ...newest(`permission for ${event.tool} requested`, event),
      };
    case "permission-resolved": {
      const asked = without(before.asked, event.tool);
      const unseen =
        asked === null ? before.unseen && seeEnd(before.unseen, "asked", event.tool) : before.unseen;
      return {
        ...open(before, event),
        asked: asked ?? before.asked,
        unseen,
        ...newest(`permission for ${event.tool} resolved`, event),
      };
    }
    default:
      return event satisfies never;
  }
}

/** A chunk of an answer repeats its phase: no news. */
function foldPhase(before: Turn, event: GrokEvent & { kind: "phase" }): Turn {
  if (before.at === "open" && before.phase === event.phase) return before;
  return { ...open(before, event), phase: event.phase, ...newest(`phase ${event.phase}`, event) };
}

/** Whatever happens outside of a turn that was seen to start belongs to one that was not. */
function open(before: Turn, event: GrokEvent): Turn {
  const started = before.newestAtMs === null ? newest("a turn", event) : {};
  return before.at === "open" ? before : { ...before, at: "open", outcome: null, ...started };
}

function looped(before: Turn): Turn["unseen"] {
  return before.unseen === null ? null : { tools: [], asked: [], looped: true };
}

function seeEnd(
  unseen: NonNullable<Turn["unseen"]>,
  what: "tools" | "asked",
  tool: string,
): NonNullable<Turn["unseen"]> {
  return { ...unseen, [what]: [...unseen[what], tool] };
}

function pending({ tool, atMs }: { tool: string; atMs: number | null }): Pending {
  return { tool, atMs };
}

/** Null when there is none of that name. */
function without(list: readonly Pending[], tool: string): Pending[] | null {
  const at = list.findIndex((one) => one.tool === tool);
  return at < 0 ? null : list.toSpliced(at, 1);
}

function newest(words: string, event: GrokEvent): Pick<Turn, "newest" | "newestAtMs"> {
  return { newest: words, newestAtMs: event.atMs };
}

/** The newer part of a file completed by what lies before it. */
export function behind(older: Turn, newer: Turn): Turn {
  const { unseen } = newer;
  if (unseen === null) return newer;
  if (newer.at === "none") return { ...older, unseen: null };
  const left = (list: readonly Pending[], ended: readonly string[]) =>
    unseen.looped ? [] : ended.reduce<readonly Pending[]>((rest, tool) => without(rest, tool) ?? rest, list);
  return {
    ...newer,
    phase: newer.phase ?? older.phase,
    openTools: [...left(older.openTools, unseen.tools), ...newer.openTools],
    asked: [...left(older.asked, unseen.asked), ...newer.asked],
    model: newer.model ?? older.model,
    unseen: null,
  };
}

/** Begins or ends a turn: nothing before such a line matters. */
export const TURN_MARKS = ['"type":"turn_started"', '"type":"turn_ended"'];
/** By far most lines, none of which tells more than the next. */
export const CHUNK_MARK = '"phase":"streaming_';

// ---- updates.jsonl

export interface UpdateFacts {
  /** What the newest call that has not ended is about: a command, a question, a path. */
  about: string | null;
  callId: string | null;
  /** Why the last turn failed, in the agent's words. */
  error: string | null;
  /** Commands in the background that were not reported as ended. */
  tasks: readonly BackgroundTask[];
}

export const NO_UPDATES: UpdateFacts = { about: null, callId: null, error: null, tasks: [] };

export function foldUpdateLine(before: UpdateFacts, line: string): UpdateFacts | "malformed" {
  const update = parseUpdate(line);
  if (typeof update === "string") return update === "malformed" ? update : before;
  return foldUpdate(before, update);
}

export function foldUpdate(before: UpdateFacts, update: GrokUpdate): UpdateFacts {
  switch (update.kind) {
    case "call": {
      const about = update.about ?? (before.callId === update.id ? before.about : null);
      if (before.callId === update.id && before.about === about) return before;
      return { ...before, about, callId: update.id, error: null };
    }
    case "call-ended":
      return before.callId === update.id ? { ...before, callId: null, about: null } : before;
    case "turn-ended":
      return { ...before, about: null, callId: null, error: update.error };
    case "tasks":
      return { ...before, tasks: update.running };
    case "task-ended":
      if (!before.tasks.some(({ id }) => id === update.id)) return before;
      return { ...before, tasks: before.tasks.filter(({ id }) => id !== update.id) };
    default:
      return update satisfies never;
  }
}
