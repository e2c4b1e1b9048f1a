// On a touch screen: the keys that its keyboard lacks, in two rows that a thumb reaches.
import { type JSX, type PointerEvent, type ReactNode, useEffect, useRef } from "react";
import { useUi } from "../store/ui.ts";
import { useWorkspace } from "../store/workspace.ts";
import { sessionOf } from "../terminal/sessions.ts";
import { LineIcon } from "../theme/line-icon.tsx";
import { askToPaste } from "../touch/paste.ts";
import { BACK_TAB, type BarKey, DOWN, ENTER, ESCAPE, INTERRUPT, LEFT, RIGHT, TAB, UP } from "./soft-keys.ts";
import { takeCtrl, toggleCtrl, useSticky } from "./sticky.ts";

const KEYBOARD = "M1.5 4h13v8h-13ZM4 6.6h.01M6.7 6.6h.01M9.3 6.6h.01M12 6.6h.01M5 9.4h6";

export function KeyBar(): JSX.Element | null {
  const activeId = useUi((ui) => ui.activeId);
  const record = useWorkspace((workspace) => workspace.records.get(activeId ?? ""));
  const ctrl = useSticky((sticky) => sticky.ctrl);
  if (record?.life !== "active") return null;
  const { id } = record;
  const key = (bar: BarKey): JSX.Element => <Key bar={bar} id={id} />;
  return (
    <div className="key-bar" role="toolbar" aria-label="Keys">
      {key(ESCAPE)}
      {key(TAB)}
      {key(BACK_TAB)}
      {key(UP)}
      <Press name="Paste" onPress={() => void askToPaste(id)}>
        Paste
      </Press>
      {key(ENTER)}
      <Press name="Ctrl, for the next key" pressed={ctrl} onPress={toggleCtrl}>
        Ctrl
      </Press>
      {key(INTERRUPT)}
      {key(LEFT)}
      {key(DOWN)}
      {key(RIGHT)}
      <Press name="Keyboard" onPress={() => toggleKeyboard(id)}>
        <LineIcon path={KEYBOARD} sizePx={18} />
      </Press>
    </div>
  );
}

/** A key held this long begins to repeat, at this pace. */
const REPEAT_AFTER_MS = 420;
const REPEAT_MS = 70;

function Key({ bar, id }: { bar: BarKey; id: string }): JSX.Element {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const repeated = useRef(false);
  const stop = (): void => clearTimeout(timer.current);
  useEffect(() => stop, []);
  const press = (): void => {
    const ctrl = takeCtrl() || bar.key.ctrl === true;
    sessionOf(id)
      .view()
      ?.press({ ...bar.key, ctrl });
  };
  const again = (): void => {
    repeated.current = true;
    press();
    timer.current = setTimeout(again, REPEAT_MS);
  };
  return (
    <Press
      name={bar.name}
      onDown={() => {
        repeated.current = false;
        if (bar.repeats) timer.current = setTimeout(again, REPEAT_AFTER_MS);
      }}
      onUp={stop}
      onPress={() => {
        if (!repeated.current) press();
      }}
    >
      {bar.face}
    </Press>
  );
}

interface PressProps {
  name: string;
  pressed?: boolean;
  children: ReactNode;
  onPress(): void;
  onDown?(): void;
  onUp?(): void;
}

function Press({ name, pressed, children, onPress, onDown, onUp }: PressProps): JSX.Element {
  // A press must not take the focus, or the phone's keyboard goes away.
  const down = (event: PointerEvent): void => {
    event.preventDefault();
    onDown?.();
  };
  return (
    <button
      type="button"
      aria-label={name}
      aria-pressed={pressed}
      onMouseDown={(event) => event.preventDefault()}
      onPointerDown={down}
      onPointerUp={onUp}
      onPointerCancel={onUp}
      onPointerLeave={onUp}
      onContextMenu={(event) => event.preventDefault()}
      onClick={onPress}
    >
      {children}
    </button>
  );
}

/** Brings the phone's own keyboard, or puts it away. */
function toggleKeyboard(id: string): void {
  const focused = document.activeElement;
  if (focused instanceof HTMLTextAreaElement && focused.closest(".terminal-host")) focused.blur();
  else sessionOf(id).view()?.focus();
}
