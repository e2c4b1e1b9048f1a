// `kaval-tui wait`: until a terminal is quiet, or its output matches.
import type { KavalTerminal } from "@kolu/contract/kaval.ts";
import { TIMER_MAX_MS } from "@kolu/contract/limits.ts";
import { type AttachLink, dialAttach } from "@kolu/wire/dial.ts";
import { UsageError } from "./arguments.ts";
import type { KavalLink } from "./endpoint.ts";
import { OutputMatcher } from "./output-lines.ts";

export type Condition = { kind: "idle"; idleMs: number } | { kind: "match"; pattern: RegExp };

export type Outcome =
  | { result: "met"; fired: "idle" }
  | { result: "met"; fired: "match"; matchedLine: string }
  | { result: "timeout" }
  | { result: "gone" }
  | { result: "closed" };

/** Throws UsageError naming the forms. */
export function parseUntil(word: string): Condition {
  const idle = /^idle:(\d+)$/.exec(word);
  if (idle) {
    const idleMs = Number(idle[1]);
    if (idleMs >= 1 && idleMs <= TIMER_MAX_MS) return { kind: "idle", idleMs };
  }
  if (word.startsWith("match:")) return { kind: "match", pattern: parsePattern(word.slice(6)) };
  throw new UsageError(
    `--until takes idle:<ms> (1 to ${TIMER_MAX_MS}) or match:<regex>, not ${JSON.stringify(word)}.`,
  );
}

function parsePattern(source: string): RegExp {
  let pattern: RegExp;
  try {
    pattern = new RegExp(source, "mu");
  } catch (error) {
    throw new UsageError(`match:${source} is no regular expression: ${(error as Error).message}`);
  }
  if (pattern.test("")) throw new UsageError(`match:${source} matches nothing at all, so it is always met.`);
  return pattern;
}

/**
 * Waits on the bytes themselves. Quiet counts from the terminal's last output, so an already quiet one is met at once;
 * a match looks at what came since the terminal's last input. Rejects with the signal's reason.
 */
export async function waitFor(
  link: KavalLink,
  terminal: KavalTerminal,
  condition: Condition,
  options: { timeoutMs: number | undefined; signal: AbortSignal },
): Promise<Outcome> {
  const { id } = terminal;
  // A match that came before the end counts; quiet after the end does not.
  if (terminal.life === "saved" || (terminal.life === "ended" && condition.kind === "idle"))
    return { result: "gone" };
  return new Promise((resolve, reject) => {
    let attached: AttachLink | null = null;
    let idleTimer: NodeJS.Timeout | null = null;
    let settled = false;
    const end = (finish: () => void): void => {
      if (settled) return;
      settled = true;
      if (idleTimer) clearTimeout(idleTimer);
      if (timeout) clearTimeout(timeout);
      options.signal.removeEventListener("abort", onAbort);
      attached?.close();
      finish();
    };
    const finish = (outcome: Outcome): void => end(() => resolve(outcome));
    const onAbort = (): void => end(() => reject(options.signal.reason));
    options.signal.addEventListener("abort", onAbort);
    const timeout =
      options.timeoutMs === undefined
        ? null
        : setTimeout(() => finish({ result: "timeout" }), options.timeoutMs);

    const quietSince = (idleMs: number, sinceMs: number): void => {
      if (idleTimer) clearTimeout(idleTimer);
      const leftMs = Math.max(0, sinceMs + idleMs - Date.now());
      idleTimer = setTimeout(() => finish({ result: "met", fired: "idle" }), leftMs);
    };
    const matcher = condition.kind === "match" ? new OutputMatcher(condition.pattern) : null;
    const onBytes = (bytes: Uint8Array): void => {
      if (condition.kind === "idle") {
        quietSince(condition.idleMs, Date.now());
        return;
      }
      const matchedLine = matcher!.feed(bytes);
      if (matchedLine !== null) finish({ result: "met", fired: "match", matchedLine });
    };
    if (condition.kind === "idle")
      quietSince(condition.idleMs, terminal.lastOutputAtMs ?? terminal.createdAtMs);

    // Quiet resumes at the place that the row speaks of: whatever came since is output, and so is a snapshot, which
    // means that more came than kaval still has.
    const query =
      condition.kind === "match"
        ? ({ role: "observer", from: "last-input" } as const)
        : ({ role: "observer", boot: link.hello.bootId, offset: terminal.offset, scrollback: 0 } as const);
    dialAttach({ socketPath: link.socketPath }, id, query, (frame) => {
      if (frame.kind === "output") {
        onBytes(frame.bytes);
        attached?.send({ kind: "ack", offset: frame.offset + frame.bytes.length });
      } else if (frame.kind === "snapshot") onBytes(frame.vt);
      else if (frame.kind === "exit") finish({ result: "gone" });
    }).then(
      (dialled) => {
        attached = dialled;
        if (settled) dialled.close();
        void dialled.closed.then(async () =>
          finish({ result: (await isGone(link, id)) ? "gone" : "closed" }),
        );
      },
      (error) => end(() => reject(error)),
    );
  });
}

/** Whether a terminal whose feed ended is no more, as opposed to a feed that merely broke. */
export async function isGone(link: KavalLink, id: string): Promise<boolean> {
  try {
    const { terminals } = await link.client.call("terminal.list", {});
    return terminals.find((terminal) => terminal.id === id)?.life !== "live";
  } catch {
    // kaval itself does not answer: nothing is known of the terminal.
    return false;
  }
}
