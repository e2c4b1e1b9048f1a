import { useMemo } from "react";
import { useWorkspace } from "../store/workspace.ts";
import { type DockCard, dockCards } from "./dock-rows.ts";

/** The dock's cards, made anew only when a record changed. */
export function useDockCards(): DockCard[] {
  const records = useWorkspace((workspace) => workspace.records);
  return useMemo(() => dockCards(records), [records]);
}
