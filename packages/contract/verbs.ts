// THE table of what an agent, or a script, may do with kolu. An MCP server turns each row into a tool, a shell into a verb;
// padi answers all of them through its contract. What is not here (the canvas, preferences, daemons) is out of their reach.
//
// A row (verb.ts) is pure data and pure functions: `toParams` turns the input into the params of one method of padi,
// `toOutput` its result into what the caller sees.
import { z } from "zod";
import { AgentReading, Bucket } from "./agent.ts";
import { TerminalId } from "./ids.ts";
import { TIMER_MAX_MS } from "./limits.ts";
import { CreateParams, CreateResult, padiContract, type WaitFrame } from "./padi.ts";
import { defined, ENDS, id, READS, TYPES, verb } from "./verb.ts";
import { agentExplain, lifecyclePrompt, transcriptRead } from "./verbs-agent.ts";
import { screenImage } from "./verbs-picture.ts";
import { fsListAll, fsReadFile, gitGetDiff, gitGetStatus, searchText } from "./verbs-project.ts";
import { watchClose, watchNext, watchOpen } from "./verbs-watch.ts";

const TimerMs = z.int().min(1).max(TIMER_MAX_MS);

const waitModifiers = {
  settledMs: TimerMs.optional().describe(
    "Also require that no output came for this long at the same moment. 15000 tells a finished agent from one whose helper is thinking.",
  ),
  screenTail: z
    .int()
    .min(1)
    .optional()
    .describe("Hand back this many last lines of the screen, read inside the wait."),
  timeoutMs: TimerMs.optional().describe(
    "Give up after this long. Keep it below your own host's limit for one call; absent, it waits for ever.",
  ),
  after: z
    .string()
    .optional()
    .describe("The `cursor` of a send: nothing that was so before that send counts."),
};

/** How a wait ended: `met`, `timeout`, `gone` (the terminal died), `closed` (a dropped feed over a live one: call again). */
function waitOutput<S extends z.ZodRawShape>(met: S) {
  return z.discriminatedUnion("result", [
    z.object({
      id: TerminalId,
      result: z.literal("met"),
      met: z.object({ ...met, elapsedMs: z.int(), screen: z.string().optional() }),
    }),
    z.object({ id: TerminalId, result: z.enum(["timeout", "gone"]), elapsedMs: z.int() }),
    z.object({ id: TerminalId, result: z.literal("closed"), error: z.string().optional() }),
  ]);
}

const WAIT_REFUSALS = ["terminal-not-found", "bad-cursor"] as const;

const created = CreateParams.shape;

const lifecycleCreate = verb({
  name: "lifecycle_create",
  title: "Open a terminal",
  description:
    'Opens a terminal with a shell and returns its id. `placement` is required: {"kind":"toplevel"} for a tile of its own, {"kind":"child-of","parentId":"<id>"} for a split inside a terminal that supervises it. `run` is typed at the first prompt and submitted. A create that stops half-way names what exists.',
  method: "terminal.create",
  input: CreateParams.pick({
    placement: true,
    cwd: true,
    repo: true,
    worktree: true,
    intent: true,
    run: true,
  }).extend({
    placement: created.placement.describe(
      "A tile of its own, or a split inside the terminal that supervises it.",
    ),
    cwd: created.cwd.describe("Working directory; not together with worktree."),
    repo: created.repo.describe("Absolute path of the repository that the worktree is cut from."),
    worktree: created.worktree.describe(
      "Name of a fresh worktree at <repo>/.worktrees/<name>, on a new branch of that name.",
    ),
    intent: created.intent.describe("Label on the canvas: what this terminal is for, in a few words."),
    run: created.run.describe("Command line to type at the first prompt, such as the agent to start."),
  }),
  output: CreateResult,
  // An agent's terminals follow the person's choice of themes, of which this is all that it has a part in.
  toParams: (input, { terminalId }) => defined({ ...input, from: terminalId ?? undefined }),
  toOutput: (result) => result,
  refusals: [
    "blank-field",
    "repo-without-worktree",
    "cwd-and-worktree",
    "worktree-needs-repo",
    "relative-repo",
    "bad-worktree-name",
    "not-a-repo",
    "not-a-directory",
    "worktree-name-collision",
    "worktree-base-missing",
    "git-failed",
    "stopped-partway",
    "spawn-failed",
    "terminal-not-found",
    "kaval-unreachable",
    "kaval-incompatible",
  ],
  annotations: TYPES,
});

const lifecycleSendInput = verb({
  name: "lifecycle_sendInput",
  title: "Send input to a terminal",
  description:
    "Types `text`, or presses one named `key` (Enter, Escape, Tab, arrows, C-c, M-x ...): never both. Text of several lines goes in as one paste and never carries the Enter that submits it: send the text, wait for the output to settle, then send the key Enter. The `cursor` makes a later wait look only at what follows.",
  method: "terminal.sendInput",
  input: z.object({
    id,
    text: z.string().optional().describe("What to type, as it is. It submits nothing."),
    key: z
      .string()
      .optional()
      .describe("One key or chord: Enter, Escape, Tab, Up, Home, Space, C-c, M-x ..."),
  }),
  output: padiContract["terminal.sendInput"].result,
  toParams: (input) => defined(input),
  toOutput: (result) => result,
  refusals: [
    "text-and-key",
    "key-refused",
    "text-refused",
    "no-input",
    "input-queue-full",
    "terminal-not-found",
    "terminal-gone",
    "terminal-not-live",
  ],
  annotations: TYPES,
});

