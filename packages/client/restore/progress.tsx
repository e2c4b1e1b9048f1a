// A restore under way, or what went wrong with the last one.
import { type JSX, useId } from "react";
import { sayFailure } from "../canvas/notices.ts";
import { goTo } from "../dock/navigate.ts";
import { nameOf } from "../marks/name-of.ts";
import { padi, useWorkspace } from "../store/workspace.ts";
import { copyLine } from "../workspace/copy-line.ts";
import { type ProgressFacts, stepWords } from "./restore-words.ts";

export function Progress({ facts }: { facts: ProgressFacts }): JSX.Element {
  const records = useWorkspace((workspace) => workspace.records);
  const titleId = useId();
  const { title, underWay, done, total, shown } = facts;
  const end = (): void => {
    padi()
      .call(underWay ? "restore.cancel" : "restore.dismiss", {})
      .catch(sayFailure("The restore could not be called off"));
  };
  return (
    <section className="restore" aria-label="Restore">
      <div className="restore-line">
        <strong id={titleId} role="status">
          {title}
        </strong>
        {underWay ? (
          <progress aria-labelledby={titleId} value={done} max={total} />
        ) : (
          <span className="restore-text">
            {done} of {total} came back whole.
          </span>
        )}
        <span className="restore-acts">
          <button type="button" onClick={end}>
            {underWay ? "Cancel the rest" : "Dismiss"}
          </button>
        </span>
      </div>
      <ul className="restore-rows">
        {shown.map((row) => {
          const record = records.get(row.id);
          const { mend } = row;
          return (
            <li key={row.id} data-step={row.step}>
              <button type="button" className="restore-name" onClick={() => goTo(row.id)}>
                {record ? nameOf(record) : row.id}
              </button>
              <span className="restore-text">{stepWords(row)}</span>
              {mend !== null && (
                <>
                  <code className="restore-repo">{mend}</code>
                  <button type="button" onClick={() => void copyLine(mend)}>
                    Copy command
                  </button>
                </>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
