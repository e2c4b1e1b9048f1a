// One of a few, side by side: radio buttons in the shape of a switch.
import { type JSX, type ReactNode, useId } from "react";

export function Choice<T extends string>({
  label,
  options,
  value,
  onPick,
}: {
  label: string;
  options: readonly (readonly [value: T, words: string])[];
  value: T;
  onPick(value: T): void;
}): JSX.Element {
  const name = useId();
  return (
    <fieldset className="choice">
      <legend className="visually-hidden">{label}</legend>
      {options.map(([option, words]) => (
        <label key={option} data-picked={option === value || undefined}>
          <input type="radio" name={name} checked={option === value} onChange={() => onPick(option)} />
          {words}
        </label>
      ))}
    </fieldset>
  );
}

/** A line of the sheet: what it is about, and what can be set. */
export function Setting({
  label,
  note,
  children,
}: {
  label: string;
  note?: string | undefined;
  children: ReactNode;
}): JSX.Element {
  return (
    <div className="setting">
      <div>
        <b>{label}</b>
        {note !== undefined && <p>{note}</p>}
      </div>
      <div className="setting-value">{children}</div>
    </div>
  );
}
