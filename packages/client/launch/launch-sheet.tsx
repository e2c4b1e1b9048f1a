import type { JSX } from "react";
import { Sheet } from "../keys/sheet.tsx";
import { useUi } from "../store/ui.ts";
import LaunchForm from "./launch-form.tsx";
import { useLaunchWish } from "./wish.ts";

/** The form of a new terminal over the page. */
export default function LaunchSheet(): JSX.Element {
  const setOverlay = useUi((ui) => ui.setOverlay);
  const wish = useLaunchWish((asked) => asked.wish);
  const close = (): void => setOverlay(null);
  return (
    <Sheet label="New terminal" onClose={close}>
      <h2 className="launch-title">New terminal</h2>
      <LaunchForm wish={wish} onMade={close} onCancel={close} />
    </Sheet>
  );
}