const lifecycleKill = verb({
  name: "lifecycle_kill",
  title: "Close a terminal",
  description: "Ends the terminal and every process in it. Close exactly the terminals that you opened.",
  method: "terminal.kill",
  input: z.object({ id }),
  output: z.object({ id: TerminalId, pid: z.int().nullable() }),
  toParams: (input) => input,
  toOutput: ({ id: killed, pid }) => ({ id: killed, pid }),
  refusals: ["terminal-not-found", "terminal-gone"],
  annotations: ENDS,
});

const waitOutputSettled = verb({
  name: "wait_outputSettled",
  title: "Wait until output settles",
  description:
    "Waits until the terminal has printed nothing for `idleMs`. It does not tell a finished program from one that asks you something: read the screen. `gone` means that the terminal died; `closed` does not: call again.",
  method: "terminal.wait",
  input: z.object({
    id,
    idleMs: TimerMs.describe("Silence that counts as settled; 800 is a good start."),
    ...waitModifiers,
  }),
  output: waitOutput({ fired: z.literal("idle") }),
  toParams: ({ idleMs, ...rest }) => ({ ...defined(rest), until: { kind: "idle", idleMs } }),
  toOutput: (frame) =>
    frame.result === "met" ? { ...frame, met: { fired: "idle" as const, ...metTimes(frame) } } : frame,
  refusals: WAIT_REFUSALS,
  annotations: READS,
});

const waitAgentState = verb({
  name: "wait_agentState",
  title: "Wait for an agent's state",
  description:
    "Waits until the terminal's agent is `working`, `awaiting` (asks a person) or `waiting` (its turn is over). A state that already holds is met at once: right after a send give its cursor as `after`. With settledMs 15000 and screenTail 40 it answers whether the turn is really over, and what was said.",
  method: "terminal.wait",
  input: z.object({
    id,
    until: z.array(Bucket).min(1).describe("States that end the wait, any of them."),
    ...waitModifiers,
  }),
  output: waitOutput({ agent: AgentReading.optional() }),
  toParams: ({ until, ...rest }) => ({ ...defined(rest), until: { kind: "agent", buckets: until } }),
  toOutput: (frame) =>
    frame.result === "met"
      ? { ...frame, met: { ...(frame.met.agent ? { agent: frame.met.agent } : {}), ...metTimes(frame) } }
      : frame,
  refusals: WAIT_REFUSALS,
  annotations: READS,
});

const screenText = verb({
  name: "screen_text",
  title: "Read a terminal's screen",
  description:
    "The rendered screen and scrollback as text; with `tail` only that many last lines, blank ones at the end left out.",
  method: "screen.text",
  input: z.object({
    id,
    tail: z.int().min(1).optional().describe("So many last lines; absent: screen and whole scrollback."),
  }),
  output: z.string(),
  toParams: ({ id: of, tail }) => ({
    id: of,
    extent: tail === undefined ? { kind: "all" } : { kind: "tail", lines: tail },
  }),
  toOutput: ({ text }) => text,
  refusals: ["terminal-not-found", "terminal-gone"],
  annotations: READS,
});

const screenHistory = verb({
  name: "screen_history",
  title: "Read older scrollback",
  description:
    "One page of the scrollback above the screen, newest page first. For the page above give `topLine` back as `before`, and `epoch`. `stale`: a resize moved the lines, begin again.",
  method: "screen.history",
  input: padiContract["screen.history"].params.omit({ maxLines: true }).extend({
    id,
    before: z.int().min(0).optional().describe("`topLine` of the page below; absent: the newest page."),
    epoch: z.int().min(0).optional().describe("`epoch` of the page below."),
    max: z.int().min(1).max(10_000).default(1_000).describe("Lines in a page, at most."),
  }),
  output: z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("chunk"),
      chunk: z.string(),
      topLine: z.int(),
      epoch: z.int(),
      exhausted: z.boolean(),
    }),
    z.object({ kind: z.literal("stale"), epoch: z.int() }),
  ]),
  toParams: ({ max, ...page }) => ({ ...defined(page), maxLines: max }),
  toOutput: (page) => {
    if (page.kind === "stale") return page;
    const { lines, topLine, epoch, exhausted } = page;
    return { kind: "chunk" as const, chunk: lines.join("\n"), topLine, epoch, exhausted };
  },
  refusals: ["terminal-not-found", "terminal-gone"],
  annotations: READS,
});

function metTimes({ met }: Extract<WaitFrame, { result: "met" }>): { elapsedMs: number; screen?: string } {
  const { elapsedMs, screen } = met;
  return screen === undefined ? { elapsedMs } : { elapsedMs, screen };
}

export const verbs = [
  lifecycleCreate,
  lifecycleSendInput,
  lifecyclePrompt,
  lifecycleKill,
  waitOutputSettled,
  waitAgentState,
  watchOpen,
  watchNext,
  watchClose,
  screenText,
  screenImage,
  screenHistory,
  searchText,
  transcriptRead,
  agentExplain,
  gitGetStatus,
  gitGetDiff,
  fsListAll,
  fsReadFile,
] as const;
