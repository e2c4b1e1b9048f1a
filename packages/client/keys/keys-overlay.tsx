// All chords on one sheet, read from the registry.
import type { JSX } from "react";
import { useUi } from "../store/ui.ts";
import { type Action, type ActionGroup, platform, useActions } from "./actions.ts";
import { chordCaps } from "./chord.ts";
import "./keys.css";
import { Sheet } from "./sheet.tsx";

const GROUPS: ActionGroup[] = ["Terminals", "Canvas", "Page"];

export function KeysOverlay(): JSX.Element {
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
  const shown = actions.filter(({ id, chord }) => chord !== null && !/^terminal\.place-[2-9]$/.test(id));
  if (shown.length === 0) return null;
  return (
    <section>
      <h2>{group}</h2>
      <ul>
        {shown.map((action) => (
          <li key={action.id}>
            <span>{action.id === "terminal.place-1" ? "Terminal 1 to 9 of the dock" : action.title}</span>
            <Caps action={action} />
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Caps({ action }: { action: Action }): JSX.Element | null {
  if (action.chord === null) return null;
  return (
    <span className="caps">
      {chordCaps(action.chord[platform], platform).map((cap) => (
        <kbd key={cap}>{cap}</kbd>
      ))}
    </span>
  );
}
