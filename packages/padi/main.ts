// padi, the workspace daemon: one for each state root. Its process starts here; padi.ts puts it together.
import { PADI_PROTOCOL } from "@kolu/contract/version.ts";
import { createLog, type Log } from "@kolu/daemon/log.ts";
import { openDaemon } from "@kolu/daemon/open-daemon.ts";
import { openPadi } from "./padi.ts";
import { realParts } from "./parts.ts";

export interface PadiOptions {
  stateRoot: string;
  /** Starts a kaval for this state root and resolves once it serves; harmless when one runs already. */
  startKaval(): Promise<unknown>;
  env?: Readonly<Record<string, string | undefined>>;
}

/**
 * Serves until it is drained or gets SIGTERM or SIGINT, then flushes and resolves with the exit code: 0, also when another
 * padi serves this state root already. Terminals stay in kaval. Rejects with a fault when it cannot serve.
 */
export async function runPadi(options: PadiOptions): Promise<number> {
  const log = createLog("padi");
  const env = options.env ?? process.env;
  const stopped = whenAskedToStop(log);
  const opened = await openDaemon({
    name: "padi",
    protocol: PADI_PROTOCOL,
    stateRoot: options.stateRoot,
    env,
  });
  if (opened.kind === "already-running") {
    log.info(`another padi serves ${opened.places.stateRoot} already: pid ${opened.pid}`);
    return 0;
  }
  const { places, hello } = opened;
  try {
    const padi = await openPadi({ places, hello, log, parts: realParts(options.startKaval) });
    log.info(`ends: ${await Promise.race([stopped, padi.asked])}`);
    await padi.close();
  } finally {
    await opened.release();
  }
  return 0;
}

/** The first signal that asks for an end. */
function whenAskedToStop(log: Log): Promise<string> {
  // A face that goes away must not take the daemon with it.
  process.on("SIGHUP", () => log.info("SIGHUP is ignored"));
  return new Promise((resolve) => {
    process.on("SIGTERM", () => resolve("SIGTERM"));
    process.on("SIGINT", () => resolve("SIGINT"));
  });
}
