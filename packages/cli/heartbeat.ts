// The sign of life of a verb that may say nothing for hours.
import type { Output } from "./output.ts";
import { clockTime } from "./text.ts";

/** At once, then each interval. Returns how to stop; without an interval there is none. */
export function heartbeat(everyMs: number | undefined, json: boolean, out: Output): () => void {
  if (everyMs === undefined) return () => {};
  const beat = (): void => {
    const at = Date.now();
    if (json) out.ndjson({ kind: "heartbeat", at });
    else out.row([clockTime(at), "heartbeat"]);
  };
  beat();
  const timer = setInterval(beat, everyMs);
  return () => clearInterval(timer);
}
