// padi's link to kaval: find it, start it when there is none, follow it, come back to it. kaval is never asked to leave:
// one that we cannot talk to is reported, and stays.
import {
  type KavalContract,
  type KavalNotice,
  type KavalTerminal,
  kavalContract,
} from "@kolu/contract/kaval.ts";
import type { DaemonStatus } from "@kolu/contract/padi.ts";
import { refuse } from "@kolu/contract/refusals.ts";
import type { CallNames, Client, ParamsOf, ResultOf } from "@kolu/contract/rpc.ts";
import { compareProtocol, type Hello, KAVAL_PROTOCOL } from "@kolu/contract/version.ts";
import type { Log } from "@kolu/daemon/log.ts";
import { readHolder } from "@kolu/daemon/pid-file.ts";
import type { Places } from "@kolu/daemon/places.ts";
import { dialRpc, type RpcLink } from "@kolu/wire/dial.ts";
import { type Cell, createCell, nextWake } from "./cell.ts";

export type KavalStatus = DaemonStatus["kaval"];

/** How long a call waits for a kaval that is being started or found again before it is refused. */
const CALL_PATIENCE_MS = 10_000;
/** A kaval that answers nothing for this long is not one. */
const HELLO_TIMEOUT_MS = 10_000;
/** Pauses between attempts: the first is short, because a kaval that died is usually replaced at once. */
const RETRY_FIRST_MS = 50;
const RETRY_MAX_MS = 5_000;
/** A kaval that lived this long was a working one: the next failure starts counting anew. */
const STEADY_MS = 10_000;

export interface KavalEvents {
  /** Everything that kaval has, at every (re)connection, before any other event of it. */
  onSnapshot(boot: string, terminals: KavalTerminal[]): void;
  onChanged(terminal: KavalTerminal): void;
  onRemoved(id: string): void;
  onNotice(notice: KavalNotice): void;
  /** The link dropped. `died`: the process is gone too, and its terminals with it. */
  onDown(died: boolean): void;
}

export interface KavalLink {
  status: Cell<KavalStatus>;
  socketPath: string;
  /** The boot id of the kaval we are in step with; null while there is none. */
  boot(): string | null;
  /**
   * Calls kaval, waiting for it up to 10 s when it is just being started or found again. Rejects with `kaval-unreachable`,
   * `kaval-incompatible`, kaval's own refusals, or LinkLost.
   */
  call<M extends CallNames<KavalContract>>(
    method: M,
    params: ParamsOf<KavalContract, M>,
    options?: { signal?: AbortSignal },
  ): Promise<ResultOf<KavalContract, M>>;
  /** Called whenever the link drops, until the returned function is called. */
  onDrop(listener: () => void): () => void;
  close(): Promise<void>;
}

export interface KavalLinkOptions {
  places: Places;
  /** Starts a kaval for this state root and resolves once it serves; harmless when one runs already. */
  startKaval(): Promise<unknown>;
  events: KavalEvents;
  log: Log;
  now(): number;
}

