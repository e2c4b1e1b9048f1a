// Comments on lines, collected until they go to an agent as one prompt; kept by project, and a reload finds them again.
import { create } from "zustand";

export interface LineComment {
  id: string;
  path: string;
  /** Lines as they are now, or as they were before the change. */
  side: "new" | "old";
  from: number;
  to: number;
  /** The lines when the comment was written: the agent may have changed them since. */
  quote: string;
  text: string;
}

/** A quote beyond this is cut in its middle: the lines are named, and the agent can read them. */
const QUOTE_MAX_LINES = 12;
const STORAGE_KEY = "kolu.comments";

type Comments = Readonly<Record<string, readonly LineComment[]>>;

const storage = typeof localStorage === "undefined" ? null : localStorage;

export const useComments = create<{ comments: Comments }>(() => ({ comments: readKept() }));

useComments.subscribe(({ comments }) => storage?.setItem(STORAGE_KEY, JSON.stringify(comments)));

function readKept(): Comments {
  try {
    const value: unknown = JSON.parse(storage?.getItem(STORAGE_KEY) ?? "{}");
    if (typeof value !== "object" || value === null) return {};
    return Object.fromEntries(
      Object.entries(value).map(([root, list]) => [root, Array.isArray(list) ? list.filter(isComment) : []]),
    );
  } catch {
    return {}; // Another version's: nothing to keep.
  }
}

function isComment(value: unknown): value is LineComment {
  const { id, path, from, to, quote, text } = value as Partial<LineComment>;
  return (
    [id, path, quote, text].every((field) => typeof field === "string") &&
    [from, to].every((field) => typeof field === "number")
  );
}

const NONE: readonly LineComment[] = [];

export function useCommentsOf(root: string): readonly LineComment[] {
  return useComments(({ comments }) => comments[root] ?? NONE);
}

/** Adds a comment, or replaces the one with its id. */
export function putComment(root: string, comment: LineComment): void {
  change(root, (list) =>
    list.some(({ id }) => id === comment.id)
      ? list.map((each) => (each.id === comment.id ? comment : each))
      : [...list, comment],
  );
}

export function dropComments(root: string, ids: readonly string[]): void {
  change(root, (list) => list.filter(({ id }) => !ids.includes(id)));
}

function change(root: string, to: (list: readonly LineComment[]) => readonly LineComment[]): void {
  useComments.setState(({ comments }) => {
    const { [root]: list = [], ...rest } = comments;
    const next = to(list);
    return { comments: next.length === 0 ? rest : { ...rest, [root]: next } };
  });
}

/** "src/a.ts:10-12"; lines that are gone say so. Pure. */
export function placeWords({
  path,
  side,
  from,
  to,
}: Pick<LineComment, "path" | "side" | "from" | "to">): string {
  const lines = from === to ? `${from}` : `${from}-${to}`;
  return `${path}:${lines}${side === "old" ? " (before the change)" : ""}`;
}

/** All comments as one prompt, by file and line, each with the lines that it is about. Pure. */
export function promptOf(comments: readonly LineComment[]): string {
  const sorted = comments.toSorted((a, b) =>
    a.path === b.path ? a.from - b.from : a.path < b.path ? -1 : 1,
  );
  const about =
    sorted.length === 1
      ? "A comment on the code. Please address it."
      : `${sorted.length} comments on the code. Please address each of them.`;
  const parts = sorted.map(
    (comment, at) =>
      `${sorted.length === 1 ? "" : `${at + 1}. `}${placeWords(comment)}\n${quoted(comment.quote)}\n${comment.text.trim()}`,
  );
  return [about, ...parts].join("\n\n");
}

function quoted(quote: string): string {
  const lines = quote.split("\n");
  const half = QUOTE_MAX_LINES / 2;
  const shown =
    lines.length <= QUOTE_MAX_LINES
      ? lines
      : [...lines.slice(0, half), `… ${lines.length - QUOTE_MAX_LINES} more lines …`, ...lines.slice(-half)];
  return shown.map((line) => `> ${line}`).join("\n");
}
