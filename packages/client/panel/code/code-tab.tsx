// The files that the active terminal works on: all of them, what is not committed, what the branch brings; and the one that
// is open.
import type { GitStatus } from "@kolu/contract/project.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { type JSX, useEffect, useMemo } from "react";
import { say } from "../../canvas/notices.ts";
import { useCodeWish } from "../code-open.ts";
import "./code.css";
import {
  CODE_MODES,
  type CodeMode,
  type CodeView,
  changeView,
  codeViewOf,
  openFile,
  toggleDirectory,
  useCodeView,
} from "./code-store.ts";
import { CommentTray } from "./comment-tray.tsx";
import { FileList, type ListRow } from "./file-list.tsx";
import { FILTER_HITS_MAX, filterPaths, statusesOf, treeRows } from "./file-tree.ts";
import { directoriesAbove, pathInRoot, rootOf } from "./places.ts";
import {
  type Files,
  type Read,
  useChanges,
  useDirectoryFiles,
  useNews,
  useRepositoryFiles,
} from "./use-project.ts";
import { Viewer } from "./viewer.tsx";

export function CodeTab({ record }: { record: TerminalRecord }): JSX.Element {
  const root = rootOf(record);
  const view = useCodeView(root);
  const news = useNews(root, null);
  const repository = record.git === null ? null : root;
  const local = useChanges(repository, "local", news);
  const branch = useChanges(view.mode === "branch" ? repository : null, "branch", news);
  const tracked = useRepositoryFiles(repository, local.value?.files ?? null, record.git?.head ?? null);
  const loose = useDirectoryFiles(repository === null ? root : null, view.expanded, news);
  useWish(record, root);
  useFirstLook(record, root);
  const changes = view.mode === "branch" ? branch : local;
  const { open } = view;
  const change = open === null ? null : (changes.value?.files.find(({ path }) => path === open.path) ?? null);
  return (
    <div className="code" data-open={open !== null || undefined}>
      <div className="code-side">
        <Head
          root={root}
          view={view}
          inRepository={repository !== null}
          changed={local.value?.files.length ?? 0}
        />
        {view.mode === "files" ? (
          <AllFiles root={root} view={view} files={repository === null ? loose : tracked} local={local} />
        ) : (
          <Changes root={root} view={view} changes={changes} />
        )}
      </div>
      {open !== null && <Viewer key={root} root={root} file={open} mode={view.mode} change={change} />}
      <CommentTray root={root} record={record} />
    </div>
  );
}

/** Takes the place that somebody asked to see. */
function useWish(record: TerminalRecord, root: string): void {
  const wish = useCodeWish((state) => state.wish);
  useEffect(() => {
    if (wish === null || wish.terminalId !== record.id) return;
    useCodeWish.setState({ wish: null });
    const path = pathInRoot(wish.path, { cwd: record.cwd, root });
    if (path === null) {
      say(`${wish.path} lies outside of ${root}, so it is not shown.`);
      return;
    }
    unfold(root, directoriesAbove(path));
    changeView(root, { mode: "files", filter: "" });
    openFile(root, path, { line: wish.line });
  }, [wish, record.id, record.cwd, root]);
}

/** A terminal deep inside a repository finds its own directory unfolded. */
function useFirstLook({ cwd }: TerminalRecord, root: string): void {
  useEffect(() => {
    if (codeViewOf(root) !== null) return;
    const own = pathInRoot(cwd, { cwd, root });
    if (own !== null) unfold(root, [...directoriesAbove(own), own]);
  }, [cwd, root]);
}

function unfold(root: string, directories: string[]): void {
  changeView(root, { expanded: new Set([...(codeViewOf(root)?.expanded ?? []), ...directories]) });
}

const MODE_WORDS: Record<CodeMode, string> = { files: "Files", local: "Uncommitted", branch: "Branch" };

interface HeadProps {
  root: string;
  view: CodeView;
  inRepository: boolean;
  changed: number;
}

