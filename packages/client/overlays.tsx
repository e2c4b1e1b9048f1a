// The sheets over the page, one at a time. Their code is not part of the first page: it comes as soon as the page rests. One
// that is asked for even earlier shows an empty sheet meanwhile, so that what is typed never goes to the terminal below.
import { type ComponentType, type JSX, lazy, Suspense, useEffect } from "react";
import { Sheet } from "./keys/sheet.tsx";
import Palette from "./palette/palette.tsx";
import { type Overlay, useUi } from "./store/ui.ts";

interface Lazy {
  load(): Promise<{ default: ComponentType }>;
  Shown: ComponentType;
}

const fetched = (load: Lazy["load"]): Lazy => ({ load, Shown: lazy(load) });

const OVERLAYS: Record<NonNullable<Overlay>, Lazy> = {
  // Typed into at once: it must be there with its chord.
  palette: { load: async () => ({ default: Palette }), Shown: Palette },
  launch: fetched(() => import("./launch/launch-sheet.tsx")),
  keys: fetched(() => import("./keys/keys-overlay.tsx")),
  settings: fetched(() => import("./settings/settings-sheet.tsx")),
  paste: fetched(() => import("./touch/paste-sheet.tsx")),
  theme: fetched(() => import("./theme/theme-picker.tsx")),
  workspace: fetched(() => import("./workspace/workspace-sheet.tsx")),
};

export function Overlays(): JSX.Element | null {
  const overlay = useUi((ui) => ui.overlay);
  const setOverlay = useUi((ui) => ui.setOverlay);
  useEffect(loadAtRest, []);
  if (overlay === null) return null;
  const { Shown } = OVERLAYS[overlay];
  return (
    <Suspense fallback={<Waiting onClose={() => setOverlay(null)} />}>
      <Shown />
    </Suspense>
  );
}

function Waiting({ onClose }: { onClose(): void }): JSX.Element {
  return (
    <Sheet label="Opening" onClose={onClose}>
      <p className="sheet-waiting" role="status">
        Opening…
      </p>
    </Sheet>
  );
}

function loadAtRest(): () => void {
  const load = (): void => {
    // One that cannot be had now is asked for again when somebody opens it, and that failure is shown.
    for (const overlay of Object.values(OVERLAYS)) overlay.load().catch(() => {});
  };
  // Safari has no idle callback.
  if (typeof requestIdleCallback === "undefined") {
    const timer = setTimeout(load, 1_000);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(load, { timeout: 3_000 });
  return () => cancelIdleCallback(handle);
}
