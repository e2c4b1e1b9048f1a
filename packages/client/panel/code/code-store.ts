// What is open in the Code tab, for each project: going to another terminal and coming back finds it as it was left.
import { create } from "zustand";

/** files: the whole tree. local: what is not committed. branch: all of this branch. */
export const CODE_MODES = ["files", "local", "branch"] as const;
export type CodeMode = (typeof CODE_MODES)[number];

export interface OpenFile {
  /** Relative to the project's root. */
  path: string;
  /** null: as this kind of file is best shown. */
  as: "text" | "diff" | "preview" | null;
  /** A line to show, from 1 on. */
  line: number | null;
  /** Grows with each wish to see this line, so that the same one can be shown again. */
  wish: number;
}

export interface CodeView {
  mode: CodeMode;
  open: OpenFile | null;
  filter: string;
  /** Directories that are unfolded. */
  expanded: ReadonlySet<string>;
}

const FIRST: CodeView = { mode: "files", open: null, filter: "", expanded: new Set() };

const useViews = create<{ views: ReadonlyMap<string, CodeView> }>(() => ({ views: new Map() }));

export function useCodeView(root: string): CodeView {
  return useViews(({ views }) => views.get(root) ?? FIRST);
}

export function codeViewOf(root: string): CodeView | null {
  return useViews.getState().views.get(root) ?? null;
}

export function changeView(root: string, changed: Partial<CodeView>): void {
  useViews.setState(({ views }) => ({
    views: new Map([...views, [root, { ...(views.get(root) ?? FIRST), ...changed }]]),
  }));
}

export function openFile(root: string, path: string, options: Partial<Omit<OpenFile, "path">> = {}): void {
  const before = codeViewOf(root)?.open ?? null;
  changeView(root, {
    open: {
      path,
      as: options.as ?? null,
      line: options.line ?? null,
      wish: (before?.wish ?? 0) + 1,
    },
  });
}

export function toggleDirectory(root: string, path: string): void {
  const expanded = new Set(codeViewOf(root)?.expanded);
  if (!expanded.delete(path)) expanded.add(path);
  changeView(root, { expanded });
}
