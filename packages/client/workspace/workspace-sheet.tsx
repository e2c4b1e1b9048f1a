// Backups, and the workspace as a file.
import type { Backup } from "@kolu/contract/workspace.ts";
import { type JSX, useEffect, useRef, useState } from "react";
import { Sheet } from "../keys/sheet.tsx";
import { useUi } from "../store/ui.ts";
import { padi, useWorkspace } from "../store/workspace.ts";
import { byteCount } from "../tile/words.ts";
import { exportWorkspace, importWorkspace, restoreBackup } from "./changes.ts";
import "./workspace.css";

export default function WorkspaceSheet(): JSX.Element {
  const setOverlay = useUi((ui) => ui.setOverlay);
  const close = (): void => setOverlay(null);
  return (
    <Sheet label="Backups and export" onClose={close}>
      <div className="workspace-sheet">
        <h2>Backups</h2>
        <p>
          Made when something has changed: once a day, at each start, and before anything that changes much at
          once. The ten newest stay. Restoring one brings back what it has and you have not, and your
          arrangement of then; what runs goes on.
        </p>
        <Backups onDone={close} />
        <h2>As a file</h2>
        <p>
          Layout, labels, themes, repositories and which conversation each agent is on, to take to another
          machine. No output, no command lines of shells. Importing adds, and replaces nothing.
        </p>
        <FileActs onDone={close} />
      </div>
    </Sheet>
  );
}

function Backups({ onDone }: { onDone(): void }): JSX.Element {
  const { backups, fault } = useBackups();
  const [asked, setAsked] = useState<string | null>(null);
  if (fault !== null) return <p role="alert">They could not be listed: {fault}</p>;
  if (backups === null) return <p role="status">Looking…</p>;
  if (backups.length === 0) return <p>There is none yet: the first is made when something has changed.</p>;
  return (
    <ul className="backups">
      {backups.map(({ name, atMs, bytes, terminals }) => (
        <li key={name}>
          <time dateTime={new Date(atMs).toISOString()}>{WHEN.format(atMs)}</time>
          <span>{terminals === null ? "cannot be read" : countWords(terminals)}</span>
          <span className="backups-size">{byteCount(bytes)}</span>
          {asked === name ? (
            <button
              type="button"
              className="primary"
              onClick={() => {
                onDone();
                void restoreBackup(name);
              }}
            >
              Restore this one
            </button>
          ) : (
            <button type="button" disabled={terminals === null} onClick={() => setAsked(name)}>
              Restore…
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

const WHEN = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

function countWords(count: number): string {
  return count === 1 ? "1 terminal" : `${count} terminals`;
}

function useBackups(): { backups: Backup[] | null; fault: string | null } {
  const live = useWorkspace((workspace) => workspace.link.kind === "live");
  const [answer, setAnswer] = useState<{ backups: Backup[] | null; fault: string | null }>({
    backups: null,
    fault: null,
  });
  useEffect(() => {
    if (!live) return;
    const abort = new AbortController();
    padi()
      .call("backups.list", {}, { signal: abort.signal })
      .then(
        ({ backups }) => setAnswer({ backups, fault: null }),
        (error: Error) => {
          if (!abort.signal.aborted) setAnswer({ backups: null, fault: error.message });
        },
      );
    return () => abort.abort();
  }, [live]);
  return answer;
}

function FileActs({ onDone }: { onDone(): void }): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  return (
    <p className="workspace-acts">
      <button type="button" onClick={() => void exportWorkspace()}>
        Export
      </button>
      <button type="button" onClick={() => input.current?.click()}>
        Import…
      </button>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        aria-label="A workspace that kolu exported"
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (!file) return;
          onDone();
          void importWorkspace(file);
        }}
      />
    </p>
  );
}
