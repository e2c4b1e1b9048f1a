// What changed in one file, against the last commit or against where the branch began.
import type { ChangedFile } from "@kolu/contract/project.ts";
import { type JSX, useMemo } from "react";
import { padi } from "../../store/workspace.ts";
import type { OpenFile } from "./code-store.ts";
import { CommentedLines } from "./commented-lines.tsx";
import { changeCounts, diffRows } from "./rows.ts";
import { isSameAnswer, useRead } from "./use-project.ts";

export interface DiffViewProps {
  root: string;
  file: OpenFile;
  mode: "local" | "branch";
  change: ChangedFile | null;
  news: number;
}

const AGAINST = { local: "against the last commit", branch: "against where the branch began" };

export function DiffView({ root, file, mode, change, news }: DiffViewProps): JSX.Element {
  const oldPath = change?.oldPath;
  const params = { repoPath: root, filePath: file.path, mode, ...(oldPath === undefined ? {} : { oldPath }) };
  const { value, failure } = useRead(
    `${mode}\n${root}\n${file.path}`,
    news,
    (signal) => padi().call("git.diff", params, { signal }),
    isSameAnswer,
  );
  const rows = useMemo(() => (value === null ? [] : diffRows(value)), [value]);
  const { added, removed } = useMemo(() => changeCounts(rows), [rows]);
  if (failure !== null) return <p className="panel-empty">{failure}</p>;
  if (value === null) return <p className="panel-empty">The difference is being read.</p>;
  if (value.binary) return <p className="panel-empty">A binary file: its difference cannot be shown.</p>;
  if (rows.length === 0)
    return (
      <p className="panel-empty">
        {oldPath === undefined ? `No difference ${AGAINST[mode]}.` : `Renamed from ${oldPath}, nothing else.`}
      </p>
    );
  return (
    <>
      <p className="viewer-note">
        <b className="added">+{added}</b> <b className="removed">−{removed}</b> {AGAINST[mode]}
        {value.oldFileName === null ? " (new file)" : value.newFileName === null ? " (deleted)" : ""}
        {oldPath === undefined ? "" : `, renamed from ${oldPath}`}
      </p>
      <CommentedLines root={root} file={file} rows={rows} diff />
    </>
  );
}
