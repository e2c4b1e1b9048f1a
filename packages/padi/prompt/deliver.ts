// One prompt under way: the screen, the agent's state and its transcript are looked at when something moves, decide.ts
// says what to do, and it is done here.
import type { Composer } from "@kolu/anyagent/plugin.ts";
import type { AgentReading } from "@kolu/contract/agent.ts";
import type { TerminalId } from "@kolu/contract/ids.ts";
import { bracketedPaste, keyBytes } from "@kolu/contract/keys.ts";
import type { PromptParams, PromptReceipt } from "@kolu/contract/prompt.ts";
import { refuse } from "@kolu/contract/refusals.ts";
import type { Log } from "@kolu/daemon/log.ts";
import { nextWake } from "../cell.ts";
import type { ReadTranscriptOf } from "../detect/transcripts.ts";
import type { KavalLink } from "../kaval-link.ts";
import type { Follow } from "../terminals/follow.ts";
import type { TerminalStore } from "../terminals/store.ts";
import { type Attempt, decide, type Look, newAttempt, noteComposer, type Outcome } from "./decide.ts";
import { hasPrompt, holdsPrompt } from "./holds.ts";
import { isGhost, readSolidScreen } from "./solid-screen.ts";

const DEFAULT_TIMEOUT_MS = 20_000;
const ENTER = keyBytes("Enter")!;

export interface PromptWorld {
  store: TerminalStore;
  follow: Follow;
  kaval: KavalLink;
  /** Null: this agent's composer cannot be read. */
  composerOf(agentKind: string): ((screen: string) => Composer | null) | null;
  /** Null: this agent never asks what to do with a paste. */
  pasteKeyOf(agentKind: string): ((screen: string, text: string) => string | null) | null;
  /** Null: it is not there, or this agent's cannot be read. */
  readTranscript: ReadTranscriptOf;
  log: Log;
  now(): number;
}

/**
 * Resolves with how far the prompt came; `accepted` only with evidence. Rejects with `agent-awaiting` or
 * `draft-in-composer` before anything was typed, and with `terminal-gone` at any time.
 */
export async function deliverPrompt(
  { id, text, timeoutMs = DEFAULT_TIMEOUT_MS }: PromptParams,
  world: PromptWorld,
  signal: AbortSignal,
): Promise<PromptReceipt> {
  const { store, follow, now } = world;
  const startedAtMs = now();
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const done of [...waiting]) done();
  };
  let attempt = newAttempt(text, startedAtMs + timeoutMs);
  let moved = true;
  const stops = [
    store.onChange((changedId, _before, after) => {
      if (changedId !== id) return;
      attempt = noteState(attempt, after?.agent ?? null);
      // It may stem from a screen that was not read here yet.
      moved = true;
      wake();
    }),
    follow.onRow(id, () => {
      moved = true;
      wake();
    }),
  ];
  const bytes = bracketedPaste(text);
  let screen: Screen = { text: "", cursor: "", solid: undefined };
  let sentCursor: string | null = null;
  try {
    for (;;) {
      signal.throwIfAborted();
      const record = store.require(id);
      if (record.life !== "active")
        throw refuse("terminal-gone", { id }, `The terminal ${id} ended while it was being prompted.`);
      if (moved) {
        moved = false;
        screen = await readScreen(id, world, signal);
      }
      const look = await lookAt(id, screen, text, world);
      attempt = noteComposer(attempt, look);
      const step = decide(attempt, look);
      switch (step.kind) {
        case "type":
          sentCursor = await send(id, bytes, world, signal);
          attempt = { ...attempt, typedAtMs: now(), shown: null };
          moved = true;
          break;
        case "enter": {
          attempt = beforeEnter(attempt, look, now());
          const entered = await send(id, ENTER, world, signal);
          // Its turn may have begun, and ended, before a second one.
          if (attempt.enters === 1) sentCursor = entered;
          moved = true;
          break;
        }
        case "answer-paste":
          await send(id, keyBytes(step.key)!, world, signal);
          attempt = { ...attempt, pasteAnsweredAtMs: now() };
          moved = true;
          break;
        case "read-transcript":
          attempt = await askTranscript(attempt, look, world);
          break;
        case "wait":
          if (!moved) await nextWake(waiting, until(step.untilMs - now(), signal));
          break;
        case "refuse-awaiting":
          throw awaiting(id, look.agent);
        case "refuse-draft":
          throw refuse(
            "draft-in-composer",
            { id, draft: step.draft },
            "Somebody's draft stands in the composer, and the prompt would be merged with it. Submit or clear it first; nothing was typed.",
          );
        case "end":
          return receipt(step.outcome, {
            id,
            cursor: sentCursor ?? screen.cursor,
            elapsedMs: Math.max(0, Math.round(now() - startedAtMs)),
            textBytes: Buffer.byteLength(bytes),
            agent: look.agent,
            submitted: attempt.enteredAtMs !== null,
          });
        default:
          step satisfies never;
      }
    }
  } finally {
    for (const stop of stops) stop();
  }
}

