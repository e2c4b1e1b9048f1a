// When a fresh shell takes its first command line.
import type { Follow } from "./follow.ts";

/** A shell without our marks never says that it is ready; after this long the line is typed all the same. */
const FIRST_PROMPT_MS = 10_000;

export type FirstPrompt = "shown" | "not-shown" | "gone" | "given-up";

/**
 * Resolves when the terminal stands at its first prompt. A line typed before would be echoed twice, or eaten by whatever
 * the dotfiles run. Never rejects; leaves nothing behind.
 */
export function whenFirstPrompt(follow: Follow, id: string, signal?: AbortSignal): Promise<FirstPrompt> {
  if (follow.row(id)?.atPrompt) return Promise.resolve("shown");
  return new Promise((resolve) => {
    const done = (outcome: FirstPrompt): void => {
      clearTimeout(timer);
      unsubscribe();
      signal?.removeEventListener("abort", giveUp);
      resolve(outcome);
    };
    const giveUp = (): void => done("given-up");
    const timer = setTimeout(done, FIRST_PROMPT_MS, "not-shown");
    const unsubscribe = follow.onRow(id, (row) => {
      if (row === null) done("gone");
      else if (row.atPrompt) done("shown");
    });
    signal?.addEventListener("abort", giveUp, { once: true });
  });
}
