// One entry of a transcript -> what it adds to the conversation, in full: records.ts takes from the same entries only what
// a state needs. Observed on 2.1.332 and 2.1.197. Pure.
import { type Json, nonBlank, numberOf, objectOf, objectsOf, stringOf } from "@kolu/anyagent/lenient.ts";
import type { TranscriptEdit } from "@kolu/contract/transcript.ts";

/** What an entry adds, in its order. */
export type Addition =
  | { kind: "prompt"; text: string }
  | { kind: "assistant"; text: string }
  | { kind: "reasoning"; text: string }
  | { kind: "call"; callId: string | null; name: string; input: Json }
  | { kind: "result"; callId: string; output: string; failed: boolean; details: Json | null }
  | { kind: "note"; text: string };

// ---- what the user's side wrote: prompts, results, and what Claude Code wrote in the user's place

export function userAdditions(entry: Json): Addition[] {
  // Written for the model alone: caveats, reminders, the text behind a skill.
  if (entry.isMeta === true) return [];
  const content = objectOf(entry.message)?.content;
  if (entry.isCompactSummary === true)
    return [note(`What was kept of the conversation so far:\n\n${textOf(content)}`)];
  const results = resultsIn(content, objectOf(entry.toolUseResult));
  if (results.length > 0) return results;
  return wordsAdditions(textOf(content), stringOf(objectOf(entry.origin)?.kind));
}

/**
 * A prompt that was typed while a turn ran and taken up within it is an attachment, and no entry of the user's (2.1.332);
 * one that was taken up after the turn is. Other attachments tell the model of its surroundings.
 */
export function attachmentAdditions(entry: Json): Addition[] {
  const attachment = objectOf(entry.attachment);
  if (attachment?.type !== "queued_command") return [];
  return wordsAdditions(textOf(attachment.prompt), stringOf(objectOf(attachment.origin)?.kind));
}

function wordsAdditions(words: string, origin: string | null): Addition[] {
  const text = withoutReminders(words);
  if (text === "") return [];
  const interrupted = /^\[(Request interrupted by user[^\]]*)\]/.exec(text);
  if (interrupted) return [note(interrupted[1]!)];
  if (origin === "task-notification" || text.startsWith("<task-notification>"))
    return [note(notificationNote(text))];
  return echoAdditions(text, origin) ?? [{ kind: "prompt", text }];
}

function resultsIn(content: unknown, details: Json | null): Addition[] {
  const blocks = objectsOf(content).filter((block) => block.type === "tool_result");
  return blocks.flatMap((block): Addition[] => {
    const callId = stringOf(block.tool_use_id);
    if (callId === null) return [];
    // `toolUseResult` tells of one call; an entry has had exactly one result wherever it was seen.
    const own = blocks.length === 1 ? details : null;
    const output = textOf(block.content);
    return [{ kind: "result", callId, output, failed: block.is_error === true, details: own }];
  });
}

/** A message's content is a text or a list of blocks. What is no text is named in its place. */
function textOf(content: unknown): string {
  const text = stringOf(content);
  if (text !== null) return text;
  return objectsOf(content)
    .map((block) => stringOf(block.text) ?? `[${stringOf(block.type) ?? "unreadable"}]`)
    .join("\n");
}

/** Reminders are Claude Code's own words to the model, put into the message of the user. */
function withoutReminders(text: string): string {
  return text.replaceAll(/<system-reminder>[\s\S]*?<\/system-reminder>/g, "").trim();
}

function notificationNote(text: string): string {
  const said = tagged(text, "summary");
  if (said !== null) return said;
  const taskId = tagged(text, "task-id");
  return taskId === null ? "News of a background task" : `News of the background task ${taskId}`;
}

