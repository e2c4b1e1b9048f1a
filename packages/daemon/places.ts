// Where one kolu keeps its things. Everything hangs off a state root; sockets live in a private runtime directory named
// after it, so that any number of kolus run side by side.
import { createHash, randomUUID } from "node:crypto";
import { lstatSync, readFileSync } from "node:fs";
import { chmod, lstat, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { homedir, userInfo } from "node:os";
import { join, resolve } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

/** A unix socket's path has room for 108 bytes on Linux and 104 on macOS, the ending zero included. */
const SOCKET_PATH_MAX_BYTES = 103;

/** Names the runtime directory, in the state root. */
const RUNTIME_RECORD = "runtime";

/** Everything that has a place, as absolute paths. */
export interface Places {
  stateRoot: string;
  /** padi's database, kaval's screens, logs, keys. */
  database: string;
  backups: string;
  screens: string;
  logs: string;
  webKey: string;
  /** Private and short-lived: sockets, pid files, what is injected into shells. */
  runtime: string;
  manifest: string;
  kavalSocket: string;
  kavalPid: string;
  padiSocket: string;
  padiPid: string;
  /** The directory that terminals get first on PATH: exactly kolu, kaval-tui, padi-tui. */
  launchers: string;
  shellInit: string;
}

/** The state root that a plain `kolu` uses when nothing names another. */
export function everydayStateRoot(env: Environment): string {
  const base = env.XDG_STATE_HOME || join(env.HOME || homedir(), ".local", "state");
  return join(base, "kolu");
}

/** The bases that may hold runtime directories, the one that new daemons use first. */
export function runtimeBases(env: Environment): string[] {
  const uid = userInfo().uid;
  const bases = [join("/run/user", String(uid), "kolu"), `/tmp/kolu-${uid}`];
  const xdg = env.XDG_RUNTIME_DIR;
  if (xdg) bases.unshift(join(xdg, "kolu"));
  return [...new Set(bases)];
}

/** A short, stable name for a state root. */
export function digestOf(stateRoot: string): string {
  return createHash("sha256").update(resolve(stateRoot)).digest("hex").slice(0, 16);
}

/**
 * Where everything of a state root lies. Its runtime directory is the one that its first daemon chose, recorded in the
 * state root: whoever comes later with another XDG_RUNTIME_DIR (a service, a login over ssh) must find the same sockets
 * and pid files, or two daemons would share one database.
 */
export function placesFor(stateRoot: string, env: Environment): Places {
  const root = resolve(stateRoot);
  return placesIn(root, readRecordedRuntime(root) ?? chooseRuntime(root, env));
}

/** A runtime base whose socket paths would be too long for the system is passed over for /tmp. */
function chooseRuntime(root: string, env: Environment): string {
  const xdg = env.XDG_RUNTIME_DIR;
  const fallback = `/tmp/kolu-${userInfo().uid}`;
  const wanted = join(xdg ? join(xdg, "kolu") : fallback, digestOf(root));
  const fits = Buffer.byteLength(join(wanted, "kaval.sock")) <= SOCKET_PATH_MAX_BYTES;
  return fits ? wanted : join(fallback, digestOf(root));
}

/** The record of a directory that is gone (a runtime directory ends with the login or the boot) is no record. */
function readRecordedRuntime(root: string): string | null {
  try {
    const runtime = readFileSync(join(root, RUNTIME_RECORD), "utf8").trim();
    const stats = lstatSync(runtime);
    return stats.isDirectory() && stats.uid === userInfo().uid ? runtime : null;
  } catch {
    return null;
  }
}

/** The same for a runtime directory that is already known. */
export function placesIn(root: string, runtime: string): Places {
  return {
    stateRoot: root,
    database: join(root, "padi.db"),
    backups: join(root, "backups"),
    screens: join(root, "screens"),
    logs: join(root, "logs"),
    webKey: join(root, "web.key"),
    runtime,
    manifest: join(runtime, "manifest.json"),
    kavalSocket: join(runtime, "kaval.sock"),
    kavalPid: join(runtime, "kaval.pid"),
    padiSocket: join(runtime, "padi.sock"),
    padiPid: join(runtime, "padi.pid"),
    launchers: join(runtime, "bin"),
    shellInit: join(runtime, "shell"),
  };
}

/** A directory that should be ours alone is not: nothing is served from it. */
export class NotPrivate extends Error {
  constructor(path: string, reason: string) {
    super(`${path} ${reason}. Sockets in it would let others type into your terminals; remove or fix it.`);
    this.name = "NotPrivate";
  }
}

/** Makes a directory 0700, or proves that an existing one is ours and closed to others. Rejects with NotPrivate. */
export async function makePrivateDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const stats = await lstat(path);
  if (!stats.isDirectory()) throw new NotPrivate(path, "is not a directory");
  if (stats.uid !== userInfo().uid) throw new NotPrivate(path, "belongs to another user");
  if ((stats.mode & 0o077) === 0) return;
  await chmod(path, 0o700);
}

export interface Manifest {
  stateRoot: string;
}

/**
 * Creates what a daemon needs before it binds, and the manifest by which clients tell one kolu from another. Resolves with
 * the places to use: those of another starter where it was first.
 */
export async function preparePlaces(wanted: Places): Promise<Places> {
  await makePrivateDirectory(wanted.stateRoot);
  const places = await recordRuntime(wanted);
  await makePrivateDirectory(join(places.runtime, ".."));
  await makePrivateDirectory(places.runtime);
  await mkdir(places.logs, { recursive: true, mode: 0o700 });
  const manifest: Manifest = { stateRoot: places.stateRoot };
  await writeWhole(places.manifest, `${JSON.stringify(manifest)}\n`);
  return places;
}

async function recordRuntime(wanted: Places): Promise<Places> {
  const record = join(wanted.stateRoot, RUNTIME_RECORD);
  if (readRecordedRuntime(wanted.stateRoot) === null) {
    await makePrivateDirectory(join(wanted.runtime, ".."));
    await makePrivateDirectory(wanted.runtime);
    await writeWhole(record, `${wanted.runtime}\n`);
  }
  return placesIn(wanted.stateRoot, readRecordedRuntime(wanted.stateRoot) ?? wanted.runtime);
}

/** Under a name of its own first: nobody reads half a file, and one process may write the same one twice at once. */
async function writeWhole(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  await writeFile(temporary, text, { mode: 0o600 });
  await rename(temporary, path);
}

/** The manifest of a runtime directory, or null when there is none that can be read. */
export async function readManifest(path: string): Promise<Manifest | null> {
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    const stateRoot = (value as { stateRoot?: unknown } | null)?.stateRoot;
    return typeof stateRoot === "string" ? { stateRoot } : null;
  } catch {
    // Not there, or half a file of a crashed daemon: for discovery both mean "no kolu here".
    return null;
  }
}
