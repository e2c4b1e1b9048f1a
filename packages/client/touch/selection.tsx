// After a finger has selected: what to do with it.
import type { JSX } from "react";
import { create } from "zustand";
import { say, sayFailure } from "../canvas/notices.ts";
import { copyText } from "../terminal/copy.ts";
import { sessionOf } from "../terminal/sessions.ts";

/** The terminal in which a finger has selected something. */
export const useTouchSelection = create<{ id: string | null }>(() => ({ id: null }));

/** To be called when a finger has let go. */
export function selectionMade(id: string): void {
  const text = sessionOf(id).view()?.selection() ?? "";
  useTouchSelection.setState({ id: text.trim() === "" ? null : id });
}

export function endSelection(id: string): void {
  sessionOf(id).view()?.clearSelection();
  useTouchSelection.setState({ id: null });
}

export function SelectionBar({ id }: { id: string }): JSX.Element | null {
  const here = useTouchSelection((state) => state.id === id);
  if (!here) return null;
  const copy = (): void => {
    const text = sessionOf(id).view()?.selection() ?? "";
    endSelection(id);
    copyText(text).then(
      () => say(`Copied ${text.length.toLocaleString()} character${text.length === 1 ? "" : "s"}.`),
      sayFailure("The text could not be copied"),
    );
  };
  return (
    <div className="selection-bar" role="toolbar" aria-label="Selection">
      <button type="button" onClick={copy}>
        Copy
      </button>
      <button type="button" onClick={() => endSelection(id)}>
        Cancel
      </button>
    </div>
  );
}
