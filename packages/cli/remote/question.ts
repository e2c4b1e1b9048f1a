// What is asked of another machine (where does your padi serve?) and what it answers. Pure; the answering side is answer.ts.
import { z } from "zod";
import { ANSWER_MARK, joinForSh, scriptWithKolu } from "./find-kolu.ts";
import { HostFailure } from "./host-failure.ts";
import { QUESTION_VERB } from "./question-verb.ts";

export const HostAnswer = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("serving"),
    socketPath: z.string(),
    stateRoot: z.string(),
    buildId: z.string(),
    /** It did not run before this question. */
    started: z.boolean(),
  }),
  /** kolu is there; nobody asked it to start. */
  z.object({ kind: z.literal("not-running") }),
  z.object({ kind: z.literal("failed"), sentence: z.string() }),
  z.object({ kind: z.literal("no-kolu") }),
  /** One that does not know the question. */
  z.object({ kind: z.literal("too-old"), path: z.string() }),
]);
export type HostAnswer = z.infer<typeof HostAnswer>;

export interface Question {
  /** Start the daemons when none run. */
  start: boolean;
  /** Null: the one that a client over there would find. */
  stateRoot: string | null;
}

/** Has the first kolu that knows the question answer it. */
export function questionScript({ start, stateRoot }: Question): string {
  const words = [
    QUESTION_VERB,
    ...(start ? ["--start"] : []),
    ...(stateRoot ? ["--state-root", stateRoot] : []),
  ];
  return scriptWithKolu(
    `answer=$("$1" ${joinForSh(words)} </dev/null 2>/dev/null | grep '^${ANSWER_MARK}')
  if [ -n "$answer" ]; then printf '%s\\n' "$answer"; exit 0; fi`,
  );
}

/** Null when no line is an answer. */
export function parseAnswer(printed: string): HostAnswer | null {
  const line = printed.split("\n").find((candidate) => candidate.startsWith(ANSWER_MARK));
  if (line === undefined) return null;
  const body = line.slice(ANSWER_MARK.length);
  if (body === "no-kolu") return { kind: "no-kolu" };
  if (body.startsWith("too-old ")) return { kind: "too-old", path: body.slice("too-old ".length) };
  try {
    const answer = HostAnswer.safeParse(JSON.parse(body));
    return answer.success ? answer.data : null;
  } catch {
    return null;
  }
}

export type Serving = Extract<HostAnswer, { kind: "serving" }>;

/** The place where it serves. Throws HostFailure. */
export function judgeAnswer(host: string, answer: HostAnswer | null): Serving {
  switch (answer?.kind) {
    case "serving":
      return answer;
    case "not-running":
      throw new HostFailure(
        "host-not-running",
        host,
        `kolu is installed on ${host} but not running. \`kolu create --host ${host}\` and \`kolu restore --host ${host}\` start it.`,
      );
    case "failed":
      throw new HostFailure("host-kolu-failed", host, `kolu on ${host} says: ${answer.sentence}`);
    case "no-kolu":
      throw new HostFailure(
        "host-has-no-kolu",
        host,
        `There is no kolu on ${host}: install it there (npm install --global kolu), then run the same command again.`,
      );
    case "too-old":
      throw new HostFailure(
        "host-too-old",
        host,
        `${answer.path} on ${host} does not answer this kolu: it is too old, or its Node is. Update it there.`,
      );
    case undefined:
      throw new HostFailure(
        "host-session-refused",
        host,
        `${host} runs no script for you. Does \`ssh ${host} sh -c true\` work?`,
      );
    default:
      return answer satisfies never;
  }
}
