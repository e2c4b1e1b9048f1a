// The workspace as a whole: its backups, and the one file that carries it to another machine.
import { z } from "zod";
import { TerminalId } from "./ids.ts";
import { Layout } from "./terminal.ts";

export const Backup = z.object({
  /** Names it in calls; it is the name of its file too. */
  name: z.string(),
  atMs: z.number(),
  bytes: z.int(),
  /** Null: it cannot be read. */
  terminals: z.int().nullable(),
});
export type Backup = z.infer<typeof Backup>;

/** What bringing terminals in from outside did. `snapshot` is the backup of the moment before: the way back. */
export const BroughtIn = z.object({
  snapshot: z.string(),
  /** They were not here: parked or asleep now. */
  added: z.array(TerminalId),
  /** They were here: their processes are untouched. */
  present: z.array(TerminalId),
});
export type BroughtIn = z.infer<typeof BroughtIn>;

/** A larger file is no workspace of ours. */
export const WORKSPACE_FILE_MAX_BYTES = 4 * 1024 * 1024;
const TERMINALS_MAX = 1_000;

const Path = z.string().regex(/^\//, "must be an absolute path");
const Line = z.string().max(4_096);

/** No environment, no command lines but those that start agents, no output: no title (shells put
 * command lines there): nothing that could hold a secret of a shell. */
export const WorkspaceFile = z.object({
  format: z.literal("kolu-workspace", { error: "must be kolu-workspace" }),
  version: z.literal(1, { error: "is of another version than 1" }),
  exportedAtMs: z.number(),
  terminals: z
    .array(
      z.object({
        id: TerminalId,
        parentId: TerminalId.nullable(),
        createdAtMs: z.number(),
        cwd: Path,
        intent: Line.nullable(),
        themeName: Line.nullable(),
        fontPx: z.number().min(6).max(40).nullable(),
        layout: Layout.nullable(),
        agent: z
          .object({
            kind: Line,
            sessionId: Line.nullable(),
            sessionPath: Path.nullable(),
            title: Line.nullable(),
            model: Line.nullable(),
            prompted: z.boolean(),
            /** Its program and the flags that shape it. */
            command: Line.nullable(),
          })
          .nullable(),
      }),
    )
    .max(TERMINALS_MAX),
  repos: z.array(z.object({ root: Path, name: Line, usedAtMs: z.number() })).max(TERMINALS_MAX),
  agents: z
    .array(z.object({ command: Line, kind: Line, repoRoot: Path.nullable(), usedAtMs: z.number() }))
    .max(TERMINALS_MAX),
});
export type WorkspaceFile = z.infer<typeof WorkspaceFile>;
