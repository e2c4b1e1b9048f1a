// The foot of the dock: what it leaves out, how dense it is, and how many rows that hides.
import type { JSX } from "react";
import { AGES, NO_FILTER } from "./dock-filter.ts";
import { setDockLook, useDockLook } from "./dock-look.ts";

export function FilterBar({ hiddenCount }: { hiddenCount: number }): JSX.Element {
  const { filter, compact } = useDockLook();
  return (
    <fieldset className="dock-filter" aria-label="What the dock shows">
      <select
        aria-label="Active within"
        value={String(filter.quietForMs)}
        onChange={({ target }) => {
          const quietForMs = target.value === "null" ? null : Number(target.value);
          setDockLook({ filter: { ...filter, quietForMs } });
        }}
      >
        {AGES.map(([label, quietForMs]) => (
          <option key={label} value={String(quietForMs)}>
            {label}
          </option>
        ))}
      </select>
      <button
        type="button"
        aria-pressed={filter.hideAsleep}
        onClick={() => setDockLook({ filter: { ...filter, hideAsleep: !filter.hideAsleep } })}
      >
        Hide asleep
      </button>
      <button type="button" aria-pressed={compact} onClick={() => setDockLook({ compact: !compact })}>
        Compact
      </button>
      {hiddenCount > 0 && (
        <button
          type="button"
          className="dock-filter-hidden"
          onClick={() => setDockLook({ filter: NO_FILTER })}
        >
          {hiddenCount} hidden: show
        </button>
      )}
    </fieldset>
  );
}
