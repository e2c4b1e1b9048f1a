// What the palette is opened for.
import { create } from "zustand";
import { useUi } from "../store/ui.ts";
import type { Scope } from "./entries.ts";

export const usePaletteScope = create<{ scope: Scope }>(() => ({ scope: "all" }));

/** Opens it, or closes it when it is open for that already. */
export function togglePalette(scope: Scope): void {
  const { overlay, setOverlay } = useUi.getState();
  const isOpen = overlay === "palette" && usePaletteScope.getState().scope === scope;
  usePaletteScope.setState({ scope });
  setOverlay(isOpen ? null : "palette");
}
