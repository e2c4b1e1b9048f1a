// All chords on one sheet, read from the registry.
import type { Bindings } from "@kolu/contract/preferences.ts";
import type { JSX } from "react";
import { useUi } from "../store/ui.ts";
import { type Action, type ActionGroup, useActions, useBindings } from "./actions.ts";
import { chordFor } from "./bindings.ts";
import { Caps } from "./caps.tsx";
import { platform } from "./platform.ts";
import "./keys.css";
import { Sheet } from "./sheet.tsx";

const GROUPS: ActionGroup[] = ["Terminals", "Canvas", "Page"];

export default function KeysOverlay(): JSX.Element {
  const actions = useActions((registry) => registry.actions);
  const setOverlay = useUi((ui) => ui.setOverlay);
  return (
    <Sheet label="Keys" onClose={() => setOverlay(null)}>
      <div className="keys">
        {GROUPS.map((group) => (
          <Group key={group} group={group} actions={actions.filter((action) => action.group === group)} />
        ))}
        <p className="keys-note">
          Everything else you press goes to the program in the terminal: the page takes no key that shells or
          agents use.
        </p>
      </div>
    </Sheet>
  );
}

function Group({ group, actions }: { group: ActionGroup; actions: readonly Action[] }): JSX.Element | null {
  // Nine rows that say the same would hide the others: the first stands for all places.
  const bindings = useBindings();
  const shown = actions.filter(
    (action) =>
      chordFor(action, platform, bindings) !== null &&
      !(action.id.startsWith("terminal.place-") && isOneOfMany(action, bindings)),
  );
  if (shown.length === 0) return null;
  return (
    <section>
      <h2>{group}</h2>
      <ul>
        {shown.map((action) => (
          <li key={action.id}>
            <span>
              {action.id === "terminal.place-1" && bindings[action.id] === undefined
                ? "Terminal 1 to 9 of the dock"
                : action.title}
            </span>
            <Caps action={action} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A place whose chord is the usual one: the first stands for it. */
function isOneOfMany({ id }: Action, bindings: Bindings): boolean {
  return id !== "terminal.place-1" && bindings[id] === undefined;
}