/** Echoes of what was run without the model; null for text that is none. */
export function echoAdditions(text: string, origin: string | null = null): Addition[] | null {
  const shell = tagged(text, "bash-input");
  if (shell !== null) return [{ kind: "prompt", text: `!${shell}` }];
  const command = tagged(text, "command-name");
  if (command !== null) {
    const line = [command, tagged(text, "command-args")].filter(Boolean).join(" ");
    // A command that goes to the model (a skill) is a prompt; `/compact` and the like only act on Claude Code.
    return origin === "human" ? [{ kind: "prompt", text: line }] : [note(line)];
  }
  if (!/^\s*<(local-command-|bash-stdout|bash-stderr)/.test(text)) return null;
  const printed = ["local-command-stdout", "local-command-stderr", "bash-stdout", "bash-stderr"]
    .map((tag) => tagged(text, tag))
    .filter((one) => one !== null);
  return printed.length === 0 ? [] : [note(printed.join("\n"))];
}

function tagged(text: string, tag: string): string | null {
  const open = text.indexOf(`<${tag}>`);
  if (open < 0) return null;
  const from = open + tag.length + 2;
  const end = text.indexOf(`</${tag}>`, from);
  return nonBlank(end < 0 ? text.slice(from) : text.slice(from, end));
}

// ---- what the assistant's side wrote

export function assistantAdditions(entry: Json): Addition[] {
  const message = objectOf(entry.message);
  if (entry.isApiErrorMessage === true)
    return [note(nonBlank(textOf(message?.content)) ?? "The API refused the request")];
  // Other synthetic messages ("No response requested.") answer nobody.
  if (message === null || message.model === SYNTHETIC) return [];
  return objectsOf(message.content).flatMap((block): Addition[] => {
    switch (block.type) {
      case "text":
        return said("assistant", block.text);
      case "thinking":
        return said("reasoning", block.thinking);
      case "tool_use":
        return [
          {
            kind: "call",
            callId: stringOf(block.id),
            name: stringOf(block.name) ?? "unnamed tool",
            input: objectOf(block.input) ?? {},
          },
        ];
      default:
        return [];
    }
  });
}

/** The model that Claude Code names when it answers by itself. */
export const SYNTHETIC = "<synthetic>";

/** A block whose text the service kept to itself is empty and says nothing. */
function said(kind: "assistant" | "reasoning", value: unknown): Addition[] {
  const text = nonBlank(value);
  return text === null ? [] : [{ kind, text }];
}

// ---- what neither said

export function systemAdditions(entry: Json): Addition[] {
  if (entry.subtype === "local_command") return echoAdditions(stringOf(entry.content) ?? "") ?? [];
  if (entry.subtype !== "compact_boundary") return [];
  const facts = objectOf(entry.compactMetadata);
  const [before, after] = [numberOf(facts?.preTokens), numberOf(facts?.postTokens)];
  const sizes = before === null || after === null ? "" : ` from ${before} to ${after} tokens`;
  return [note(`The conversation was compacted${sizes}`)];
}

function note(text: string): Addition {
  return { kind: "note", text };
}

// ---- tools

/** A shell command as it is; anything else as indented JSON. */
export function inputText(input: Json): string {
  const command = stringOf(input.command);
  return command ?? JSON.stringify(input, null, 2);
}

/** What a call that succeeded changed, by its input and what Claude Code noted of its result. */
export function editsOf(name: string, input: Json, details: Json | null): TranscriptEdit[] {
  const path = stringOf(input.file_path) ?? stringOf(input.notebook_path);
  if (path === null) return [];
  switch (name) {
    case "Edit":
      return replacement(path, input);
    // Only releases before 2.1.197 offer it.
    case "MultiEdit":
      return objectsOf(input.edits).flatMap((edit) => replacement(path, edit));
    case "Write":
      return whole(path, stringOf(details?.originalFile), input.content);
    case "NotebookEdit":
      return whole(path, null, input.new_source);
    default:
      return [];
  }
}

function replacement(path: string, edit: Json): TranscriptEdit[] {
  const [before, after] = [stringOf(edit.old_string), stringOf(edit.new_string)];
  // An empty `old_string` makes a new file.
  return before === null || after === null ? [] : [{ path, before: before === "" ? null : before, after }];
}

function whole(path: string, before: string | null, content: unknown): TranscriptEdit[] {
  const after = stringOf(content);
  return after === null ? [] : [{ path, before, after }];
}
