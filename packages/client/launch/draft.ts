// A new terminal as far as somebody has said what it should be, and what follows from that. Pure.
import type { DirectoryLook, LaunchChoices, Recents } from "@kolu/contract/launch.ts";
import type { LaunchParams } from "@kolu/contract/padi.ts";
import type { RefusalKind } from "@kolu/contract/refusals.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";

export type Run =
  | { kind: "shell" }
  | { kind: "agent"; agent: string }
  /** A command line that is typed as it is. */
  | { kind: "line"; line: string };

export interface Draft {
  /** A path as it was typed: `~` is home. */
  where: string;
  /** Null: as it suits what runs. */
  inWorktree: boolean | null;
  /** Null: the fresh name that padi offers. */
  name: string | null;
  /** Null: what padi takes by itself. */
  base: string | null;
  run: Run;
  firstPrompt: string;
}

export type Field = "where" | "name" | "base" | "run";
export interface Problem {
  field: Field | null;
  text: string;
}

type Repository = Extract<DirectoryLook, { kind: "repository" }>;

/** Whether a worktree can be cut there at all. */
export function canBeWorktree(look: DirectoryLook | null): look is Repository {
  return look?.kind === "repository" && look.base !== null;
}

/** An agent gets a worktree of its own unless somebody says otherwise: it changes files while others look at them. */
export function isInWorktree({ inWorktree, run }: Draft, look: DirectoryLook | null): boolean {
  return canBeWorktree(look) && (inWorktree ?? run.kind !== "shell");
}

export function nameIn(draft: Draft, look: DirectoryLook | null): string {
  return draft.name ?? (look?.kind === "repository" ? look.freshName : "");
}

type Wish = Pick<LaunchParams, "cwd" | "repo" | "worktree" | "base" | "run" | "firstPrompt">;

/** What padi is asked for, or what is wrong. */
export function wishOf(draft: Draft, look: DirectoryLook, choices: LaunchChoices | null): Wish | Problem {
  if (look.kind === "none") return { field: "where", text: `Nothing can be opened there: ${look.reason}.` };
  const run = lineOf(draft.run, choices);
  if (run === "") return { field: "run", text: "Say which command to run." };
  const firstPrompt = takesPrompt(draft.run) ? draft.firstPrompt.trim() : "";
  const rest = { ...(run === null ? {} : { run }), ...(firstPrompt === "" ? {} : { firstPrompt }) };
  if (!isInWorktree(draft, look) || look.kind !== "repository") return { cwd: look.path, ...rest };
  const worktree = nameIn(draft, look).trim();
  if (worktree === "") return { field: "name", text: "The worktree needs a name." };
  return {
    repo: look.mainRoot,
    worktree,
    ...(draft.base === null ? {} : { base: draft.base }),
    ...rest,
  };
}

export function isProblem(wish: Wish | Problem): wish is Problem {
  return "text" in wish;
}

/** The line that is typed; null: none, it is a plain shell. */
function lineOf(run: Run, choices: LaunchChoices | null): string | null {
  switch (run.kind) {
    case "shell":
      return null;
    case "agent":
      return choices?.agents.find(({ kind }) => kind === run.agent)?.program ?? run.agent;
    case "line":
      return run.line.trim();
    default:
      return run satisfies never;
  }
}

export function takesPrompt(run: Run): boolean {
  return run.kind !== "shell";
}

/** Where in the form a refusal belongs; null: to all of it. */
export function fieldOf(kind: RefusalKind): Field | null {
  switch (kind) {
    case "bad-worktree-name":
    case "worktree-name-collision":
      return "name";
    case "worktree-base-missing":
      return "base";
    case "not-a-repo":
    case "not-a-directory":
      return "where";
    case "blank-field":
      return "run";
    default:
      return null;
  }
}

export interface Place {
  path: string;
  name: string;
  /** Where it is known from, in words. */
  from: string;
}

/** Places that somebody may mean, the likeliest first, each once. */
export function placesKnown(
  records: Iterable<TerminalRecord>,
  recents: Recents,
  choices: LaunchChoices | null,
): Place[] {
  const places = new Map<string, Place>();
  const add = (place: Place): void => {
    if (!places.has(place.path)) places.set(place.path, place);
  };
  const open = new Map<string, number>();
  for (const { git, life } of records)
    if (git && life === "active") open.set(git.mainRoot, (open.get(git.mainRoot) ?? 0) + 1);
  for (const { root, name } of recents.repos) {
    const count = open.get(root) ?? 0;
    add({ path: root, name, from: count === 0 ? "used lately" : countOpen(count) });
  }
  for (const [root, count] of open) add({ path: root, name: lastPart(root), from: countOpen(count) });
  for (const { root, name } of choices?.repos ?? []) add({ path: root, name, from: "repository" });
  return [...places.values()];
}

function countOpen(count: number): string {
  return count === 1 ? "1 terminal" : `${count} terminals`;
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export interface RunOption {
  run: Run;
  /** Null for a line: the line is its title. */
  agent: string | null;
  installed: boolean;
  /** The command that installs it; null where none is known or it is there. */
  install: string | null;
}

/** Lines beyond these are found by their words in the palette. */
const LINES_SHOWN = 3;

/** What can be run: a shell, every agent, and lines that were used of late, those of this repository first. */
export function runOptions(
  choices: LaunchChoices | null,
  recents: Recents,
  mainRoot: string | null,
): { programs: RunOption[]; lines: RunOption[] } {
  const agents = choices?.agents ?? [];
  const programs: RunOption[] = [
    { run: { kind: "shell" }, agent: null, installed: true, install: null },
    ...[...agents.filter((agent) => agent.installed), ...agents.filter((agent) => !agent.installed)].map(
      ({ kind, installed, install }) => ({
        run: { kind: "agent", agent: kind } as const,
        agent: kind,
        installed,
        install: installed ? null : install,
      }),
    ),
  ];
  const bare = new Set(agents.map(({ program }) => program));
  const seen = new Set<string>();
  const lines = recents.agents
    .filter(({ command }) => !bare.has(command))
    .toSorted((a, b) => Number(b.repoRoot === mainRoot) - Number(a.repoRoot === mainRoot))
    .filter(({ command }) => !seen.has(command) && seen.add(command))
    .slice(0, LINES_SHOWN)
    .map(({ command, kind }) => ({
      run: { kind: "line", line: command } as const,
      agent: kind,
      installed: true,
      install: null,
    }));
  return { programs, lines };
}

export function isSameRun(a: Run, b: Run): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
