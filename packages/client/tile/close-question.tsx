// The question before something that runs is ended, or a worktree is left that nobody is in any more.
import type { WorktreeLook } from "@kolu/contract/launch.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { type JSX, type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { brandOf } from "../marks/brand.ts";
import { nameOf } from "../marks/name-of.ts";
import { padi, useWorkspace } from "../store/workspace.ts";
import type { Removal } from "./close.ts";
import { closedWith, runsSomething, worktreeLeft } from "./closing.ts";
import { lossWords } from "./loss-words.ts";

export interface CloseQuestionProps {
  record: TerminalRecord;
  onClose(removal: Removal | null): void;
  onCancel(): void;
}

export function CloseQuestion({ record, onClose, onCancel }: CloseQuestionProps): JSX.Element {
  const cancel = useRef<HTMLButtonElement>(null);
  // Read anew with each change: what the repository is may become known while the question stands.
  const records = useWorkspace((workspace) => workspace.records);
  const worktree = useMemo(() => worktreeLeft(records, record), [records, record]);
  const [removal, setRemoval] = useState<Removal | null>(null);
  useEffect(() => cancel.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape") onCancel();
  };
  return (
    <div className="question-shade nodrag">
      <div
        className="question"
        role="alertdialog"
        aria-label={`Close ${nameOf(record)}?`}
        onKeyDown={onKeyDown}
      >
        <strong>Close {nameOf(record)}?</strong>
        <p>{consequence(record)}</p>
        {worktree && <WorktreeChoice {...worktree} removal={removal} onChange={setRemoval} />}
        <div className="question-answers">
          <button ref={cancel} type="button" onClick={onCancel}>
            Cancel
          </button>
          <button type="button" className="danger" onClick={() => onClose(removal)}>
            {removal === null ? "Close" : removal.force ? "Close and throw away" : "Close and remove"}
          </button>
        </div>
      </div>
    </div>
  );
}

/** Kept unless somebody says otherwise; with work in it that is nowhere else only when they say that, too. */
function WorktreeChoice({
  root,
  branch,
  removal,
  onChange,
}: {
  root: string;
  branch: string | null;
  removal: Removal | null;
  onChange(removal: Removal | null): void;
}): JSX.Element {
  const group = useId();
  const { look, fault } = useWorktreeLook(root);
  const loss = look && lossWords(look);
  const name = branch ?? root;
  return (
    <fieldset className="question-worktree">
      <legend>Nobody else is in its worktree</legend>
      <label>
        <input type="radio" name={group} checked={removal === null} onChange={() => onChange(null)} />
        Keep {name}
      </label>
      <label>
        <input
          type="radio"
          name={group}
          checked={removal !== null}
          disabled={look === null}
          onChange={() => onChange({ path: root, force: loss !== null })}
        />
        {loss === null ? `Remove ${name} and its branch` : `Remove ${name} and throw away ${loss}`}
      </label>
      <small role="status">
        {fault ??
          (look === null ? "Looking what is in it…" : loss === null ? "It holds nothing of its own." : "")}
      </small>
    </fieldset>
  );
}

function useWorktreeLook(path: string): { look: WorktreeLook | null; fault: string | null } {
  const [found, setFound] = useState<{ look: WorktreeLook | null; fault: string | null }>({
    look: null,
    fault: null,
  });
  useEffect(() => {
    const abort = new AbortController();
    padi()
      .call("worktree.look", { path }, { signal: abort.signal })
      .then(
        (look) => setFound({ look, fault: null }),
        (error: unknown) => {
          if (!abort.signal.aborted)
            setFound({ look: null, fault: error instanceof Error ? error.message : String(error) });
        },
      );
    return () => abort.abort();
  }, [path]);
  return found;
}

function consequence(record: TerminalRecord): string {
  const all = closedWith(useWorkspace.getState().records, record);
  const running = all.filter(runsSomething).map(programOf);
  const splits = all.length - 1;
  const also = splits === 0 ? "" : ` Its ${splits === 1 ? "split closes" : `${splits} splits close`} too.`;
  return `${running.length === 0 ? "Nothing runs in it." : `This ends ${listed(running)}.`}${also}`;
}

function programOf(record: TerminalRecord): string {
  if (record.agent) return brandOf(record.agent.kind).displayName;
  return record.command?.running ? record.command.line : (record.rootCommand?.join(" ") ?? "the shell");
}

function listed(names: string[]): string {
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
