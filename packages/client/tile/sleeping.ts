// Putting terminals to sleep and waking them from the page. padi says what would be lost; a person decides.
import type { SleepResult } from "@kolu/contract/sessions.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { create } from "zustand";
import { say, sayFailure } from "../canvas/notices.ts";
import { padi } from "../store/workspace.ts";

type Id = TerminalRecord["id"];

/** The terminal whose sleep a person is being asked about, with padi's sentence of what would be lost. */
export const useSleepAsked = create<{ asked: { id: Id; sentence: string } | null }>(() => ({ asked: null }));

/** Puts one terminal away, after a question where something would be lost. */
export async function sleepTerminal({ id }: Pick<TerminalRecord, "id">, force = false): Promise<void> {
  try {
    const { kept } = await padi().call("terminal.sleep", { ids: [id], force });
    const [held] = kept;
    if (!held) return;
    if (held.why === "ended" || held.why === "failed") say(held.sentence);
    else useSleepAsked.setState({ asked: { id, sentence: held.sentence } });
  } catch (error) {
    sayFailure("The terminal could not be put to sleep")(error);
  }
}

export function answerSleep(record: TerminalRecord, sleep: boolean): void {
  useSleepAsked.setState({ asked: null });
  if (sleep) void sleepTerminal(record, true);
}

/** Puts those away that have nothing to lose, and says how many stayed awake and why. */
export async function sleepIdle(ids: readonly Id[]): Promise<void> {
  if (ids.length === 0) return;
  try {
    say(sleptWords(await padi().call("terminal.sleep", { ids: [...ids] })));
  } catch (error) {
    sayFailure("The terminals could not be put to sleep")(error);
  }
}

export async function wakeTerminals(ids: readonly Id[]): Promise<void> {
  if (ids.length === 0) return;
  try {
    const { failed } = await padi().call("terminal.restore", { ids: [...ids] });
    for (const { reason } of failed) say(`One terminal could not be brought back: ${reason}`);
  } catch (error) {
    sayFailure("The terminals could not be brought back")(error);
  }
}

/** Pure. */
export function sleptWords({ slept, kept }: SleepResult): string {
  const head = slept.length === 0 ? "Nothing was put to sleep" : `${counted(slept.length)} asleep`;
  if (kept.length === 0) return `${head}.`;
  const first = kept[0]!.sentence;
  return kept.length === 1 ? `${head}; one stays awake. ${first}` : `${head}; ${kept.length} stay awake.`;
}

function counted(count: number): string {
  return count === 1 ? "One terminal is" : `${count} terminals are`;
}
