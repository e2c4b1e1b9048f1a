// Why a state is what it is said to be, in words: padi's explanation, told to a person. Pure.
import type { ExplainedSignal, Explanation, SignalSource } from "@kolu/contract/agent.ts";
import { shortDuration } from "../../tile/words.ts";

const SPEAKERS: Record<SignalSource, string> = {
  "in-band": "It says so itself in the terminal",
  "status-file": "Its status file says so",
  transcript: "Its transcript says so",
  title: "The terminal's title says so",
  screen: "Its screen says so",
  process: "Its process says so",
};

const SOURCE_WORDS: Record<SignalSource, string> = {
  "in-band": "In band",
  "status-file": "Status file",
  transcript: "Transcript",
  title: "Title",
  screen: "Screen",
  process: "Process",
};

export function sourceWords(source: SignalSource): string {
  return SOURCE_WORDS[source];
}

/** One sentence; null when the explanation names no signal that decided. */
export function whySentence({ signals }: Explanation, nowMs: number): string | null {
  const won = signals.find(({ verdict }) => verdict === "won");
  if (!won) return null;
  const against = signals.filter(({ verdict }) => verdict === "disagreed");
  const doubt =
    against.length === 0
      ? ""
      : ` ${listed(against.map(({ source }) => SOURCE_WORDS[source]))} ${against.length === 1 ? "disagrees" : "disagree"}.`;
  return `${SPEAKERS[won.source]}: ${won.value}${age(won, nowMs)}.${doubt}`;
}

export function age({ atMs }: Pick<ExplainedSignal, "atMs">, nowMs: number): string {
  return atMs === null ? "" : `, ${shortDuration(nowMs - atMs)} ago`;
}

/** How the terminal was recognised as an agent's, or why not. */
export function recognitionWords({ kind, recognition }: Explanation): string {
  const { chain, matchedBy, foregroundPid } = recognition;
  const processes = chain.map(({ pid, name }) => `${name} (${pid})`).join(" ← ");
  const front = foregroundPid === null ? "no process" : processes || `process ${foregroundPid}`;
  if (kind === null) return `No agent is recognised. In front: ${front}.`;
  return `Recognised by ${matchedBy ?? "nothing that is still there"}. In front: ${front}.`;
}

function listed(names: string[]): string {
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
