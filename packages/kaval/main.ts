// kaval, the PTY daemon: one for each state root. Started by the composition root, never by a terminal's own programs.
import { decodeViewerFrame, type ParsedAttach } from "@kolu/contract/attach.ts";
import { kavalContract } from "@kolu/contract/kaval.ts";
import { KAVAL_PROTOCOL } from "@kolu/contract/version.ts";
import { koluVersion } from "@kolu/daemon/build-id.ts";
import { createLog, type Log } from "@kolu/daemon/log.ts";
import { openDaemon } from "@kolu/daemon/open-daemon.ts";
import { makePrivateDirectory } from "@kolu/daemon/places.ts";
import { messageBytes } from "@kolu/wire/channel.ts";
import { type AcceptedSocket, serveUnixSocket } from "@kolu/wire/serve.ts";
import { createHandlers } from "./handlers.ts";
import { SavedScreens } from "./saved-screens.ts";
import { createScreens, type Screens } from "./screens.ts";
import { Terminals } from "./terminals.ts";

export interface KavalOptions {
  stateRoot: string;
  /** What terminals' environments are made from, and where the runtime directory is. */
  env?: Readonly<Record<string, string | undefined>>;
}

/**
 * Serves until SIGTERM or SIGINT, then writes the screens down, ends every terminal and resolves with the exit code: 0,
 * also when another kaval already serves this state root.
 */
export async function runKaval(options: KavalOptions): Promise<number> {
  const log = createLog("kaval");
  const env = options.env ?? process.env;
  const stopped = whenAskedToStop(log);
  const opened = await openDaemon({
    name: "kaval",
    protocol: KAVAL_PROTOCOL,
    stateRoot: options.stateRoot,
    env,
  });
  if (opened.kind === "already-running") {
    log.info(`another kaval serves ${opened.places.stateRoot} already: pid ${opened.pid}`);
    return 0;
  }
  const { places, hello } = opened;
  await makePrivateDirectory(places.screens);
  await makePrivateDirectory(places.shellInit);

  const screens: Screens = createScreens(
    {
      onReply: (id, bytes) => terminals.onReply(id, bytes),
      onFacts: (id, facts) => terminals.onFacts(id, facts),
      onNotice: (id, what) => terminals.onNotice(id, what),
      onParsed: (id, bytes) => terminals.onParsed(id, bytes),
      onFault: (error, lostIds) => {
        log.error("a screen failed", error);
        terminals.onScreensLost(lostIds);
      },
    },
    { version: koluVersion() },
  );
  const saved: SavedScreens = new SavedScreens(places.screens, screens, log, (id) =>
    terminals.checkpointOf(id),
  );
  const terminals: Terminals = new Terminals({
    boot: hello.bootId,
    screens,
    saved,
    launch: {
      daemonEnv: env,
      kavalSocket: places.kavalSocket,
      shellInit: places.shellInit,
      version: koluVersion(),
    },
    log,
  });
  terminals.adopt(await saved.load());

  const served = await serveUnixSocket({
    socketPath: places.kavalSocket,
    contract: kavalContract,
    handlers: createHandlers(hello, terminals, saved),
    onAttach: (socket, attach) => attachSocket(terminals, socket, attach),
    onBug: (method, error) => log.error(`${method} failed`, error),
  });
  log.info(`serves ${places.kavalSocket} for ${places.stateRoot}`);

  const letBugsKill = outliveBugs(log);
  log.info(`ends: ${await stopped}`);
  letBugsKill();
  await terminals.stop();
  await served.close();
  await screens.dispose();
  await opened.release();
  return 0;
}

function attachSocket(terminals: Terminals, socket: AcceptedSocket, attach: ParsedAttach): void {
  const connection = terminals.attach(
    attach.id,
    {
      send: (frame) => {
        if (socket.readyState === socket.OPEN) socket.send(frame);
      },
      close: (code, reason) => socket.close(code, reason),
    },
    attach.query,
  );
  socket.on("message", (data) => connection.receive(decodeViewerFrame(messageBytes(data))));
  socket.on("close", () => connection.gone());
}

/** The first signal that asks for an end. A second one does not hurry it: the screens are being written down. */
function whenAskedToStop(log: Log): Promise<string> {
  // A face that goes away must not take the daemon with it.
  process.on("SIGHUP", () => log.info("SIGHUP is ignored"));
  return new Promise((resolve) => {
    process.on("SIGTERM", () => resolve("SIGTERM"));
    process.on("SIGINT", () => resolve("SIGINT"));
  });
}

/**
 * A bug in one terminal's path must not take everybody's shells down: while there are terminals to lose it is logged and
 * the daemon goes on. Answers with the end of that.
 */
function outliveBugs(log: Log): () => void {
  const onBug = (error: unknown): void => log.error("a bug", error);
  process.on("uncaughtException", onBug);
  // A log that cannot be written (its reader gone, the disk full) is no bug to be logged: that would never end.
  process.stderr.on("error", () => {});
  return () => void process.off("uncaughtException", onBug);
}
