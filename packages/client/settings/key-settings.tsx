// Every action with its chord: a click on the chord, and the next press is the new one.
import type { Bindings } from "@kolu/contract/preferences.ts";
import { type JSX, useState } from "react";
import { type Action, type ActionGroup, useActions, useBindings } from "../keys/actions.ts";
import { resetChord } from "../keys/bindings.ts";
import { platform } from "../keys/platform.ts";
import { useWorkspace } from "../store/workspace.ts";
import { ChordField } from "./chord-field.tsx";
import { prefer } from "./prefer.ts";

const GROUPS: ActionGroup[] = ["Terminals", "Canvas", "Page"];

export function KeySettings(): JSX.Element {
  const actions = useActions((registry) => registry.actions);
  const bindings = useBindings();
  const [wanted, setWanted] = useState("");
  const shown = actions.filter(({ title }) => title.toLowerCase().includes(wanted.trim().toLowerCase()));
  return (
    <>
      <div className="keys-head">
        <input
          type="search"
          placeholder="Find an action"
          aria-label="Find an action"
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
        />
        <button type="button" disabled={Object.keys(bindings).length === 0} onClick={() => bind({})}>
          Reset all
        </button>
      </div>
      {GROUPS.map((group) => {
        const ofGroup = shown.filter((action) => action.group === group);
        return (
          ofGroup.length > 0 && (
            <section key={group}>
              <h2>{group}</h2>
              <ul className="bindings">
                {ofGroup.map((action) => (
                  <Row key={action.id} action={action} actions={actions} bindings={bindings} />
                ))}
              </ul>
            </section>
          )
        );
      })}
      {shown.length === 0 && <p>No action is called that.</p>}
      <p className="settings-foot">
        Click a chord, then press the new one. Backspace takes it away, Escape leaves it. A terminal keeps
        Ctrl+Shift+C and V for copy and paste, and everything without Ctrl and Shift for the program in it.
      </p>
    </>
  );
}

function Row({
  action,
  actions,
  bindings,
}: {
  action: Action;
  actions: readonly Action[];
  bindings: Bindings;
}): JSX.Element {
  const isOwn = Object.hasOwn(bindings, action.id);
  return (
    <li>
      <span>{action.title}</span>
      {isOwn && (
        <button
          type="button"
          className="quiet"
          aria-label={`Reset: ${action.title}`}
          onClick={() => bind(resetChord(action.id, { actions, on: platform, bindings }))}
        >
          Reset
        </button>
      )}
      <ChordField
        action={action}
        actions={actions}
        bindings={bindings}
        onTake={(chord, from) =>
          bind({ ...bindings, ...(from ? { [from.id]: null } : {}), [action.id]: chord })
        }
      />
    </li>
  );
}

/** The whole of this keyboard's chords; those of the other sort stay. */
function bind(bindings: Bindings): void {
  const { keys } = useWorkspace.getState().preferences;
  prefer({ keys: { ...keys, [platform]: bindings } });
}
