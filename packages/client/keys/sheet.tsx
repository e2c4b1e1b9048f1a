// A modal sheet: native <dialog>, so that focus stays in it and Escape closes it; the keyboard goes back to where it was.
import { type JSX, type ReactNode, useEffect, useRef } from "react";

export function Sheet({
  label,
  placing = "",
  onClose,
  children,
}: {
  label: string;
  /** A class that says where it lies, when that is not in the middle. */
  placing?: string;
  onClose(): void;
  children: ReactNode;
}): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current!;
    element.showModal();
    // A closed dialog cannot have the focus, so React's autoFocus came too early, and showModal takes whatever comes first.
    element.querySelector<HTMLElement>("input, textarea")?.focus();
    return () => element.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the dialog's own key; the click is on the ground around the sheet
    <dialog
      ref={dialog}
      className={`sheet ${placing}`}
      aria-label={label}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      {children}
    </dialog>
  );
}
