// An extension for the real Pi, which asks nobody anything by itself: a tool that asks a question, and a gate before commands
// that touch something outside. Loaded by Pi with --extension.

interface Dialogs {
  select(title: string, options: string[]): Promise<string | undefined>;
  confirm(title: string, message: string): Promise<boolean>;
}
interface Context {
  ui: Dialogs;
}
interface ExtensionApi {
  registerTool(tool: object): void;
  on(
    event: "tool_call",
    handler: (event: ToolCallEvent, context: Context) => Promise<object | undefined>,
  ): void;
}
interface ToolCallEvent {
  toolName: string;
  input: { command?: string };
}
interface Questions {
  questions: { question: string; options: { label: string }[] }[];
}

export default function asks(pi: ExtensionApi): void {
  pi.registerTool({
    name: "ask",
    label: "Ask",
    description: "Asks the user a question",
    parameters: { type: "object", properties: { questions: { type: "array", items: { type: "object" } } } },
    execute: async (
      _id: string,
      { questions }: Questions,
      _signal: AbortSignal,
      _onUpdate: unknown,
      context: Context,
    ) => {
      const [first] = questions;
      const labels = first?.options.map((option) => option.label) ?? [];
      const answer = await context.ui.select(first?.question ?? "Well?", labels);
      return { content: [{ type: "text", text: `User selected: ${answer ?? "nothing"}` }], details: {} };
    },
  });
  pi.on("tool_call", async ({ toolName, input }, { ui }) => {
    if (toolName !== "bash" || !input.command?.includes("outside")) return undefined;
    const allowed = await ui.confirm("Allow this command?", input.command);
    return allowed ? undefined : { block: true, reason: "Blocked by user" };
  });
}
