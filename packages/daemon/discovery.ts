// Which kolus run on this machine for this user, and which one a client without further word means.
import { readdir, stat } from "node:fs/promises";
import { userInfo } from "node:os";
import { join, resolve } from "node:path";
import { readHolder } from "./pid-file.ts";
import {
  type Environment,
  everydayStateRoot,
  type Places,
  placesIn,
  readManifest,
  runtimeBases,
} from "./places.ts";

export interface FoundDaemon {
  places: Places;
  pid: number;
}

/** Every live daemon of this kind. Directories that are not ours alone are passed over: they could be a trap. */
export async function findDaemons(name: "kaval" | "padi", env: Environment): Promise<FoundDaemon[]> {
  const found = new Map<string, FoundDaemon>();
  for (const base of runtimeBases(env)) {
    const names = await readdir(base).catch(() => [] as string[]);
    for (const entry of names) {
      const runtime = join(base, entry);
      const daemon = await inspect(name, runtime);
      if (daemon) found.set(runtime, daemon);
    }
  }
  return [...found.values()];
}

async function inspect(name: "kaval" | "padi", runtime: string): Promise<FoundDaemon | null> {
  const stats = await stat(runtime).catch(() => null);
  if (!stats?.isDirectory() || stats.uid !== userInfo().uid || (stats.mode & 0o077) !== 0) return null;
  const manifest = await readManifest(join(runtime, "manifest.json"));
  if (!manifest) return null;
  const places = placesIn(manifest.stateRoot, runtime);
  const holder = await readHolder(name === "kaval" ? places.kavalPid : places.padiPid);
  return holder ? { places, pid: holder.pid } : null;
}

export type Choice =
  | { kind: "chosen"; daemon: FoundDaemon }
  | { kind: "none" }
  | { kind: "ambiguous"; found: FoundDaemon[]; everyday: string };

/** Pure: one is taken, of several the one at the everyday state root, else it cannot be told. */
export function chooseDaemon(found: FoundDaemon[], env: Environment): Choice {
  if (found.length === 0) return { kind: "none" };
  if (found.length === 1) return { kind: "chosen", daemon: found[0]! };
  const everyday = everydayStateRoot(env);
  const primary = found.find((daemon) => resolve(daemon.places.stateRoot) === resolve(everyday));
  return primary ? { kind: "chosen", daemon: primary } : { kind: "ambiguous", found, everyday };
}
