// Asking padi for a new terminal: told step by step, and taken back when it is given up.
import type { LaunchStep } from "@kolu/contract/launch.ts";
import type { LaunchFrame, LaunchParams } from "@kolu/contract/padi.ts";
import { say } from "../canvas/notices.ts";
import { nameOf } from "../marks/name-of.ts";
import { padi, useWorkspace } from "../store/workspace.ts";
import { copyText } from "../terminal/copy.ts";
import { outcomeWords } from "./outcome-words.ts";

export const STEP_WORDS: Record<LaunchStep, string> = {
  fetch: "Asking origin for its newest…",
  checkout: "Checking out the files of the worktree…",
  shell: "Starting the shell…",
  prompt: "Waiting for its prompt…",
};

export interface LaunchEvents {
  onStep(step: LaunchStep): void;
  /** The worktree was cut from something else than the newest of origin. */
  onNote(note: string): void;
  signal: AbortSignal;
}

/**
 * Resolves with the terminal's id once it stands; what becomes of its first prompt is said later, where it did not arrive.
 * Rejects with padi's refusal, or when `signal` gives it up.
 */
export function launchTerminal(
  params: LaunchParams,
  { onStep, onNote, signal }: LaunchEvents,
): Promise<string> {
  const made = Promise.withResolvers<string>();
  const end = new AbortController();
  let id: string | null = null;
  const giveUp = (): void => end.abort(signal.reason);
  signal.addEventListener("abort", giveUp, { once: true });
  const follow = async (): Promise<void> => {
    for await (const frame of padi().subscribe("terminal.launch", params, { signal: end.signal })) {
      if (frame.kind === "step") onStep(frame.step);
      else if (frame.kind === "made") {
        // From here on nothing takes it back.
        signal.removeEventListener("abort", giveUp);
        id = frame.made.id;
        if (frame.made.worktree?.note) onNote(frame.made.worktree.note);
        made.resolve(id);
      } else if (id !== null) sayOutcome(id, params.firstPrompt ?? "", frame);
    }
  };
  follow().catch((error: unknown) => {
    made.reject(error);
    // The link is away: padi goes on by itself, and the agent's own screen tells what came of it.
  });
  return made.promise;
}

function sayOutcome(id: string, text: string, { outcome }: Extract<LaunchFrame, { kind: "prompted" }>): void {
  const record = useWorkspace.getState().records.get(id);
  const words = outcomeWords(outcome, record ? nameOf(record) : "the terminal");
  if (words !== null)
    say(words, { label: "Copy the prompt", run: () => void copyText(text).catch(() => {}) });
}
