// Answering a terminal from the dock.
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { padi } from "../store/workspace.ts";

type Id = TerminalRecord["id"];

/** A composer has taken the text in once it has not painted for this long; only then does Enter submit it. */
const SETTLED_MS = 150;
/** A screen that never stands still (a spinner) must not hold the Enter back for ever. */
const SETTLE_LIMIT_MS = 2_000;

/** Types the text, waits until the program has taken it in, and submits it. Rejects with what padi said. */
export async function replyWithText(id: Id, text: string): Promise<void> {
  const { cursor } = await padi().call("terminal.sendInput", { id, text });
  await padi().call("terminal.wait", {
    id,
    until: { kind: "idle", idleMs: SETTLED_MS },
    timeoutMs: SETTLE_LIMIT_MS,
    after: cursor,
  });
  await padi().call("terminal.sendInput", { id, key: "Enter" });
}

/** A digit is typed as text, anything else is a named key. */
export async function replyWithKey(id: Id, key: string): Promise<void> {
  await padi().call("terminal.sendInput", /^\d$/.test(key) ? { id, text: key } : { id, key });
}
