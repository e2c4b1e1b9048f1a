// A directive as the calls that the connected agent offers: each calls its shell, its questions, its plans differently. Pure.

export interface ToolUse {
  name: string;
  input: Record<string, unknown>;
  /** Codex sends some calls as free text rather than as arguments. */
  freeText?: string;
}

/** Null when none of the offered tools does what the directive asks. */
export function toolUses(
  word: string,
  argument: string | null,
  offered: readonly string[],
): ToolUse[] | null {
  const calls = callsFor(word, argument, (...names) => names.find((name) => offered.includes(name)));
  return calls.includes(null) ? null : (calls as ToolUse[]);
}

type Offers = (...names: string[]) => string | undefined;

function callsFor(word: string, argument: string | null, offers: Offers): (ToolUse | null)[] {
  switch (word) {
    case "PAR":
      return [shell(offers, "sleep 2; echo one"), shell(offers, "sleep 10; echo two")];
    case "BG":
      return [shell(offers, argument ?? "sleep 8", "background")];
    case "PERM":
      return [shell(offers, argument ?? "touch outside.txt", "escalated")];
    case "ASK":
      return [question(offers, [COLOUR])];
    case "ASK2":
      return [question(offers, [COLOUR, SIZE])];
    case "PLAN":
      return [plan(offers)];
    case "AGENT":
    case "BGAGENT":
      return [childAgent(offers, argument ?? "CHILD", word === "BGAGENT")];
    case "WORKFLOW":
      return [offers("Workflow") ? { name: "Workflow", input: { script: WORKFLOW_SCRIPT } } : null];
    case "EDIT":
      return [edit(offers, argument ?? "/tmp/out.txt")];
    case "TODO":
      return [todos(offers)];
    default:
      return [shell(offers, argument ?? "sleep 3; echo done")];
  }
}

function shell(
  offers: Offers,
  command: string,
  manner: "plain" | "background" | "escalated" = "plain",
): ToolUse | null {
  const name = offers("Bash", "exec_command", "bash", "shell", "run_terminal_command", "run_terminal_cmd");
  const description = "Run a demo command";
  switch (name) {
    case undefined:
      return null;
    case "Bash":
      return {
        name,
        input: { command, description, ...(manner === "background" ? { run_in_background: true } : {}) },
      };
    case "exec_command": {
      const escalation = { sandbox_permissions: "require_escalated", justification: "It writes elsewhere" };
      const wait = { yield_time_ms: manner === "background" ? 500 : 60_000 };
      return { name, input: { cmd: command, ...wait, ...(manner === "escalated" ? escalation : {}) } };
    }
    case "run_terminal_command": {
      // Grok asks before anything is removed; most other commands it runs unasked.
      const gated = manner === "escalated" ? `rm -f kolu-demo.tmp; ${command}` : command;
      return { name, input: { command: gated, description, background: manner === "background" } };
    }
    default:
      return { name, input: { command, description } };
  }
}

const COLOUR = {
  question: "Which colour should the button be?",
  header: "Colour",
  options: [
    { label: "Red", description: "A warm one" },
    { label: "Blue", description: "A cool one" },
  ],
};
const SIZE = {
  question: "Which size?",
  header: "Size",
  options: [
    { label: "Small", description: "Compact" },
    { label: "Large", description: "Roomy" },
  ],
};

function question(offers: Offers, questions: (typeof COLOUR)[]): ToolUse | null {
  const name = offers("AskUserQuestion", "request_user_input", "question", "ask_user_question", "ask");
  if (name === undefined) return null;
  if (name === "AskUserQuestion")
    return { name, input: { questions: questions.map((one) => ({ ...one, multiSelect: false })) } };
  return { name, input: { questions: questions.map((one, at) => ({ id: `q${at + 1}`, ...one })) } };
}

export const PLAN = "# Plan\n\n1. Rename the button\n2. Run the tests";

function plan(offers: Offers): ToolUse | null {
  const name = offers("ExitPlanMode", "plan_exit", "exit_plan_mode");
  return name === undefined ? null : { name, input: { plan: PLAN } };
}

function childAgent(offers: Offers, prompt: string, background: boolean): ToolUse | null {
  const name = offers("Agent", "Task", "task", "spawn_agent", "spawn_subagent");
  const description = "Look around";
  switch (name) {
    case undefined:
      return null;
    case "spawn_agent":
      // Codex's multi_agent_v1, which also offers resume_agent, refuses a name.
      return {
        name,
        input: { ...(offers("resume_agent") ? {} : { task_name: "look_around" }), message: prompt },
      };
    case "task": {
      // Oh My Pi calls it alike, and has its todos under another name than OpenCode.
      if (offers("todo") !== undefined) {
        const task = { name: "LookAround", agent: "task", task: prompt };
        return { name, input: { context: description, tasks: [task] } };
      }
      return { name, input: { description, prompt, subagent_type: "general" } };
    }
    default: {
      const base = { description, prompt, subagent_type: "general-purpose" };
      if (name === "spawn_subagent") return { name, input: { ...base, background } };
      return { name, input: name === "Agent" ? { ...base, run_in_background: background } : base };
    }
  }
}

function edit(offers: Offers, path: string): ToolUse | null {
  const name = offers("Write", "write", "apply_patch");
  const content = "hello\n";
  switch (name) {
    case "Write":
      return { name, input: { file_path: path, content } };
    case "write":
      return { name, input: { filePath: path, file_path: path, path, content } };
    case "apply_patch":
      return {
        name,
        input: {},
        freeText: `*** Begin Patch\n*** Add File: ${path}\n+${content.trim()}\n*** End Patch`,
      };
    default:
      return null;
  }
}

const TODOS = [
  { content: "Read the file", status: "completed", activeForm: "Reading the file" },
  { content: "Rename the button", status: "in_progress", activeForm: "Renaming the button" },
];

function todos(offers: Offers): ToolUse | null {
  const name = offers("TodoWrite", "todowrite", "todo_write", "update_plan");
  if (name === undefined) return null;
  if (name === "update_plan")
    return { name, input: { plan: TODOS.map(({ content, status }) => ({ step: content, status })) } };
  const list = TODOS.map((todo, at) => ({ ...todo, id: String(at + 1), priority: "medium" }));
  return { name, input: { todos: name === "TodoWrite" ? TODOS : list } };
}

const WORKFLOW_SCRIPT = [
  "export const meta = { name: 'demo-sweep', description: 'Sweep the demo files', phases: [{ title: 'Scan', detail: 'Scan files' }] }",
  "phase('Scan')",
  "const found = await parallel([() => agent('CHILDSLOW one', { label: 'scan-one' }), () => agent('CHILDSLOW two', { label: 'scan-two' })])",
  "return found.length",
].join("\n");
