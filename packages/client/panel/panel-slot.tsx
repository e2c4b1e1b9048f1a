// Where the right panel goes. The panel itself is loaded when it first opens: the first page is terminals.
import { type JSX, lazy, Suspense } from "react";
import { usePanel } from "./panel-store.ts";

const Panel = lazy(() => import("./panel.tsx"));

export function PanelSlot(): JSX.Element | null {
  const open = usePanel((panel) => panel.open);
  if (!open) return null;
  return (
    <Suspense fallback={null}>
      <Panel />
    </Suspense>
  );
}
