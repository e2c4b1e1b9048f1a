// One terminal at a time: which one of how many, and the way to its neighbours.
import type { JSX } from "react";
import { rowOrder } from "../dock/dock-rows.ts";
import { goAlong } from "../dock/navigate.ts";
import { useDockCards } from "../dock/use-dock.ts";
import { useUi } from "../store/ui.ts";
import { Icon } from "../theme/icon.tsx";

export function Along(): JSX.Element | null {
  const order = rowOrder(useDockCards());
  const activeId = useUi((ui) => ui.activeId);
  if (order.length < 2) return null;
  const place = order.findIndex(({ record }) => record.id === activeId) + 1;
  return (
    <span className="along">
      <button
        type="button"
        className="icon-button"
        aria-label="Previous terminal"
        onClick={() => goAlong(-1)}
      >
        <Icon name="back" />
      </button>
      <span className="along-place">
        {place}/{order.length}
      </span>
      <button type="button" className="icon-button" aria-label="Next terminal" onClick={() => goAlong(1)}>
        <Icon name="forward" />
      </button>
    </span>
  );
}
