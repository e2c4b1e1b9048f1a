// Terminals whose processes ended with their daemon or the machine: bring back all, some, or start fresh. In the flow of
// the page, above the canvas: it covers nothing.
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { type JSX, useState } from "react";
import { say, sayFailure } from "../canvas/notices.ts";
import { rowOrder } from "../dock/dock-rows.ts";
import { useDockCards } from "../dock/use-dock.ts";
import { BrandMark } from "../marks/brand-mark.tsx";
import { StateMark } from "../marks/state-mark.tsx";
import { padi } from "../store/workspace.ts";
import "./restore.css";

type Id = TerminalRecord["id"];

export function RestoreStrip(): JSX.Element | null {
  const parked = rowOrder(useDockCards()).filter(({ record }) => record.life === "parked");
  const [step, setStep] = useState<"ask" | "choose" | "confirm-fresh" | "working">("ask");
  const [left, setLeft] = useState<ReadonlySet<Id>>(new Set());
  if (parked.length === 0) return null;
  const all = parked.map(({ record }) => record.id);
  const chosen = all.filter((id) => !left.has(id));
  const work = (what: () => Promise<void>): void => {
    setStep("working");
    void what().finally(() => setStep("ask"));
  };
  return (
    <section className="restore" aria-label="Restore">
      <div className="restore-line">
        <strong>{counted(parked.length)} for restore.</strong>
        <span className="restore-text">
          {step === "confirm-fresh"
            ? "Forget them and their screens for good?"
            : step === "working"
              ? "Working…"
              : "Their processes have ended; layout, screens and conversations are kept."}
        </span>
        <span className="restore-acts">
          {step === "ask" && (
            <>
              <button type="button" className="primary" onClick={() => work(() => restore(all))}>
                Restore all
              </button>
              <button type="button" onClick={() => setStep("choose")}>
                Choose…
              </button>
              <button type="button" onClick={() => setStep("confirm-fresh")}>
                Start fresh
              </button>
            </>
          )}
          {step === "choose" && (
            <>
              <button
                type="button"
                className="primary"
                disabled={chosen.length === 0}
                onClick={() => work(() => restore(chosen))}
              >
                Restore {chosen.length}
              </button>
              <button type="button" onClick={() => setStep("ask")}>
                Back
              </button>
            </>
          )}
          {step === "confirm-fresh" && (
            <>
              <button type="button" className="danger" onClick={() => work(() => forget(all))}>
                Forget {parked.length}
              </button>
              <button type="button" onClick={() => setStep("ask")}>
                Keep them
              </button>
            </>
          )}
        </span>
      </div>
      {step === "choose" && (
        <ul className="restore-rows">
          {parked.map(({ record, mark, name, doing }) => (
            <li key={record.id}>
              <label>
                <input
                  type="checkbox"
                  checked={!left.has(record.id)}
                  onChange={(event) => setLeft(withOrWithout(left, record.id, !event.target.checked))}
                />
                <StateMark mark={mark} />
                <span>{name}</span>
                {record.agent && <BrandMark kind={record.agent.kind} sizePx={12} />}
                <span className="restore-text">{doing}</span>
                <span className="restore-repo">{record.git?.name ?? record.cwd}</span>
              </label>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function counted(count: number): string {
  return count === 1 ? "1 terminal waits" : `${count} terminals wait`;
}

function withOrWithout(ids: ReadonlySet<Id>, id: Id, present: boolean): ReadonlySet<Id> {
  const next = new Set(ids);
  if (present) next.add(id);
  else next.delete(id);
  return next;
}

async function restore(ids: Id[]): Promise<void> {
  try {
    const { failed } = await padi().call("terminal.restore", { ids });
    for (const { reason } of failed) say(`One terminal could not be restored: ${reason}`);
  } catch (error) {
    sayFailure("The terminals could not be restored")(error);
  }
}

async function forget(ids: Id[]): Promise<void> {
  for (const id of ids) {
    try {
      await padi().call("terminal.kill", { id });
    } catch (error) {
      sayFailure("A terminal could not be forgotten")(error);
      return;
    }
  }
}
