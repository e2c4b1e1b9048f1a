// Lets padi know what "system" means, for the terminals that it makes and answers by itself. Only the page that somebody
// looks at says so, once each time that they come to it: two screens that differ do not take turns.
import { setPreferences, useWorkspace } from "../store/workspace.ts";
import { systemDark } from "./scheme.ts";

/** Returns how to stop. */
export function startSystemScheme(): () => void {
  let untold = true;
  const tell = (): void => {
    const { told, link, preferences } = useWorkspace.getState();
    if (!untold || !told.preferences || link.kind !== "live" || !document.hasFocus()) return;
    untold = false;
    const systemScheme = systemDark.matches ? "dark" : "light";
    if (preferences.systemScheme === systemScheme) return;
    setPreferences({ systemScheme }).catch(() => {
      untold = true; // The next change of the workspace tries again.
    });
  };
  const tellAnew = (): void => {
    untold = true;
    tell();
  };
  tell();
  const stop = useWorkspace.subscribe(tell);
  window.addEventListener("focus", tellAnew);
  systemDark.addEventListener("change", tellAnew);
  return () => {
    stop();
    window.removeEventListener("focus", tellAnew);
    systemDark.removeEventListener("change", tellAnew);
  };
}
