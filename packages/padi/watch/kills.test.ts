// Ten thousand settles while padi and its client die at random: each is told, under one number, whatever comes twice.
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { AgentState } from "@kolu/contract/agent.ts";
import type { StateEvent, WatchEvent } from "@kolu/contract/watch.ts";
import { expect, test } from "vitest";
import { watchAttention } from "../attention/watch.ts";
import { openPadiDb } from "../db/db.ts";
import { change } from "../terminals/record.ts";
import { openStore } from "../terminals/store.ts";
import { testAgent, testId, testRecord } from "../test-records.ts";
import { openWatches } from "./watches.ts";

const SETTLES = 10_000;
const PADI_LIVES = 51;
const TERMINALS = 6;
/** Changes that happen to terminals while no padi runs. */
const WHILE_AWAY = 4;

/** Numbers that only look like chance (mulberry32): a failure comes again. */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

interface Agent {
  state: AgentState;
  sinceMs: number;
}

test("no settle is missed over fifty deaths of padi and of its client", async () => {
  const root = mkdtempSync("/tmp/padi-kills-");
  const pick = chance(20_261_130);
  let lives = 0;
  let nowMs = 1_000;
  const now = (): number => nowMs;
  const agents = Array.from({ length: TERMINALS }, (): Agent => ({ state: "thinking", sinceMs: nowMs }));
  /** Episodes that a padi saw, as "terminal/since". */
  const seen = new Set<string>();
  const heard = new Map<number, WatchEvent>();
  let redelivered = 0;
  let after: number | undefined;

  const settles = (agent: Agent): boolean => agent.state !== "thinking";
  const moves = (n: number): void => {
    nowMs += 1 + pick(50);
    const state: AgentState = settles(agents[n]!) ? "thinking" : pick(2) === 0 ? "awaiting" : "waiting";
    agents[n] = { state, sinceMs: nowMs };
  };

  async function live(settleCount: number): Promise<void> {
    const isFirst = lives === 0;
    const db = openPadiDb(join(root, `${lives++}`));
    const onFault = (message: string, cause: unknown): never => expect.unreachable(`${message}: ${cause}`);
    const store = openStore({ db, boot: "b", now, onFault });
    const attention = watchAttention({ store, reportsTurns: () => true, now });
    const met = new Promise<void>(() => {});
    const watches = openWatches({ db, store, attention, reportsTurns: () => true, met, now, onFault });
    const publish = (n: number): void => {
      const agent = agents[n]!;
      if (settles(agent)) seen.add(`${testId(n)}/${agent.sinceMs}`);
      const { state, sinceMs } = agent;
      store.update(testId(n), (record) => change(record, { agent: testAgent(state, { sinceMs }) }), "now");
    };
    const takes = async (arrives: boolean): Promise<void> => {
      const acked = after === undefined ? {} : { after };
      const frame = await watches.next(
        { name: "fleet", timeoutMs: 1, ...acked },
        new AbortController().signal,
      );
      if (frame.result !== "met" || !arrives) return;
      expect(frame.met.dropped).toBe(0);
      for (const event of frame.met.events) {
        const before = heard.get(event.seq);
        if (before) redelivered += 1;
        expect(before ?? event).toEqual(event);
        heard.set(event.seq, event);
      }
      // A client that dies here has heard, and has not said so.
      if (pick(4) > 0) after = frame.met.ackAfter;
    };

    if (isFirst) {
      for (let n = 0; n < TERMINALS; n++) store.insert(testRecord(n));
      watches.open({ name: "fleet", heldForMs: 0 });
    }
    const order = agents.map((_, n) => n).sort(() => pick(3) - 1);
    for (const n of order) publish(n);
    for (let count = 0; count < settleCount; ) {
      const n = pick(TERMINALS);
      moves(n);
      publish(n);
      if (settles(agents[n]!)) count += 1;
      if (pick(40) === 0) await takes(pick(3) > 0);
    }
    // Killed: the next one has what lies on disk at this instant. The rest is only tidied up.
    const killed = join(root, `${lives}`);
    cpSync(join(root, `${lives - 1}`), killed, { recursive: true });
    watches.dispose();
    attention.dispose();
    store.close();
    db.close();
    for (let n = 0; n < WHILE_AWAY; n++) moves(pick(TERMINALS));
  }

  try {
    const each = Math.ceil(SETTLES / PADI_LIVES);
    for (let life = 0; life < PADI_LIVES; life++) await live(each);

    const db = openPadiDb(join(root, `${lives}`));
    const left = db.watches.load().watches[0]!.events;
    db.close();
    for (const event of left) heard.set(event.seq, heard.get(event.seq) ?? event);
    const told = [...heard.values()].map((event) => `${event.id}/${(event as StateEvent).since}`);
    expect(new Set(told)).toEqual(seen);
    // Nothing under two numbers.
    expect(told.length).toBe(seen.size);
    expect(seen.size).toBeGreaterThanOrEqual(SETTLES);
    expect(redelivered).toBeGreaterThan(100);
  } finally {
    rmSync(root, { recursive: true });
  }
});
