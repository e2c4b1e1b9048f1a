// Every code that a caller can branch on. A refusal is an answer ("what you ask cannot be"), never a crash.
// Codes are stable; sentences may improve. The sentence says what to do next.

/** Every refusal code, with the data that travels beside it. */
export interface RefusalData {
  "terminal-not-found": { id: string };
  "terminal-gone": { id: string };
  "terminal-not-live": { id: string; life: string };
  "parent-cycle": { childId: string; parentId: string; reason: "self" | "would-cycle" };
  "text-and-key": Record<never, never>;
  "key-refused": { key: string };
  "text-refused": Record<never, never>;
  "no-input": Record<never, never>;
  "input-queue-full": { id: string; queuedBytes: number; limitBytes: number };
  "blank-field": { field: string };
  "repo-without-worktree": Record<never, never>;
  "cwd-and-worktree": Record<never, never>;
  "worktree-needs-repo": Record<never, never>;
  "relative-repo": { repo: string };
  "bad-worktree-name": { worktree: string; reason: string };
  "not-a-repo": { path: string };
  "not-a-directory": { path: string };
  "worktree-name-collision": { path: string; branch: string };
  "worktree-base-missing": { repo: string };
  "worktree-kept": { path: string; branch: string | null; reason: "dirty" | "unmerged" | "main" };
  "stopped-partway": {
    landed: { id?: string; worktree?: { path: string; branch: string } };
    notTyped?: string;
  };
  "spawn-failed": { command: string; reason: string };
  "argv-empty": Record<never, never>;
  "bad-cursor": { cursor: string };
  "bad-pattern": { pattern: string; reason: string };
  "git-failed": { detail: string };
  "base-branch-not-found": { repo: string };
  "outside-project": { path: string };
  "not-a-file": { path: string };
  "file-gone": { path: string };
  "too-large": { path: string; limitBytes: number };
  "upload-not-found": { uploadId: string };
  "uploads-full": { limit: number };
  "no-agent": { id: string };
  "nothing-asked": { id: string };
  "agent-awaiting": { id: string; awaiting: { kind: string; message: string | null } | null };
  "draft-in-composer": { id: string; draft: string };
  "prompt-in-flight": { id: string };
  "watch-not-found": { name: string; known: string[] };
  "watches-full": { known: string[]; limit: number };
  "empty-ids": Record<never, never>;
  "muted-covers-include": { ids: string[] };
  "ignore-self-unresolvable": Record<never, never>;
  "ignore-self-invalid": { raw: string };
  "ignore-self-not-in-fleet": { id: string };
  "no-transcript": { id: string; agent: string };
  "transcript-too-large": { id: string; limitBytes: number };
  "kaval-unreachable": { socketPath: string };
  "kaval-incompatible": { daemonVersion: string; requiredVersion: string };
  "nothing-to-restore": Record<never, never>;
  "backup-not-found": { name: string };
  "backup-unreadable": { name: string; reason: string };
  "not-a-workspace": { reason: string };
  "bad-params": { issues: { path: string; message: string }[] };
  "unknown-method": { method: string };
  draining: Record<never, never>;
}

export type RefusalKind = keyof RefusalData;

/** A typed refusal. Thrown inside a process, carried over the wire as a JSON-RPC error, never logged as a fault. */
export class Refusal<K extends RefusalKind = RefusalKind> extends Error {
  readonly kind: K;
  readonly data: RefusalData[K];
  constructor(kind: K, data: RefusalData[K], sentence: string) {
    super(sentence);
    this.name = "Refusal";
    this.kind = kind;
    this.data = data;
  }
}

export function refuse<K extends RefusalKind>(kind: K, data: RefusalData[K], sentence: string): Refusal<K> {
  return new Refusal(kind, data, sentence);
}

export function isRefusal<K extends RefusalKind>(error: unknown, kind: K): error is Refusal<K> {
  return error instanceof Refusal && error.kind === kind;
}

export function terminalNotFound(id: string): Refusal<"terminal-not-found"> {
  return refuse("terminal-not-found", { id }, `No terminal has the id ${id}. List them with: kolu ls`);
}
