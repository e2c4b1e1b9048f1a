// What a person prefers: shared by every browser, and changed the moment something is picked.
import { type JSX, type KeyboardEvent, useState } from "react";
import { Sheet } from "../keys/sheet.tsx";
import { useUi } from "../store/ui.ts";
import { Icon } from "../theme/icon.tsx";
import { AlertSettings } from "./alert-settings.tsx";
import { Appearance } from "./appearance.tsx";
import { KeySettings } from "./key-settings.tsx";
import "./settings.css";

const PARTS = [
  { name: "Appearance", part: Appearance },
  { name: "Notifications", part: AlertSettings },
  { name: "Keys", part: KeySettings },
] as const;

export default function SettingsSheet(): JSX.Element {
  const setOverlay = useUi((ui) => ui.setOverlay);
  const [at, setAt] = useState(0);
  const { name, part: Part } = PARTS[at]!;
  const onArrow = (event: KeyboardEvent<HTMLElement>): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const next = (at + step + PARTS.length) % PARTS.length;
    setAt(next);
    event.currentTarget.querySelectorAll("button")[next]?.focus();
  };
  return (
    <Sheet label="Settings" placing="sheet-tall" onClose={() => setOverlay(null)}>
      <div className="settings">
        <div className="settings-head">
          <div className="settings-tabs" role="tablist" aria-label="Settings" onKeyDown={onArrow}>
            {PARTS.map((each, index) => (
              <button
                key={each.name}
                type="button"
                role="tab"
                aria-selected={index === at}
                tabIndex={index === at ? 0 : -1}
                onClick={() => setAt(index)}
              >
                {each.name}
              </button>
            ))}
          </div>
          <button
            type="button"
            className="settings-close"
            aria-label="Close"
            onClick={() => setOverlay(null)}
          >
            <Icon name="close" />
          </button>
        </div>
        <div className="settings-part" role="tabpanel" aria-label={name}>
          <Part />
        </div>
      </div>
    </Sheet>
  );
}
