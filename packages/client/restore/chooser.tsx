// One row for each parked terminal: what it comes back as, and a choice.
import type { RestorePlanRow } from "@kolu/contract/sessions.ts";
import { type JSX, useEffect, useState } from "react";
import { sayFailure } from "../canvas/notices.ts";
import type { DockRow } from "../dock/dock-rows.ts";
import { BrandMark } from "../marks/brand-mark.tsx";
import { StateMark } from "../marks/state-mark.tsx";
import { padi } from "../store/workspace.ts";
import { type Choice, planWords, wishOf } from "./restore-words.ts";

export function Chooser({ rows, onBack }: { rows: readonly DockRow[]; onBack(): void }): JSX.Element {
  const ids = rows.map(({ record }) => record.id);
  const plans = usePlans(ids);
  const [choices, setChoices] = useState<ReadonlyMap<string, Choice>>(new Map());
  const wish = wishOf(ids, choices);
  const chooseAll = (choice: Choice): void => setChoices(new Map(ids.map((id) => [id, choice])));
  const restore = (): void => {
    padi().call("terminal.restore", wish).catch(sayFailure("The terminals could not be brought back"));
    onBack();
  };
  return (
    <section className="restore" aria-label="Restore">
      <div className="restore-line">
        <strong>What comes back?</strong>
        <span className="restore-text">
          <button type="button" onClick={() => chooseAll("all")}>
            All
          </button>{" "}
          <button type="button" onClick={() => chooseAll("leave")}>
            None
          </button>
        </span>
        <span className="restore-acts">
          <button type="button" className="primary" disabled={wish.ids.length === 0} onClick={restore}>
            Restore {wish.ids.length}
          </button>
          <button type="button" onClick={onBack}>
            Back
          </button>
        </span>
      </div>
      <ul className="restore-rows">
        {rows.map(({ record, mark, name }) => {
          const plan = plans?.get(record.id);
          const choice = choices.get(record.id) ?? "all";
          return (
            <li key={record.id} data-choice={choice}>
              <StateMark mark={mark} />
              <span className="restore-name">{name}</span>
              {record.agent && <BrandMark kind={record.agent.kind} sizePx={12} />}
              <span className="restore-text">{planWords(plan, record.agent?.title ?? null, choice)}</span>
              <span className="restore-repo">{record.git?.name ?? record.cwd}</span>
              <select
                aria-label={`What comes back of ${name}`}
                value={choice}
                onChange={(event) =>
                  setChoices(new Map(choices).set(record.id, event.target.value as Choice))
                }
              >
                <option value="all">{plan?.agent ? "With its agent" : "Its shell"}</option>
                {plan?.agent && <option value="shell">Only its shell</option>}
                <option value="leave">Not now</option>
              </select>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** What padi would do with each; null until it has answered, and without an answer rows say only what is sure. */
function usePlans(ids: readonly DockRow["record"]["id"][]): ReadonlyMap<string, RestorePlanRow> | null {
  const [plans, setPlans] = useState<ReadonlyMap<string, RestorePlanRow> | null>(null);
  const key = ids.join();
  // The key stands for the ids, which are another array each time.
  useEffect(() => {
    const abort = new AbortController();
    padi()
      .call("restore.plan", { ids: [...ids] }, { signal: abort.signal })
      .then(
        ({ rows }) => setPlans(new Map(rows.map((row) => [row.id, row]))),
        () => {},
      );
    return () => abort.abort();
  }, [key]);
  return plans;
}
