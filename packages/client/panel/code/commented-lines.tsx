// Lines of code with the comments on them: select lines, write, collect.
import { type JSX, type KeyboardEvent, useEffect, useMemo, useState } from "react";
import { isModEnter } from "../../keys/platform.ts";
import { CodeLines, type RowRange } from "./code-lines.tsx";
import type { OpenFile } from "./code-store.ts";
import { markedRows, placeOf, rowOfLine } from "./comment-places.ts";
import { placeWords, putComment, useCommentsOf } from "./comments.ts";
import type { CodeRow } from "./rows.ts";

export interface CommentedLinesProps {
  root: string;
  file: OpenFile;
  rows: readonly CodeRow[];
  diff: boolean;
}

export function CommentedLines({ root, file, rows, diff }: CommentedLinesProps): JSX.Element {
  const { path, line, wish } = file;
  const [selected, setSelected] = useState<RowRange | null>(null);
  const [writing, setWriting] = useState(false);
  const all = useCommentsOf(root);
  const marked = useMemo(
    () =>
      markedRows(
        rows,
        all.filter((comment) => comment.path === path),
      ),
    [all, path, rows],
  );
  const reveal = useMemo(() => {
    const row = line === null ? null : rowOfLine(rows, line);
    return row === null ? null : { row, wish };
  }, [line, wish, rows]);
  // A wish for a line shows which one it is; another file has nothing selected.
  // Rows that were read again leave the selection as it is
  useEffect(() => {
    setWriting(false);
    setSelected(reveal === null ? null : { from: reveal.row, to: reveal.row });
  }, [path, diff, wish]);
  const place = selected === null ? null : placeOf(rows, selected);
  return (
    <>
      <CodeLines
        path={path}
        rows={rows}
        label={diff ? `Changes in ${path}` : path}
        diff={diff}
        marked={marked}
        selected={selected}
        reveal={reveal}
        onSelect={(range) => {
          setSelected(range);
          if (range === null) setWriting(false);
        }}
        onComment={() => setWriting(true)}
      />
      {place !== null &&
        (writing ? (
          <CommentEditor
            where={placeWords({ path, ...place })}
            onCancel={() => setWriting(false)}
            onSave={(text) => {
              putComment(root, { id: crypto.randomUUID(), path, ...place, text });
              setWriting(false);
              setSelected(null);
            }}
          />
        ) : (
          <div className="selection-bar">
            <code>{placeWords({ path, ...place })}</code>
            <div className="code-actions">
              <button type="button" onClick={() => setWriting(true)}>
                Comment
              </button>
            </div>
          </div>
        ))}
    </>
  );
}

function CommentEditor({
  where,
  onSave,
  onCancel,
}: {
  where: string;
  onSave(text: string): void;
  onCancel(): void;
}): JSX.Element {
  const [text, setText] = useState("");
  const save = (): void => {
    if (text.trim() !== "") onSave(text);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape") {
      event.preventDefault();
      onCancel();
    } else if (isModEnter(event)) {
      event.preventDefault();
      save();
    }
  };
  return (
    <form
      className="comment-editor"
      aria-label="Comment"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <code>{where}</code>
      <textarea
        // biome-ignore lint/a11y/noAutofocus: a person has just asked to write here
        autoFocus
        rows={3}
        aria-label={`Comment on ${where}`}
        placeholder="What the agent should know or do here…"
        data-takes-mod-enter
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="code-actions">
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
        <button type="submit" className="primary" disabled={text.trim() === ""}>
          Add comment
        </button>
      </div>
    </form>
  );
}
