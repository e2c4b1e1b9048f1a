// What the restore card says of each terminal. Pure.
import { isUnderWay, type RestorePlanRow, type RestoreRow } from "@kolu/contract/sessions.ts";
import { brandOf } from "../marks/brand.ts";

/** What a terminal comes back as. */
export type Choice = "all" | "shell" | "leave";

/** `title`: that of the conversation, where it has one. */
export function planWords(plan: RestorePlanRow | undefined, title: string | null, choice: Choice): string {
  if (choice === "leave") return "stays as it is";
  if (plan === undefined) return "a shell";
  if (plan.agent && choice === "all") return agentWords(plan.agent, title);
  if (plan.agent) return `a shell, without ${brandOf(plan.agent.kind).displayName}`;
  if (plan.lostAgent !== null)
    return `a shell: which conversation ${brandOf(plan.lostAgent).displayName} was on is not known`;
  return plan.notRerun === null ? "a shell" : `a shell; ${plan.notRerun} is not started again`;
}

function agentWords({ kind, on }: NonNullable<RestorePlanRow["agent"]>, title: string | null): string {
  const { displayName } = brandOf(kind);
  switch (on) {
    case "conversation":
      return title === null ? `${displayName}, on its conversation` : `${displayName}, on “${title}”`;
    case "newest":
      return `${displayName}, on the newest conversation of its directory`;
    case "fresh":
      return `${displayName}, afresh: nothing was said in it`;
    default:
      return on satisfies never;
  }
}

/** What the chosen ids ask padi for. */
export function wishOf<Id extends string>(
  ids: readonly Id[],
  choices: ReadonlyMap<string, Choice>,
): { ids: Id[]; shellOnlyIds: Id[] } {
  const wanted = ids.filter((id) => choices.get(id) !== "leave");
  return { ids: wanted, shellOnlyIds: wanted.filter((id) => choices.get(id) === "shell") };
}

const STEP_WORDS: Record<RestoreRow["step"], string> = {
  queued: "waits for its turn",
  starting: "its shell starts",
  shell: "waits for its first prompt",
  agent: "its agent starts",
  done: "is back",
  failed: "is not whole",
  left: "was called off",
};

export function stepWords({ step, reason }: RestoreRow): string {
  return reason ?? STEP_WORDS[step];
}

export interface ProgressFacts {
  /** Null: there is nothing to show. */
  title: string | null;
  underWay: boolean;
  done: number;
  total: number;
  /** Those that a person should read, the unfinished first. */
  shown: RestoreRow[];
}

/** One terminal that comes back says so in its own tile; several, and whatever went wrong, are worth a card. */
export function progressOf(rows: readonly RestoreRow[]): ProgressFacts {
  const total = rows.length;
  const done = rows.filter(({ step }) => step === "done").length;
  const open = rows.filter(isUnderWay);
  const wrong = rows.filter(({ step, reason }) => step === "failed" || (step === "left" && reason !== null));
  const underWay = open.length > 0;
  const worth = underWay ? total > 1 : wrong.length > 0;
  const title = underWay
    ? `Bringing back ${Math.min(done + 1, total)} of ${total}…`
    : "Not everything is back.";
  return { title: worth ? title : null, underWay, done, total, shown: [...open, ...wrong] };
}
