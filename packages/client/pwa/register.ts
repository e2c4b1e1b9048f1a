// Registers the service worker once the page is connected and has nothing better to do: it is for the next visit.
import { useWorkspace } from "../store/workspace.ts";

/** How long the page may stay busy before it is registered all the same. */
const PATIENCE_MS = 10_000;

export function registerWorker(): void {
  // Absent where the browser does not trust the page (plain http from another machine).
  if (!("serviceWorker" in navigator)) return;
  const stop = useWorkspace.subscribe(({ link }) => {
    if (link.kind !== "live") return;
    stop();
    whenIdle(() => {
      navigator.serviceWorker.register("/sw.js").catch((error: unknown) => {
        console.info("The page cannot be kept for when the server is away.", error);
      });
    });
  });
}

function whenIdle(run: () => void): void {
  if ("requestIdleCallback" in window) requestIdleCallback(run, { timeout: PATIENCE_MS });
  else setTimeout(run, PATIENCE_MS); // Safari.
}
