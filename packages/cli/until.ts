// What `--until` asks for. Pure.
import { Bucket } from "@kolu/contract/agent.ts";
import { TIMER_MAX_MS } from "@kolu/contract/limits.ts";
import type { WaitCondition } from "@kolu/contract/padi.ts";
import { UsageError } from "./exit.ts";

const FORMS = "idle:<ms>, match:<regex>, or one or more of working,awaiting,waiting";

/** Throws UsageError naming the accepted forms. */
export function parseUntil(word: string): WaitCondition {
  if (word.startsWith("idle:")) return { kind: "idle", idleMs: parseIdle(word.slice("idle:".length)) };
  if (word.startsWith("match:")) return { kind: "match", pattern: parsePattern(word.slice("match:".length)) };
  return { kind: "agent", buckets: parseBuckets(word) };
}

function parseIdle(word: string): number {
  const idleMs = /^\d+$/.test(word) ? Number(word) : Number.NaN;
  if (!(idleMs >= 1 && idleMs <= TIMER_MAX_MS))
    throw new UsageError(`--until idle: takes whole milliseconds, 1 to ${TIMER_MAX_MS}: idle:800`);
  return idleMs;
}

function parsePattern(source: string): string {
  if (source === "") throw new UsageError("--until match: needs a regular expression: match:'tests passed'");
  try {
    if (new RegExp(source).test(""))
      throw new UsageError(
        `--until match:${source} also matches nothing at all, so it would be met at once.`,
      );
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`--until match:${source} is no regular expression: ${(error as Error).message}`);
  }
  return source;
}

function parseBuckets(word: string): Bucket[] {
  const names = word.split(",").map((name) => name.trim().toLowerCase());
  const buckets = names.map((name) => {
    const bucket = Bucket.safeParse(name);
    if (!bucket.success)
      throw new UsageError(`--until does not know ${JSON.stringify(name)}. It takes ${FORMS}.`);
    return bucket.data;
  });
  return [...new Set(buckets)];
}
