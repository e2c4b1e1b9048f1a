// One open file: its text, its difference, or how it looks; live, and never more than padi lets be read.
import type { ChangedFile } from "@kolu/contract/project.ts";
import type { JSX } from "react";
import { useMemo } from "react";
import { padi } from "../../store/workspace.ts";
import { Icon } from "../../theme/icon.tsx";
import { CopyButton } from "../copy-button.tsx";
import { type CodeMode, changeView, type OpenFile, openFile } from "./code-store.ts";
import { CommentedLines } from "./commented-lines.tsx";
import { DiffView } from "./diff-view.tsx";
import { fileKind, hasText, isShownRendered } from "./kinds.ts";
import { NotShown } from "./not-shown.tsx";
import { directoryOf, fileName } from "./places.ts";
import { Preview } from "./preview.tsx";
import { fileRows } from "./rows.ts";
import { isSameAnswer, useNews, useRead } from "./use-project.ts";

export interface ViewerProps {
  root: string;
  file: OpenFile;
  mode: CodeMode;
  /** How git sees this file, when it has changed. */
  change: ChangedFile | null;
}

type Shown = NonNullable<OpenFile["as"]>;

export function Viewer({ root, file, mode, change }: ViewerProps): JSX.Element {
  const kind = fileKind(file.path);
  const shown = shownAs(file, mode, change);
  const news = useNews(root, file.path);
  const choices = choicesOf(file, change);
  return (
    <section className="viewer" aria-label={file.path}>
      <header className="viewer-head">
        <span className="viewer-path" title={file.path}>
          <span className="file-name">{fileName(file.path)}</span>
          <span className="file-directory">{directoryOf(file.path)}</span>
        </span>
        {choices.length > 1 && (
          <fieldset className="segments" aria-label="Show as">
            {choices.map((as) => (
              <button
                key={as}
                type="button"
                aria-pressed={as === shown}
                onClick={() => openFile(root, file.path, { as, line: file.line })}
              >
                {as === "text"
                  ? "Text"
                  : as === "diff"
                    ? "Diff"
                    : kind === "markdown"
                      ? "Rendered"
                      : "Preview"}
              </button>
            ))}
          </fieldset>
        )}
        <CopyButton text={file.path} label="Copy the path" />
        <button
          type="button"
          className="icon-button"
          aria-label="Close the file"
          onClick={() => changeView(root, { open: null })}
        >
          <Icon name="close" />
        </button>
      </header>
      {shown === "diff" ? (
        <DiffView
          root={root}
          file={file}
          mode={mode === "branch" ? "branch" : "local"}
          change={change}
          news={news}
        />
      ) : shown === "preview" && kind !== "markdown" && kind !== "html" ? (
        <Preview root={root} path={file.path} news={news} />
      ) : (
        <TextView root={root} file={file} rendered={shown === "preview"} news={news} />
      )}
    </section>
  );
}

/** A line is a line of the text; a list of changes opens differences; else as this kind is best shown. */
function shownAs(file: OpenFile, mode: CodeMode, change: ChangedFile | null): Shown {
  if (file.as !== null) return file.as;
  if (file.line !== null && hasText(file.path)) return "text";
  if (mode !== "files" && change !== null) return "diff";
  return isShownRendered(fileKind(file.path)) ? "preview" : "text";
}

function choicesOf({ path }: OpenFile, change: ChangedFile | null): Shown[] {
  const choices: Shown[] = [];
  if (hasText(path)) choices.push("text");
  if (fileKind(path) !== "text") choices.push("preview");
  if (change !== null) choices.push("diff");
  return choices;
}

function TextView({
  root,
  file,
  rendered,
  news,
}: {
  root: string;
  file: OpenFile;
  rendered: boolean;
  news: number;
}): JSX.Element {
  const { value, failure } = useRead(
    `${root}\n${file.path}`,
    news,
    (signal) => padi().call("fs.readFile", { repoPath: root, filePath: file.path }, { signal }),
    isSameAnswer,
  );
  const rows = useMemo(() => (value === null ? [] : fileRows(value.content)), [value]);
  if (failure !== null) return <p className="panel-empty">{failure}</p>;
  if (value === null) return <p className="panel-empty">The file is being read.</p>;
  if (value.binary) {
    const why = `This is no text: ${fileName(file.path)} is a binary file.`;
    return <NotShown root={root} path={file.path} why={why} />;
  }
  if (rendered) return <Preview root={root} path={file.path} news={news} content={value.content} />;
  if (rows.length === 0) return <p className="panel-empty">The file is empty.</p>;
  return (
    <>
      {value.truncated && <p className="viewer-note">Only the first 1 MiB of this file is shown.</p>}
      <CommentedLines root={root} file={file} rows={rows} diff={false} />
    </>
  );
}
