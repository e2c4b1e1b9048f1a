// On a phone: the keys that its keyboard lacks.
import type { JSX } from "react";
import { sayFailure } from "../canvas/notices.ts";
import { useUi } from "../store/ui.ts";
import { padi, useWorkspace } from "../store/workspace.ts";

const KEYS: [label: string, key: string][] = [
  ["Esc", "Escape"],
  ["Tab", "Tab"],
  ["⇧Tab", "Shift-Tab"],
  ["^C", "C-c"],
  ["←", "Left"],
  ["↑", "Up"],
  ["↓", "Down"],
  ["→", "Right"],
  ["⏎", "Enter"],
];

export function KeyBar(): JSX.Element | null {
  const activeId = useUi((ui) => ui.activeId);
  const record = useWorkspace((workspace) => workspace.records.get(activeId ?? ""));
  if (record?.life !== "active") return null;
  const press = (key: string): void => {
    padi().call("terminal.sendInput", { id: record.id, key }).catch(sayFailure("The key was not sent"));
  };
  return (
    <div className="key-bar" role="toolbar" aria-label="Keys">
      {KEYS.map(([label, key]) => (
        <button
          key={key}
          type="button"
          aria-label={key}
          // A press must not take the focus, or the phone's keyboard goes away.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => press(key)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
