// The one connection to padi that every tool call shares. A drop is noticed at once and padi is brought back; a call that
// comes meanwhile waits for that. Only what was in flight fails. Nothing is queued and nothing is sent twice.
import type { PadiContract } from "@kolu/contract/padi.ts";
import { isRefusal } from "@kolu/contract/refusals.ts";
import type { Client } from "@kolu/contract/rpc.ts";
import type { Hello } from "@kolu/contract/version.ts";

export interface Link {
  client: Client<PadiContract>;
  hello: Hello;
  /** Resolves when the connection is gone; never rejects. */
  closed: Promise<void>;
  close(): void;
}

/** padi is away and could not be brought back. */
export class PadiUnreachable extends Error {
  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      `padi transport down: ${reason} This MCP server is still running. Nothing is queued; call again to try once more.`,
      { cause },
    );
    this.name = "PadiUnreachable";
  }
}

export interface Connection {
  /** The live link, or the next one. Rejects with PadiUnreachable. */
  link(): Promise<Link>;
  /**
   * Runs `work` on the link; once more on a fresh one when padi says that it is leaving, for then nothing was done.
   * Rejects with PadiUnreachable, or as `work` does: with LinkLost when the connection drops meanwhile.
   */
  use<T>(work: (link: Link) => Promise<T>, signal: AbortSignal): Promise<T>;
  close(): void;
}

export interface ConnectionOptions {
  /** The link that proved at the start that padi is there. */
  first: Link;
  /** Finds or starts padi again and passes the version gate. */
  redial(signal: AbortSignal): Promise<Link>;
  /** The link dropped and is being brought back. */
  onDrop(): void;
}

export function createConnection({ first, redial, onDrop }: ConnectionOptions): Connection {
  const ending = new AbortController();
  let current: Promise<Link> | null = Promise.resolve(first);
  follow(first);

  function follow(link: Link): void {
    void link.closed.then(() => {
      if (ending.signal.aborted) return;
      current = null;
      onDrop();
      // At once and unasked: terminals go on meanwhile, and so must what watches over them.
      connect().catch(() => {});
    });
  }

  function connect(): Promise<Link> {
    if (ending.signal.aborted) return Promise.reject(new PadiUnreachable("This server is ending."));
    if (current) return current;
    const dialled = redial(ending.signal).then(
      (link) => {
        follow(link);
        return link;
      },
      (cause: unknown) => {
        current = null;
        throw new PadiUnreachable(cause);
      },
    );
    current = dialled;
    return dialled;
  }

  return {
    link: connect,
    async use(work, signal) {
      const link = await unlessAborted(connect(), signal);
      try {
        return await work(link);
      } catch (error) {
        if (!isRefusal(error, "draining")) throw error;
        link.close();
        await link.closed;
        return work(await unlessAborted(connect(), signal));
      }
    },
    close() {
      ending.abort();
      current?.then(
        (link) => link.close(),
        () => {},
      );
    },
  };
}

/** A caller who left does not wait for a dial that others may still want. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
