// A terminal whose agent has a captured conversation: a program that calls itself claude, with the files of a real one.
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import type { Kolu } from "./start-kolu.ts";

export const CAPTURED_SESSION = "eccb0912-455d-47be-a001-10e7369e1abf";
const CAPTURED = join(
  import.meta.dirname,
  "../packages/integrations/claude/fixtures/2.1.332/plan-approval/home/.claude/projects",
);
/** Stands for the agent: its status file, for the process that it is. */
const CLAUDE = `#!/bin/sh
at=$(date +%s)000
mkdir -p $HOME/.claude/sessions
echo "{\\"pid\\":$$,\\"sessionId\\":\\"${CAPTURED_SESSION}\\",\\"cwd\\":\\"$(pwd)\\",\\"startedAt\\":$at,\\"procStart\\":\\"$(cut -d' ' -f22 /proc/$$/stat)\\",\\"version\\":\\"2.1.332\\",\\"status\\":\\"idle\\",\\"statusUpdatedAt\\":$at}" > $HOME/.claude/sessions/$$.json
read x
`;

/** Resolves with the terminal's id once the conversation is found. */
export async function startCapturedAgent(kolu: Kolu): Promise<string> {
  const bin = join(kolu.home, "bin");
  await mkdir(bin);
  await writeFile(join(bin, "claude"), CLAUDE, { mode: 0o755 });
  await writeFile(join(kolu.home, ".bashrc"), "PATH=$HOME/bin:$PATH\n");
  await cp(CAPTURED, join(kolu.home, ".claude", "projects"), { recursive: true });
  const id = await kolu.ok(["create", "--toplevel", "--", "claude"]);
  await untilRecord(kolu, id, (record) => record.agent?.sessionPath != null);
  return id;
}

/** Resolves as soon as the record is like that. */
export async function untilRecord(
  kolu: Kolu,
  id: string,
  holds: (record: TerminalRecord) => boolean,
): Promise<void> {
  await using link = await kolu.padi();
  for await (const frame of link.client.subscribe("terminals.watch", {})) {
    const rows = frame.kind === "snapshot" ? frame.rows : frame.upserts;
    if (rows.some((record) => record.id === id && holds(record))) return;
  }
}
