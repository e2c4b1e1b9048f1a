// What a terminal is called, the same on every surface. Pure.
import type { TerminalRecord } from "@kolu/contract/terminal.ts";

/** The label a person gave, else its branch, else its directory. Never empty. */
export function nameOf(record: TerminalRecord): string {
  const intent = record.intent?.split("\n", 1)[0]?.trim();
  if (intent) return intent;
  if (record.git)
    return record.git.branch ?? (record.git.head === null ? record.git.name : `at ${record.git.head}`);
  return baseName(record.cwd);
}

export function baseName(path: string): string {
  const parts = path.split("/").filter((part) => part !== "");
  return parts.at(-1) ?? "/";
}

/** What it is doing in its own words: the agent's title, the running command, the window title, the program in front. */
export function doingOf(record: TerminalRecord): string | null {
  const { agent, program, command, title, foreground, rootCommand } = record;
  if (agent?.title) return agent.title;
  if (program) return program.title ?? program.message ?? program.app;
  if (command?.running) return command.line;
  if (title && !looksLikePrompt(title)) return title;
  if (rootCommand) return rootCommand.join(" ");
  if (command) return command.line;
  return foreground === null || SHELL_NAME.test(foreground.name) ? null : foreground.name;
}

/** A shell at its prompt does nothing that is worth a word. */
const SHELL_NAME = /^-?(ba|z|fi|da|k)?sh$/;

/** Shells set the title to "user@host: directory" at each prompt: that names nothing. */
function looksLikePrompt(title: string): boolean {
  return /^[\w.-]+@[\w.-]+:/.test(title) || SHELL_NAME.test(title) || /^(~|~?\/.*)$/.test(title);
}
