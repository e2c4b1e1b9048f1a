// The list of files, as a tree or flat: one keyboard, one look. Only the rows near the eye are drawn.
import { type JSX, type KeyboardEvent, useRef, useState } from "react";
import { Icon } from "../../theme/icon.tsx";
import type { Status } from "./file-tree.ts";
import { directoryOf, fileName } from "./places.ts";
import { useWindow } from "./use-window.ts";

export interface ListRow {
  path: string;
  directory: boolean;
  /** From 1 on. */
  level: number;
  expanded: boolean;
  status: Status | null;
  changedBelow: boolean;
}

export interface FileListProps {
  label: string;
  rows: readonly ListRow[];
  /** Names alone, indented; else whole paths. */
  tree: boolean;
  openPath: string | null;
  onOpen(path: string): void;
  onToggle(path: string): void;
}

const ROW_PX = 24;
const INDENT_PX = 12;

const STATUS_WORDS: Record<Status, string> = {
  M: "modified",
  A: "added",
  D: "deleted",
  R: "renamed",
  C: "copied",
  U: "unmerged",
  T: "type changed",
  "?": "untracked",
};

export function FileList({ label, rows, tree, openPath, onOpen, onToggle }: FileListProps): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const { from, to } = useWindow(scroller, { rowPx: ROW_PX, count: rows.length });
  const [cursorPath, setCursorPath] = useState<string | null>(openPath);
  const cursor = Math.max(
    0,
    rows.findIndex(({ path }) => path === cursorPath),
  );

  function moveTo(at: number): void {
    const row = rows[Math.min(rows.length - 1, Math.max(0, at))];
    if (!row) return;
    setCursorPath(row.path);
    const element = scroller.current!;
    const top = rows.indexOf(row) * ROW_PX;
    if (top < element.scrollTop) element.scrollTop = top;
    if (top + ROW_PX > element.scrollTop + element.clientHeight)
      element.scrollTop = top + ROW_PX - element.clientHeight;
  }
  function act(row: ListRow): void {
    setCursorPath(row.path);
    if (row.directory) onToggle(row.path);
    else onOpen(row.path);
  }
  function onKeyDown(event: KeyboardEvent): void {
    const row = rows[cursor];
    if (!row) return;
    const page = Math.floor(scroller.current!.clientHeight / ROW_PX);
    const moves: Record<string, () => void> = {
      ArrowDown: () => moveTo(cursor + 1),
      ArrowUp: () => moveTo(cursor - 1),
      PageDown: () => moveTo(cursor + page),
      PageUp: () => moveTo(cursor - page),
      Home: () => moveTo(0),
      End: () => moveTo(rows.length - 1),
      ArrowRight: () => (row.directory && !row.expanded ? onToggle(row.path) : moveTo(cursor + 1)),
      ArrowLeft: () =>
        row.directory && row.expanded
          ? onToggle(row.path)
          : moveTo(rows.findLastIndex((each, at) => at < cursor && each.level < row.level)),
      Enter: () => act(row),
      " ": () => act(row),
    };
    const move = moves[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move();
  }
  return (
    <div
      ref={scroller}
      className="file-list"
      role="tree"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={rows[cursor] ? rowId(rows[cursor].path) : undefined}
      onKeyDown={onKeyDown}
    >
      <div style={{ height: rows.length * ROW_PX }}>
        <div style={{ transform: `translateY(${from * ROW_PX}px)` }}>
          {rows.slice(from, to).map((row, at) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keyboard for its rows
            // biome-ignore lint/a11y/useFocusableInteractive: the tree names the row that has the cursor
            <div
              key={row.path}
              id={rowId(row.path)}
              className="file-row"
              role="treeitem"
              aria-level={row.level}
              aria-setsize={rows.length}
              aria-posinset={from + at + 1}
              aria-expanded={row.directory ? row.expanded : undefined}
              aria-selected={row.path === openPath}
              aria-label={rowLabel(row, tree)}
              data-cursor={from + at === cursor || undefined}
              data-status={row.status ?? (row.changedBelow ? "below" : undefined)}
              title={row.path}
              style={{ paddingLeft: 8 + (tree ? (row.level - 1) * INDENT_PX : 0) }}
              onClick={() => act(row)}
            >
              {tree && <Icon name={row.directory ? (row.expanded ? "unfolded" : "folded") : "file"} />}
              <span className="file-name">{fileName(row.path)}</span>
              {!tree && <span className="file-directory">{directoryOf(row.path)}</span>}
              {row.status !== null && <b title={STATUS_WORDS[row.status]}>{row.status}</b>}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

function rowId(path: string): string {
  return `file-row-${path}`;
}

function rowLabel(row: ListRow, tree: boolean): string {
  const name = tree ? fileName(row.path) : row.path;
  if (row.status !== null) return `${name}, ${STATUS_WORDS[row.status]}`;
  return row.changedBelow ? `${name}, has changes` : name;
}
