// The hidden verbs `__kaval` and `__padi`: this process turns into that daemon. One entry script serves every process of
// the system, in a checkout and in the published package alike.
import { readHolder } from "@kolu/daemon/pid-file.ts";
import { placesFor, preparePlaces } from "@kolu/daemon/places.ts";
import type { DaemonName } from "./daemon-verbs.ts";
import { startOurDaemon } from "./daemons.ts";
import { writeLaunchers } from "./launchers.ts";

/** Ends the process when the daemon ends. Another one that holds the state root already is a success, as it serves. */
export async function becomeDaemon(name: DaemonName, argv: readonly string[], entry: string): Promise<never> {
  const stateRoot = readStateRoot(argv);
  const places = placesFor(stateRoot, process.env);
  process.title = `kolu-${name} ${places.stateRoot}`;
  await preparePlaces(places);
  await writeLaunchers(places.launchers, entry, process.execPath);
  const code = name === "kaval" ? await becomeKaval(stateRoot) : await becomePadi(stateRoot, entry);
  process.exit(code);
}

function readStateRoot(argv: readonly string[]): string {
  const [flag, stateRoot] = argv;
  if (flag !== "--state-root" || !stateRoot) throw new Error("A daemon is started with --state-root <dir>.");
  return stateRoot;
}

async function becomeKaval(stateRoot: string): Promise<number> {
  const { runKaval } = await import("@kolu/kaval/main.ts");
  return runKaval({ stateRoot });
}

async function becomePadi(stateRoot: string, entry: string): Promise<number> {
  const start = (): Promise<unknown> => startOurDaemon("kaval", { stateRoot, env: process.env, entry });
  // kaval comes up while padi's own code is still being loaded: together they are there sooner.
  let early: Promise<unknown> | null = null;
  if ((await readHolder(placesFor(stateRoot, process.env).kavalPid)) === null) {
    early = start();
    // padi asks for it below and hears of a failure then.
    early.catch(() => {});
  }
  const startKaval = (): Promise<unknown> => {
    const first = early;
    early = null;
    return first ?? start();
  };
  const { runPadi } = await import("@kolu/padi/main.ts");
  return runPadi({ stateRoot, startKaval });
}
