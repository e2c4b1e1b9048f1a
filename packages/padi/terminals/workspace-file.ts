// The workspace as one file: what goes into it, and what is taken out of one. Pure.

import type { RecentAgent, RecentRepo } from "@kolu/contract/launch.ts";
import { refuse } from "@kolu/contract/refusals.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { WORKSPACE_FILE_MAX_BYTES, WorkspaceFile } from "@kolu/contract/workspace.ts";
import { hasCircle } from "./bring-in.ts";

export interface FileSource {
  records: readonly TerminalRecord[];
  repos: RecentRepo[];
  agents: RecentAgent[];
  /** The line that started a terminal's agent; null when nobody saw it. */
  agentCommand(id: string): string | null;
  /** The line without what may be secret or belongs to one conversation; null when it starts no session of this agent. */
  shareableCommand(agentKind: string, line: string): string | null;
}

export function toFile(source: FileSource, nowMs: number): WorkspaceFile {
  const shareable = (kind: string, line: string | null): string | null =>
    line === null ? null : source.shareableCommand(kind, line);
  return {
    format: "kolu-workspace",
    version: 1,
    exportedAtMs: nowMs,
    terminals: source.records.map(
      ({ id, parentId, createdAtMs, cwd, intent, themeName, fontPx, layout, agent }) => ({
        ...{ id, parentId, createdAtMs, cwd, intent, themeName, fontPx, layout },
        agent: agent && {
          kind: agent.kind,
          sessionId: agent.sessionId,
          sessionPath: agent.sessionPath,
          title: agent.title,
          model: agent.model,
          prompted: agent.prompted,
          command: shareable(agent.kind, source.agentCommand(id)),
        },
      }),
    ),
    repos: source.repos,
    agents: source.agents.flatMap((agent) => {
      const command = shareable(agent.kind, agent.command);
      return command === null ? [] : [{ ...agent, command }];
    }),
  };
}

/** Throws `not-a-workspace` with the first thing that is wrong, in words. */
export function parseFile(text: string): WorkspaceFile {
  if (Buffer.byteLength(text) > WORKSPACE_FILE_MAX_BYTES)
    throw notOne(`it is larger than ${WORKSPACE_FILE_MAX_BYTES / 1024 / 1024} MiB`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw notOne("it is not JSON");
  }
  const parsed = WorkspaceFile.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue && issue.path.length > 0 ? `${issue.path.join(".")}: ` : "";
    throw notOne(`${where}${issue?.message ?? "it has another shape"}`);
  }
  const { terminals } = parsed.data;
  if (new Set(terminals.map(({ id }) => id)).size < terminals.length)
    throw notOne("one terminal is in it twice");
  if (hasCircle(terminals)) throw notOne("its splits lead around in a circle");
  return parsed.data;
}

function notOne(reason: string) {
  return refuse("not-a-workspace", { reason }, `This is no workspace that kolu exported: ${reason}.`);
}
