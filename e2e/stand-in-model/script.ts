// What the stand-in model answers: the prompt itself is the script. Pure. README.md lists the directives.

export interface ToolUse {
  name: string;
  input: Record<string, unknown>;
}

export type Reply =
  | { kind: "text"; text: string; thinkMs: number; streamMs: number }
  | { kind: "tools"; uses: ToolUse[]; text: string | null; thinkMs: number; streamMs: number }
  | { kind: "failure"; httpStatus: number }
  | { kind: "silence" };

interface Step {
  word: string | null;
  argument: string | null;
  thinkMs: number;
  streamMs: number;
  text: string | null;
}

const TOOL_WORDS = "TOOL|PAR|BG|PERM|ASK2|ASK|PLAN|TODO|BGAGENT|AGENT|WORKFLOW|EDIT|ERR|HANG";
const DIRECTIVE = new RegExp(`\\b(SLOW|THINK|PRE|${TOOL_WORDS})\\b(?:\\(([^()]*)\\))?`, "g");
const LAST_WORDS_MS = 200;

/** A prompt as steps: each tool directive costs one reply, a closing text ends the turn. */
function stepsOf(prompt: string): Step[] {
  const steps: Step[] = [];
  const fresh = (): Step => ({ word: null, argument: null, thinkMs: 0, streamMs: 0, text: null });
  let step = fresh();
  for (const [, word, argument] of prompt.matchAll(DIRECTIVE)) {
    if (word === "SLOW") step.streamMs = Number(argument ?? 10) * 1_000;
    else if (word === "THINK") step.thinkMs = Number(argument ?? 5) * 1_000;
    else if (word === "PRE") step.text = argument ?? "Let me look at that first.";
    else {
      steps.push({ ...step, word: word!, argument: argument ?? null });
      step = fresh();
    }
  }
  return [...steps, step];
}

/**
 * The reply to a conversation.
 * @param prompt the newest human prompt
 * @param repliesSince how many replies the model has given to it
 * @param offered names of the tools that the caller offers
 */
export function replyTo(prompt: string, repliesSince: number, offered: readonly string[]): Reply {
  if (offered.length === 0) return text(JSON.stringify({ title: "Rename the demo button" }), 0);
  const forChild = !/AGENT\(/.test(prompt);
  if (forChild && /\bCHILDSLOW\b/.test(prompt)) return text("The child took its time.", 20_000);
  if (forChild && /\bCHILD\b/.test(prompt)) return text("The child is done.", 6_000);
  const steps = stepsOf(prompt);
  const step = steps[Math.min(repliesSince, steps.length - 1)]!;
  const { word, argument, thinkMs, streamMs } = step;
  if (word === null) {
    const words =
      repliesSince > 0 ? "The demo work is finished." : "Hello from the stand-in model, at your service.";
    return { kind: "text", text: words, thinkMs, streamMs: streamMs || LAST_WORDS_MS };
  }
  if (word === "ERR") return { kind: "failure", httpStatus: Number(argument ?? 500) };
  if (word === "HANG") return { kind: "silence" };
  const uses = toolUses(word, argument);
  const lacking = uses.find((use) => !offered.includes(use.name));
  if (lacking !== undefined)
    return text(`No tool ${lacking.name} is offered, only: ${offered.join(", ")}`, 0);
  return { kind: "tools", uses, text: step.text, thinkMs, streamMs };
}

function text(words: string, streamMs: number): Reply {
  return { kind: "text", text: words, thinkMs: 0, streamMs };
}

const COLOUR = {
  question: "Which colour should the button be?",
  header: "Colour",
  multiSelect: false,
  options: [
    { label: "Red", description: "A warm one" },
    { label: "Blue", description: "A cool one" },
  ],
};
const SIZE = {
  question: "Which size?",
  header: "Size",
  multiSelect: false,
  options: [
    { label: "Small", description: "Compact" },
    { label: "Large", description: "Roomy" },
  ],
};

/** A directive as the calls that Claude Code offers. */
function toolUses(word: string, argument: string | null): ToolUse[] {
  switch (word) {
    case "PAR":
      return [shell("sleep 2; echo one"), shell("sleep 10; echo two")];
    case "BG":
      return [shell(argument ?? "sleep 8", { run_in_background: true })];
    case "PERM":
      return [shell(argument ?? "touch outside.txt")];
    case "ASK":
      return [{ name: "AskUserQuestion", input: { questions: [COLOUR] } }];
    case "ASK2":
      return [{ name: "AskUserQuestion", input: { questions: [COLOUR, SIZE] } }];
    case "PLAN":
      return [{ name: "ExitPlanMode", input: { plan: "# Plan\n\n1. Rename the button\n2. Run the tests" } }];
    case "AGENT":
    case "BGAGENT":
      return [childAgent(argument ?? "CHILD", word === "BGAGENT")];
    case "WORKFLOW":
      return [{ name: "Workflow", input: { script: WORKFLOW_SCRIPT } }];
    case "EDIT":
      return [{ name: "Write", input: { file_path: argument ?? "/tmp/out.txt", content: "hello\n" } }];
    case "TODO":
      return [{ name: "TodoWrite", input: { todos: TODOS } }];
    default:
      return [shell(argument ?? "sleep 3; echo done")];
  }
}

function shell(command: string, more: Record<string, unknown> = {}): ToolUse {
  return { name: "Bash", input: { command, description: "Run a demo command", ...more } };
}

function childAgent(prompt: string, background: boolean): ToolUse {
  const input = { description: "Look around", prompt, subagent_type: "general-purpose" };
  return { name: "Agent", input: { ...input, run_in_background: background } };
}

const TODOS = [
  { content: "Read the file", status: "completed", activeForm: "Reading the file" },
  { content: "Rename the button", status: "in_progress", activeForm: "Renaming the button" },
];

const WORKFLOW_SCRIPT = [
  "export const meta = { name: 'demo-sweep', description: 'Sweep the demo files', phases: [{ title: 'Scan', detail: 'Scan files' }] }",
  "phase('Scan')",
  "const found = await parallel([() => agent('CHILDSLOW one', { label: 'scan-one' }), () => agent('CHILDSLOW two', { label: 'scan-two' })])",
  "return found.length",
].join("\n");
