// Keeps a padi behind the web server: holds one quiet connection to it, and has it started again the moment that ends,
// whether or not a page is looking.
import type { Log } from "@kolu/daemon/log.ts";
import { controlContract } from "@kolu/daemon/start-daemon.ts";
import { dialRpc } from "@kolu/wire/dial.ts";

/** Between failed starts; the last one holds. */
const RETRY_DELAYS_MS = [250, 500, 1_000, 2_000, 5_000];

export interface PadiKeeper {
  /** The socket of a padi that answered a moment ago. Waits for a start that is under way; rejects with why it failed. */
  socketPath(): Promise<string>;
  close(): void;
}

/** `ensurePadi` resolves with the socket of a padi that this build may talk to, starting one where there is none. */
export function keepPadi(ensurePadi: () => Promise<string>, log: Log): PadiKeeper {
  const closing = new AbortController();
  let current = attempt();

  function attempt(): Promise<{ socketPath: string; closed: Promise<void> }> {
    const started = (async () => {
      const socketPath = await ensurePadi();
      const link = await dialRpc(controlContract, { socketPath });
      closing.signal.addEventListener("abort", link.close);
      void link.closed.then(() => closing.signal.removeEventListener("abort", link.close));
      if (closing.signal.aborted) link.close();
      return { socketPath, closed: link.closed };
    })();
    started.catch(() => {}); // Reported by the loop below; nobody else may be waiting.
    return started;
  }

  async function keep(): Promise<void> {
    let failures = 0;
    while (!closing.signal.aborted) {
      try {
        const { closed } = await current;
        failures = 0;
        await closed;
        if (closing.signal.aborted) return;
        log.info("padi went away; starting it again");
      } catch (error) {
        if (closing.signal.aborted) return;
        if (failures === 0) log.error("padi cannot be reached", error);
        await pause(RETRY_DELAYS_MS[Math.min(failures, RETRY_DELAYS_MS.length - 1)]!, closing.signal);
        failures += 1;
      }
      current = attempt();
    }
  }
  void keep();

  return {
    socketPath: async () => (await current).socketPath,
    close: () => closing.abort(),
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