function Head({ root, view, inRepository, changed }: HeadProps): JSX.Element {
  return (
    <div className="code-head">
      {inRepository && (
        <fieldset className="segments" aria-label="Which files">
          {CODE_MODES.map((mode) => (
            <button
              key={mode}
              type="button"
              aria-pressed={view.mode === mode}
              onClick={() => changeView(root, { mode, ...reopened(view) })}
            >
              {MODE_WORDS[mode]}
              {mode === "local" && changed > 0 && <span className="segment-count">{changed}</span>}
            </button>
          ))}
        </fieldset>
      )}
      <input
        type="search"
        aria-label="Filter files"
        placeholder="Filter files"
        value={view.filter}
        onChange={(event) => changeView(root, { filter: event.target.value })}
      />
    </div>
  );
}

/** The open file is shown as the new list shows files. */
function reopened({ open }: CodeView): Partial<CodeView> {
  return open === null ? {} : { open: { ...open, as: null, line: null } };
}

interface ListProps {
  root: string;
  view: CodeView;
}

function AllFiles({
  root,
  view,
  files,
  local,
}: ListProps & { files: Read<Files>; local: Read<GitStatus> }): JSX.Element {
  const { expanded, filter } = view;
  const { value } = files;
  const statuses = useMemo(() => statusesOf(local.value?.files ?? []), [local.value]);
  const filtering = filter.trim() !== "";
  const rows = useMemo((): ListRow[] => {
    if (value === null) return [];
    if (!filtering) return treeRows(value.children, { expanded, statuses });
    return filterPaths(value.paths, filter).map((path) => flatRow(path, statuses.of(path)));
  }, [value, filter, filtering, expanded, statuses]);
  if (files.failure !== null) return <p className="panel-empty">{files.failure}</p>;
  if (value === null) return <p className="panel-empty">The files are being listed.</p>;
  return (
    <>
      <List
        root={root}
        view={view}
        rows={rows}
        tree={!filtering}
        none={filtering ? "No such file." : "No files."}
      />
      {filtering && rows.length === FILTER_HITS_MAX && (
        <p className="viewer-note">The first {FILTER_HITS_MAX}. Type more to narrow them.</p>
      )}
      {value.truncated && <p className="viewer-note">There are more files than can be listed.</p>}
    </>
  );
}

function Changes({ root, view, changes }: ListProps & { changes: Read<GitStatus> }): JSX.Element {
  const { value, failure } = changes;
  const rows = useMemo((): ListRow[] => {
    if (value === null) return [];
    const byPath = new Map(value.files.map((file) => [file.path, file.status]));
    const paths =
      view.filter.trim() === "" ? [...byPath.keys()] : filterPaths([...byPath.keys()], view.filter);
    return paths.map((path) => flatRow(path, byPath.get(path) ?? null));
  }, [value, view.filter]);
  if (failure !== null) return <p className="panel-empty">{failure}</p>;
  if (value === null) return <p className="panel-empty">git is being asked.</p>;
  return (
    <>
      {value.mode === "branch" && value.base !== null && (
        <p className="viewer-note">
          Since <code>{value.base.ref}</code> at <code>{value.base.sha.slice(0, 8)}</code>
        </p>
      )}
      <List root={root} view={view} rows={rows} tree={false} none={noChanges(value)} />
    </>
  );
}

function noChanges(status: GitStatus): string {
  if (status.files.length > 0) return "No such file.";
  if (status.mode === "local") return "Nothing that is not committed.";
  return status.base === null
    ? "There is no origin to compare this branch with."
    : "This branch brings nothing new.";
}

function flatRow(path: string, status: ListRow["status"]): ListRow {
  return { path, directory: false, level: 1, expanded: false, status, changedBelow: false };
}

function List({
  root,
  view,
  rows,
  tree,
  none,
}: ListProps & { rows: readonly ListRow[]; tree: boolean; none: string }): JSX.Element {
  if (rows.length === 0) return <p className="panel-empty">{none}</p>;
  return (
    <FileList
      label={MODE_WORDS[view.mode]}
      rows={rows}
      tree={tree}
      openPath={view.open?.path ?? null}
      onOpen={(path) => openFile(root, path)}
      onToggle={(path) => toggleDirectory(root, path)}
    />
  );
}
