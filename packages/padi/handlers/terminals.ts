// The roster, and what can be done to one terminal.

import type { Explanation } from "@kolu/contract/agent.ts";
import type { Reopening } from "@kolu/contract/launch.ts";
import type { PadiContract } from "@kolu/contract/padi.ts";
import { type Refusal, refuse } from "@kolu/contract/refusals.ts";
import type { Handlers } from "@kolu/contract/rpc.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { type CreateWorld, createTerminal } from "../terminals/create.ts";
import { encodeInput } from "../terminals/input.ts";
import { change } from "../terminals/record.ts";
import type { RestoreWorld } from "../terminals/restore.ts";
import { refuseParent } from "../terminals/tree.ts";

export interface TerminalsWorld extends CreateWorld {
  explain(id: string): Promise<Explanation>;
  wayBack: RestoreWorld["wayBack"];
}

type TerminalHandlers = Pick<
  Handlers<PadiContract>,
  | "terminals.watch"
  | "terminals.list"
  | "terminal.create"
  | "terminal.sendInput"
  | "terminal.kill"
  | "terminal.explain"
>;

/** A padi that has just started says nothing of terminals before it has met its kaval, but not for longer than this. */
const MEETING_MS = 3_000;

export function terminalHandlers(world: TerminalsWorld): TerminalHandlers {
  const { store, follow, kaval } = world;
  return {
    "terminals.watch": ({ since }, { signal }) => store.view.read(since, signal),
    async "terminals.list"({ settleMs }, { signal }) {
      await follow.whenMet(MEETING_MS, signal);
      if (settleMs) await follow.whenSettled(settleMs, signal);
      return { terminals: store.all() };
    },
    "terminal.create": (params) => createTerminal(params, world),
    async "terminal.sendInput"({ id, ...request }, { signal }) {
      const { bytes, sent } = encodeInput(request);
      requireLive(store.require(id));
      const { cursor } = await kaval.call("terminal.input", { id, text: bytes }, { signal });
      return { sent, cursor };
    },
    async "terminal.kill"({ id }) {
      const reopen = reopening(store.require(id), world);
      return { id, ...(await follow.remove(id)), ...(reopen === null ? {} : { reopen }) };
    },
    "terminal.explain"({ id }) {
      store.require(id);
      return world.explain(id);
    },
  };
}

/** How the conversation in a terminal could be brought back once it is closed; null: there is none, or it cannot be. */
function reopening(record: TerminalRecord, { store, wayBack }: TerminalsWorld): Reopening | null {
  const { id, cwd, intent, parentId } = record;
  // After padi's restart the reading on disk stands in until the detector has spoken.
  const agent = record.agent ?? store.savedReading(id);
  const way = agent && wayBack(agent, store.agentCommand(id));
  return way?.on === "conversation" ? { cwd, run: way.line, intent, parentId } : null;
}

export function requireLive(record: TerminalRecord): void {
  if (record.life !== "active") throw notLive(record);
}

const HOW_TO_GO_ON: Record<Exclude<TerminalRecord["life"], "active">, string> = {
  sleeping: "It is asleep: wake it with kolu restore.",
  parked: "Its process died with its PTY daemon: bring it back with kolu restore.",
  exited: "Its shell has ended: only its last screen is left.",
};

function notLive(record: TerminalRecord): Refusal {
  const { id, life } = record;
  const howTo = life === "active" ? "" : HOW_TO_GO_ON[life];
  return refuse("terminal-not-live", { id, life }, `The terminal ${id} cannot be typed into. ${howTo}`);
}

type CanvasHandlers = Pick<
  Handlers<PadiContract>,
  | "layout.set"
  | "terminal.setIntent"
  | "terminal.setParent"
  | "terminal.setTheme"
  | "terminal.setFont"
  | "terminal.markSeen"
>;

/** What a person arranges. Every change is on disk when it is answered. */
export function canvasHandlers({ store }: Pick<TerminalsWorld, "store">): CanvasHandlers {
  const setOne = (id: string, changes: Partial<TerminalRecord>): Record<never, never> => {
    store.require(id);
    store.update(id, (record) => change(record, changes), "now");
    store.commit();
    return {};
  };
  return {
    "layout.set"({ layouts }) {
      // A page may hold a tile for a moment longer than its terminal lives: its layout is of no use to anybody.
      for (const { id, layout } of layouts) store.update(id, (record) => change(record, { layout }), "now");
      store.commit();
      return {};
    },
    "terminal.setIntent": ({ id, intent }) => setOne(id, { intent: intent?.trim() ? intent : null }),
    "terminal.setTheme": ({ id, themeName }) => setOne(id, { themeName }),
    "terminal.setFont": ({ id, fontPx }) => setOne(id, { fontPx }),
    "terminal.markSeen": ({ id }) => setOne(id, { unread: 0 }),
    "terminal.setParent"({ id, parentId }) {
      store.require(id);
      if (parentId !== null) {
        store.require(parentId);
        const refusal = refuseParent(store.map(), id, parentId);
        if (refusal) throw refusal;
      }
      return setOne(id, { parentId });
    },
  };
}
