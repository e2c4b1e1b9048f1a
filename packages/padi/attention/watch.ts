// Keeps the attention of every terminal in step with its record, and the clock that turns quiet into finished.

import { isDeepStrictEqual } from "node:util";
import type { Urgency } from "@kolu/contract/padi.ts";
import { type Cell, createCell } from "../cell.ts";
import { change } from "../terminals/record.ts";
import type { TerminalStore } from "../terminals/store.ts";
import {
  type Attention,
  type AttentionClass,
  SEEDED,
  stepAttention,
  UNSEEDED,
  urgencyOf,
} from "./attention.ts";

/** A terminal that was there at a start of padi takes its first reading within this long; later ones are news. */
const SEEDING_MS = 15_000;

export interface AttentionWatch {
  urgency: Cell<Urgency>;
  /** As of the last news of that terminal. */
  classOf(id: string): AttentionClass;
  /** Called after a terminal's class changed. */
  onClass(listener: (id: string) => void): () => void;
  /** Output flowed: a turn that just ended is not quiet yet. */
  noticeOutput(id: string, lastOutputAtMs: number | null): void;
  /** Whether output is being heard at all: while it is not, nothing is taken for quiet. */
  setListening(listening: boolean): void;
  /** A terminal that lived before this padi: its first reading alerts nobody. */
  expectOld(id: string): void;
  dispose(): void;
}

export function watchAttention(options: {
  store: TerminalStore;
  reportsTurns(agentKind: string): boolean;
  now(): number;
}): AttentionWatch {
  const { store, reportsTurns, now } = options;
  const attentions = new Map<string, Attention>();
  const lastOutputs = new Map<string, number | null>();
  const timers = new Map<string, NodeJS.Timeout>();
  const urgency = createCell<Urgency>(urgencyOf([]), isDeepStrictEqual);
  const listeners = new Set<(id: string) => void>();
  let listening = false;

  const publish = (): void => {
    urgency.set(urgencyOf([...attentions].map(([id, attention]) => [id, attention.class])));
  };

  const rearm = (id: string, againAtMs: number | null): void => {
    clearTimeout(timers.get(id));
    timers.delete(id);
    if (againAtMs === null || !listening) return;
    timers.set(id, setTimeout(look, Math.max(0, againAtMs - now()), id).unref());
  };

  function look(id: string): void {
    const record = store.get(id);
    if (!record) return;
    const before = attentions.get(id) ?? SEEDED;
    const step = stepAttention(before, {
      record,
      lastOutputAtMs: lastOutputs.get(id) ?? record.lastActivityAtMs,
      reportsTurns: record.agent === null || reportsTurns(record.agent.kind),
      nowMs: listening ? now() : 0,
    });
    rearm(id, step.againAtMs);
    if (step.attention !== before || !attentions.has(id)) {
      attentions.set(id, step.attention);
      publish();
      if (step.attention.class !== before.class) for (const listener of [...listeners]) listener(id);
    }
    if (step.handled) store.update(id, (current) => change(current, { unread: 0 }), "now");
    if (step.unread) store.update(id, (current) => change(current, { unread: current.unread + 1 }), "now");
  }

  const forget = (id: string): void => {
    clearTimeout(timers.get(id));
    timers.delete(id);
    lastOutputs.delete(id);
    if (attentions.delete(id)) publish();
  };

  const unsubscribe = store.onChange((id, before, after) => {
    if (!after) forget(id);
    else if (
      before?.agent !== after.agent ||
      before?.program !== after.program ||
      before?.life !== after.life
    )
      look(id);
  });

  return {
    urgency,
    classOf: (id) => attentions.get(id)?.class ?? "none",
    onClass(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    noticeOutput(id, lastOutputAtMs) {
      lastOutputs.set(id, lastOutputAtMs);
      if (attentions.get(id)?.class === "linger") look(id);
    },
    setListening(to) {
      listening = to;
      for (const id of attentions.keys()) look(id);
    },
    expectOld(id) {
      attentions.set(id, UNSEEDED);
      look(id);
      setTimeout(() => {
        const attention = attentions.get(id);
        if (attention && !attention.seeded) attentions.set(id, { ...attention, seeded: true });
      }, SEEDING_MS).unref();
    },
    dispose() {
      unsubscribe();
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
