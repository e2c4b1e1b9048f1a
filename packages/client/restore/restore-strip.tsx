// Terminals whose processes ended with their daemon or the machine, and how far their coming back is. In the flow of the
// page, above the canvas: it covers nothing.
import { type JSX, useState } from "react";
import { rowOrder } from "../dock/dock-rows.ts";
import { useDockCards } from "../dock/use-dock.ts";
import { useWorkspace } from "../store/workspace.ts";
import { wakeTerminals } from "../tile/sleeping.ts";
import { startFresh } from "../workspace/changes.ts";
import { Chooser } from "./chooser.tsx";
import { Progress } from "./progress.tsx";
import "./restore.css";
import { progressOf } from "./restore-words.ts";

export function RestoreStrip(): JSX.Element | null {
  const restoring = useWorkspace((workspace) => workspace.restoring);
  const parked = rowOrder(useDockCards()).filter(({ record }) => record.life === "parked");
  const [step, setStep] = useState<"ask" | "choose" | "confirm-fresh">("ask");
  const [laterIds, setLaterIds] = useState<ReadonlySet<string>>(new Set());
  const facts = progressOf(restoring.rows);
  if (facts.title !== null) return <Progress facts={facts} />;
  if (parked.length === 0) return null;
  const ids = parked.map(({ record }) => record.id);
  // What was put off is not asked about again; what is parked since is.
  if (ids.every((id) => laterIds.has(id)))
    return (
      <section className="restore restore-later" aria-label="Restore">
        <span className="restore-text">{counted(ids.length)} for restore</span>
        <button type="button" onClick={() => setLaterIds(new Set())}>
          Show
        </button>
      </section>
    );
  if (step === "choose") return <Chooser rows={parked} onBack={() => setStep("ask")} />;
  return (
    <section className="restore" aria-label="Restore">
      <div className="restore-line">
        <strong>{counted(ids.length)} for restore.</strong>
        {step === "ask" ? (
          <>
            <span className="restore-text">
              Their processes have ended; layout, screens and conversations are kept.
            </span>
            <span className="restore-acts">
              <button type="button" className="primary" onClick={() => void wakeTerminals(ids)}>
                Restore all
              </button>
              <button type="button" onClick={() => setStep("choose")}>
                Choose…
              </button>
              <button type="button" onClick={() => setLaterIds(new Set(ids))}>
                Later
              </button>
              <button type="button" onClick={() => setStep("confirm-fresh")}>
                Start fresh
              </button>
            </span>
          </>
        ) : (
          <>
            <span className="restore-text">
              Forget them? The workspace is backed up first, and the backup brings them back.
            </span>
            <span className="restore-acts">
              <button
                type="button"
                className="danger"
                onClick={() => {
                  setStep("ask");
                  void startFresh(ids);
                }}
              >
                Forget {ids.length}
              </button>
              <button type="button" onClick={() => setStep("ask")}>
                Keep them
              </button>
            </span>
          </>
        )}
      </div>
    </section>
  );
}

function counted(count: number): string {
  return count === 1 ? "1 terminal waits" : `${count} terminals wait`;
}
