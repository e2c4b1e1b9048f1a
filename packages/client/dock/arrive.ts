// Arriving by a link that names a terminal: `/#<id>`.
import { useWorkspace } from "../store/workspace.ts";
import { goTo } from "./navigate.ts";

/** Goes there once the page knows what there is; an id that is not there (any more) is passed over. */
export function arriveAtLink(): void {
  const id = decodeURIComponent(location.hash.slice(1));
  if (id === "") return;
  // A reload should not take the page back to where it arrived.
  history.replaceState(null, "", location.pathname + location.search);
  const arrive = (): boolean => {
    const { told, records } = useWorkspace.getState();
    if (!told.records) return false;
    if (records.has(id)) goTo(id);
    return true;
  };
  if (arrive()) return;
  const stop = useWorkspace.subscribe(() => {
    if (!useWorkspace.getState().told.records) return;
    stop();
    // The canvas lays the terminals out first.
    requestAnimationFrame(arrive);
  });
}
