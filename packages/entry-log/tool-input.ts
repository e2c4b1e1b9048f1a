// The arguments of a tool call as a reader wants them: a command as it is, anything else as JSON, edits apart. Pure.
// Tools as Pi 1.6.0 and Oh My Pi 18.2.3 offer them: bash {command}, write {path, content}, edit {path, edits | oldText, newText}.
import { type Json, objectsOf, stringOf } from "@kolu/anyagent/lenient.ts";
import type { TranscriptEdit } from "@kolu/contract/transcript.ts";

export function isShell(tool: string): boolean {
  return tool === "bash" || tool === "shell";
}

export function toolInput(shell: boolean, input: Json | null): string {
  if (input === null) return "";
  const command = shell ? stringOf(input.command) : null;
  return command ?? JSON.stringify(input, null, 2);
}

export function toolEdits(tool: string, input: Json): TranscriptEdit[] {
  const path = stringOf(input.path) ?? stringOf(input.filePath);
  if (path === null) return [];
  if (tool === "write") {
    const after = stringOf(input.content);
    return after === null ? [] : [{ path, before: null, after }];
  }
  if (tool !== "edit") return [];
  const edits = objectsOf(input.edits);
  return (edits.length > 0 ? edits : [input]).flatMap((edit) => {
    const before = stringOf(edit.oldText) ?? stringOf(edit.old_text);
    const after = stringOf(edit.newText) ?? stringOf(edit.new_text);
    return before === null || after === null ? [] : [{ path, before, after }];
  });
}
