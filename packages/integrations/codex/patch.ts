// The patch text of Codex's `apply_patch` tool as changes of files. Pure. Its grammar is told to every model in the tool's own
// description: `*** Add File:`, `*** Update File:` with hunks of ` `, `-` and `+` lines, `*** Delete File:`.
import type { TranscriptEdit } from "@kolu/contract/transcript.ts";

const FILE_HEADER = /^\*\*\* (Add|Update|Delete) File: (.+)$/;

export function editsOfPatch(patch: string): TranscriptEdit[] {
  const edits: TranscriptEdit[] = [];
  let file: { verb: string; path: string } | null = null;
  let before: string[] = [];
  let after: string[] = [];
  const close = () => {
    if (file !== null && (before.length > 0 || after.length > 0 || file.verb === "Delete")) {
      const whole = file.verb === "Add";
      edits.push({ path: file.path, before: whole ? null : before.join("\n"), after: after.join("\n") });
    }
    before = [];
    after = [];
  };
  for (const line of patch.split("\n")) {
    const header = FILE_HEADER.exec(line);
    if (header !== null) {
      close();
      file = { verb: header[1]!, path: header[2]!.trim() };
    } else if (line.startsWith("@@")) close();
    else if (line.startsWith("***")) continue;
    else if (line.startsWith("+")) after.push(line.slice(1));
    else if (line.startsWith("-")) before.push(line.slice(1));
    else if (line.startsWith(" ")) {
      before.push(line.slice(1));
      after.push(line.slice(1));
    }
  }
  close();
  return edits;
}