/** Starts following kaval at once; `close` ends it and leaves kaval running. */
export function openKavalLink(options: KavalLinkOptions): KavalLink {
  const { places, events, log, now } = options;
  const status = createCell<KavalStatus>({ state: "connecting" });
  const ending = new AbortController();
  const dropListeners = new Set<() => void>();
  const statusWaiters = new Set<() => void>();
  let current: { client: Client<KavalContract>; boot: string } | null = null;

  const setStatus = (to: KavalStatus): void => {
    status.set(to);
    for (const wake of statusWaiters) wake();
  };

  /** One connection from dial to drop. Resolves when it is over; rejects when it never came about. */
  async function followOnce(): Promise<void> {
    const started = await unlessEnding(findOrStart(options), ending.signal);
    const link = await dialRpc(kavalContract, { socketPath: places.kavalSocket });
    const onEnding = (): void => link.close();
    ending.signal.addEventListener("abort", onEnding);
    try {
      ending.signal.throwIfAborted();
      const hello = await link.client.call("hello", {}, { signal: AbortSignal.timeout(HELLO_TIMEOUT_MS) });
      if (compareProtocol(hello.protocol, KAVAL_PROTOCOL) === "incompatible")
        return await reportForeign(hello, link);
      await consume(link, hello, !started);
    } finally {
      ending.signal.removeEventListener("abort", onEnding);
      link.close();
      await link.closed;
    }
  }

  /** A bug in taking one event costs that event, not the link. */
  const guard = (take: () => void): void => {
    try {
      take();
    } catch (error) {
      log.error("an event of kaval could not be taken", error);
    }
  };

  async function consume(link: RpcLink<KavalContract>, hello: Hello, adopted: boolean): Promise<void> {
    try {
      for await (const item of link.client.subscribe("terminal.watch", {})) {
        switch (item.kind) {
          case "snapshot":
            current = { client: link.client, boot: item.boot };
            events.onSnapshot(item.boot, item.terminals);
            setStatus({ state: "connected", hello, adopted, sinceMs: now() });
            break;
          case "changed":
            guard(() => events.onChanged(item.terminal));
            break;
          case "removed":
            guard(() => events.onRemoved(item.id));
            break;
          case "notice":
            guard(() => events.onNotice(item.notice));
            break;
          default:
            item satisfies never;
        }
      }
    } finally {
      if (current !== null) {
        current = null;
        if (!ending.signal.aborted) {
          setStatus({ state: "connecting" });
          for (const listener of [...dropListeners]) listener();
          events.onDown((await readHolder(places.kavalPid)) === null);
        }
      }
    }
  }

  /** Holds the link of a kaval that speaks another protocol, so that its end is noticed at once. */
  async function reportForeign(hello: Hello, link: RpcLink<KavalContract>): Promise<void> {
    log.error(
      `kaval speaks protocol ${hello.protocol}, this padi needs ${KAVAL_PROTOCOL}; its terminals are left alone`,
    );
    setStatus({ state: "incompatible", daemonVersion: hello.protocol, requiredVersion: KAVAL_PROTOCOL });
    await link.closed;
    setStatus({ state: "connecting" });
  }

  async function follow(): Promise<void> {
    let delayMs = RETRY_FIRST_MS;
    while (!ending.signal.aborted) {
      const startedAt = now();
      try {
        await followOnce();
        if (!ending.signal.aborted) log.info("the link to kaval dropped");
      } catch (error) {
        if (ending.signal.aborted) return;
        log.error("kaval cannot be reached", error);
        const sinceMs =
          status.read().state === "down" ? (status.read() as { sinceMs: number }).sinceMs : now();
        const message = error instanceof Error ? error.message : String(error);
        setStatus({ state: "down", error: message, sinceMs });
      }
      if (now() - startedAt >= STEADY_MS) delayMs = RETRY_FIRST_MS;
      await pause(delayMs, ending.signal);
      delayMs = Math.min(delayMs * 2, RETRY_MAX_MS);
    }
  }

  /** The live client, waiting for one while there is hope. */
  async function client(signal: AbortSignal | undefined): Promise<Client<KavalContract>> {
    const patience = AbortSignal.any([
      AbortSignal.timeout(CALL_PATIENCE_MS),
      ending.signal,
      ...(signal ? [signal] : []),
    ]);
    while (current === null) {
      signal?.throwIfAborted();
      const state = status.read();
      if (state.state === "incompatible") throw incompatible(state);
      if (patience.aborted)
        throw refuse(
          "kaval-unreachable",
          { socketPath: places.kavalSocket },
          `The PTY daemon (kaval) cannot be reached at ${places.kavalSocket}. Its log lies in ${places.logs}.`,
        );
      await nextWake(statusWaiters, patience);
    }
    return current.client;
  }

  const done = follow();
  return {
    status,
    socketPath: places.kavalSocket,
    boot: () => current?.boot ?? null,
    async call(method, params, callOptions) {
      return (await client(callOptions?.signal)).call(method, params, callOptions);
    },
    onDrop(listener) {
      dropListeners.add(listener);
      return () => dropListeners.delete(listener);
    },
    async close() {
      ending.abort();
      await done;
    },
  };
}

/** True when a kaval had to be started. */
async function findOrStart(options: KavalLinkOptions): Promise<boolean> {
  if (await readHolder(options.places.kavalPid)) return false;
  options.log.info("starting kaval");
  await options.startKaval();
  return true;
}

/** The work's outcome, or the signal's reason as soon as it aborts: the work itself may go on unheeded. */
function unlessEnding<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}

function incompatible(status: { daemonVersion: string; requiredVersion: string }): Error {
  const { daemonVersion, requiredVersion } = status;
  return refuse(
    "kaval-incompatible",
    { daemonVersion, requiredVersion },
    `The running PTY daemon (kaval) speaks protocol ${daemonVersion}, this kolu needs ${requiredVersion}. Its terminals live on; end it yourself (kill its pid) when you can spare them.`,
  );
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
  });
}
