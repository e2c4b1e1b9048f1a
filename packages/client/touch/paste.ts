// Pasting by a button. Where the browser does not hand out its clipboard, a sheet takes the text instead.
import { useUi } from "../store/ui.ts";
import { sessionOf } from "../terminal/sessions.ts";

/** What the clipboard holds goes to the terminal as one paste, without an Enter. */
export async function askToPaste(id: string): Promise<void> {
  const text = await readClipboard();
  if (text === null) useUi.getState().setOverlay("paste");
  else pasteInto(id, text);
}

export function pasteInto(id: string, text: string): void {
  if (text !== "") sessionOf(id).view()?.paste(text);
}

/** Null where the page may not look, or a person said no. */
function readClipboard(): Promise<string | null> {
  if (!window.isSecureContext || navigator.clipboard?.readText === undefined) return Promise.resolve(null);
  return navigator.clipboard.readText().catch(() => null);
}