async function lookAt(
  id: TerminalId,
  screen: Screen,
  text: string,
  { store, follow, composerOf, pasteKeyOf, kaval, now }: PromptWorld,
): Promise<Look> {
  const agent = store.get(id)?.agent ?? null;
  const read = agent === null ? null : composerOf(agent.kind);
  let composer: Look["composer"] = read === null ? "unreadable" : read(screen.text);
  // Words that nobody typed may stand there, drawn faint; telling them apart costs a second look at the screen.
  if (read !== null && composer !== null && composer !== "unreadable" && looksForeign(composer, text)) {
    screen.solid ??= await readSolidScreen(kaval.socketPath, id);
    if (screen.solid !== null && isGhost(composer, read(screen.solid)))
      composer = { draft: "", folded: false };
  }
  const pasteKey = (agent && pasteKeyOf(agent.kind)?.(screen.text, text)) ?? null;
  return { nowMs: now(), agent, composer, pasteKey, lastOutputAtMs: follow.row(id)?.lastOutputAtMs ?? 0 };
}

function looksForeign(composer: Composer, text: string): boolean {
  return composer.draft !== "" && !holdsPrompt(composer, text);
}

/** Pressed before it is sent: whatever the agent does from then on may be its answer. */
function beforeEnter(attempt: Attempt, { agent }: Look, nowMs: number): Attempt {
  const working = agent?.bucket === "working";
  return {
    ...attempt,
    enteredAtMs: nowMs,
    enters: attempt.enters + 1,
    workingAtEnter: attempt.enters === 0 ? working : attempt.workingAtEnter,
  };
}

/** An agent that was at work has to stop before its next work is news. */
function noteState(attempt: Attempt, agent: AgentReading | null): Attempt {
  if (attempt.enteredAtMs === null || attempt.turnedToWork) return attempt;
  if (agent?.bucket !== "working")
    return attempt.workingAtEnter ? { ...attempt, workingAtEnter: false } : attempt;
  return attempt.workingAtEnter ? attempt : { ...attempt, turnedToWork: true };
}

/** A transcript that cannot be read proves nothing; the prompt is under way all the same. */
async function askTranscript(
  attempt: Attempt,
  { agent }: Look,
  { readTranscript, log, now }: PromptWorld,
): Promise<Attempt> {
  const askedAtMs = now();
  const transcript =
    agent === null || agent.sessionId === null
      ? null
      : await readTranscript(agent.kind, {
          sessionId: agent.sessionId,
          sessionPath: agent.sessionPath,
        }).catch((error: unknown) => {
          log.error(`the transcript of session ${agent.sessionId} could not be asked about a prompt`, error);
          return null;
        });
  const inTranscript = transcript !== null && hasPrompt(transcript, attempt.text, attempt.enteredAtMs!);
  return { ...attempt, transcriptAtMs: now(), transcriptTookMs: now() - askedAtMs, inTranscript };
}

interface Screen {
  text: string;
  cursor: string;
  /** Its text without what is drawn faint, once that was asked for. */
  solid: string | null | undefined;
}

async function readScreen(id: TerminalId, { kaval }: PromptWorld, signal: AbortSignal): Promise<Screen> {
  const { text, cursor } = await kaval.call("screen.text", { id, extent: { kind: "screen" } }, { signal });
  return { text, cursor, solid: undefined };
}

async function send(
  id: TerminalId,
  bytes: string,
  { kaval }: PromptWorld,
  signal: AbortSignal,
): Promise<string> {
  return (await kaval.call("terminal.input", { id, text: bytes }, { signal })).cursor;
}

function until(delayMs: number, signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, Math.ceil(delayMs)))]);
}

function awaiting(id: string, agent: AgentReading | null): Error {
  const asks = agent?.awaiting ?? null;
  const what = asks?.message ? `: ${asks.message}` : "";
  return refuse(
    "agent-awaiting",
    { id, awaiting: asks },
    `The agent waits for an answer (${asks?.kind ?? "unknown kind"}${what}). Read the screen and answer that first; nothing was typed.`,
  );
}

type Sent = Pick<PromptReceipt, "id" | "cursor" | "elapsedMs" | "textBytes" | "agent"> & {
  submitted: boolean;
};

function receipt(outcome: Outcome, { submitted, ...sent }: Sent): PromptReceipt {
  switch (outcome.kind) {
    case "accepted":
      return { ...sent, outcome: "accepted", evidence: outcome.evidence };
    case "staged":
      return { ...sent, outcome: "staged", draft: outcome.draft };
    case "blocked":
      return { ...sent, outcome: "blocked", submitted, awaiting: sent.agent?.awaiting ?? null };
    case "timeout":
      return { ...sent, outcome: "timeout", submitted };
    default:
      return outcome satisfies never;
  }
}
