// The screen of a terminal without what is drawn faint: tells a person's draft from a suggestion that looks like one.
import type { Composer } from "@kolu/anyagent/plugin.ts";
import { solidText } from "@kolu/screen/solid-text.ts";
import { dialAttach } from "@kolu/wire/dial.ts";

/** kaval sends the screen first; one that takes longer is not waited for. */
const SNAPSHOT_TIMEOUT_MS = 5_000;

/** Null when the terminal is gone. Rejects with DialFailed, or when kaval sends nothing. */
export async function readSolidScreen(socketPath: string, id: string): Promise<string | null> {
  const { promise, resolve, reject } = Promise.withResolvers<string | null>();
  const link = await dialAttach({ socketPath }, id, { role: "observer", scrollback: 0 }, (frame) => {
    if (frame.kind !== "snapshot") return;
    try {
      resolve(solidText(frame.vt, frame));
    } catch (error) {
      reject(error);
    }
  });
  void link.closed.then(() => resolve(null));
  const timer = setTimeout(() => reject(new Error("kaval did not send the screen.")), SNAPSHOT_TIMEOUT_MS);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    link.close();
  }
}

/** A draft of which no more than the cell under the cursor is solid is a suggestion. Pure. */
export function isGhost(shown: Composer, solid: Composer | null): boolean {
  if (solid === null || shown.draft === solid.draft) return false;
  return [...solid.draft.trim()].length <= 1;
}
