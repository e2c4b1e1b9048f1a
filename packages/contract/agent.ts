// What kolu says about an agent: states, buckets, one reading, and the explanation of a reading.
import { z } from "zod";

export const AgentState = z.enum(["thinking", "tool_use", "background", "awaiting", "waiting", "unknown"]);
export type AgentState = z.infer<typeof AgentState>;

/** What waits, watches and urgency speak. `unknown` belongs to none. */
export const Bucket = z.enum(["working", "awaiting", "waiting"]);
export type Bucket = z.infer<typeof Bucket>;

export function bucketOf(state: AgentState): Bucket | null {
  switch (state) {
    case "thinking":
    case "tool_use":
    case "background":
      return "working";
    case "awaiting":
      return "awaiting";
    case "waiting":
      return "waiting";
    case "unknown":
      return null;
    default:
      return state satisfies never;
  }
}

/** Work that outlives the turn. A workflow or sub-agent brings the agent back by itself; a shell does not. */
export const BackgroundWork = z.object({
  workflows: z.array(z.object({ name: z.string(), agents: z.int().min(0) })),
  agents: z.array(z.object({ name: z.string() })),
  shells: z.int().min(0),
});
export type BackgroundWork = z.infer<typeof BackgroundWork>;

export const NO_BACKGROUND: BackgroundWork = { workflows: [], agents: [], shells: 0 };

/** Where a reading's state came from, in the order of belief. */
export const SignalSource = z.enum(["in-band", "status-file", "transcript", "title", "screen", "process"]);
export type SignalSource = z.infer<typeof SignalSource>;

/** One reading of one agent. A field that the agent does not record is null, never guessed. */
export const AgentReading = z.object({
  /** An agent kind of the registry, such as "claude-code". */
  kind: z.string(),
  state: AgentState,
  bucket: Bucket.nullable(),
  /** Epoch milliseconds at which `state` began, as far as kolu saw it. */
  sinceMs: z.number(),
  /** Which signal decided the state. */
  source: SignalSource,
  /** What it waits for ("permission", "question", "plan", "dialog") while awaiting, in the agent's own terms. */
  awaiting: z.object({ kind: z.string(), message: z.string().nullable() }).nullable(),
  /** Why the state is unknown, in words for a person. */
  unknownReason: z.string().nullable(),
  /** The turn ended because of this error. */
  error: z.string().nullable(),
  pid: z.int().nullable(),
  sessionId: z.string().nullable(),
  sessionPath: z.string().nullable(),
  version: z.string().nullable(),
  model: z.string().nullable(),
  contextTokens: z.int().nullable(),
  title: z.string().nullable(),
  todos: z.object({ completed: z.int(), total: z.int() }).nullable(),
  background: BackgroundWork,
  /** Epoch milliseconds of the session's start. */
  startedAtMs: z.number().nullable(),
  /** False until the session has had its first prompt: shown as Ready rather than Finished. */
  prompted: z.boolean(),
});
export type AgentReading = z.infer<typeof AgentReading>;

/** One signal as `kolu explain` lists it. */
export const ExplainedSignal = z.object({
  source: SignalSource,
  /** What the signal said, in its own words ("busy", "state=blocked:kind=permission", "newest entry: tool_use Bash"). */
  value: z.string(),
  /** The state that it alone would mean, or null when it says nothing about state. */
  state: AgentState.nullable(),
  atMs: z.number().nullable(),
  verdict: z.enum(["won", "agreed", "disagreed", "silent", "ignored"]),
  note: z.string().nullable(),
});
export type ExplainedSignal = z.infer<typeof ExplainedSignal>;

export const Explanation = z.object({
  kind: z.string().nullable(),
  /** Why this terminal is (not) taken for an agent: the process chain, nearest first, and what matched. */
  recognition: z.object({
    foregroundPid: z.int().nullable(),
    chain: z.array(z.object({ pid: z.int(), name: z.string(), startTime: z.string().nullable() })),
    matchedBy: z.string().nullable(),
  }),
  signals: z.array(ExplainedSignal),
  /** What was looked for and not found, as sentences naming the path. */
  missing: z.array(z.string()),
  /** Records of the agent's files that could not be read, counted. */
  malformedRecords: z.int(),
});
export type Explanation = z.infer<typeof Explanation>;
