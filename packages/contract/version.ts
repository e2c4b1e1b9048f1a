// hello: the tiny, frozen handshake, and who may talk to whom. Nothing here may ever change meaning.
import { z } from "zod";

export const Hello = z.object({
  /** "kaval" or "padi". */
  name: z.string(),
  /** Wire version, "major.minor". */
  protocol: z.string(),
  /** Identifies the code that runs: package version, plus a digest in a checkout. */
  buildId: z.string(),
  pid: z.int(),
  /** New at every start of the daemon. */
  bootId: z.string(),
  stateRoot: z.string(),
  startedAtMs: z.number(),
});
export type Hello = z.infer<typeof Hello>;

export const KAVAL_PROTOCOL = "1.0";
export const PADI_PROTOCOL = "1.0";

export type Compatibility = "same" | "daemon-newer-minor" | "daemon-older-minor" | "incompatible";

/** A daemon serves every face of its own major version that needs no newer minor than it has. */
export function compareProtocol(daemon: string, needed: string): Compatibility {
  const [daemonMajor, daemonMinor] = parts(daemon);
  const [neededMajor, neededMinor] = parts(needed);
  if (daemonMajor !== neededMajor) return "incompatible";
  if (daemonMinor === neededMinor) return "same";
  return daemonMinor > neededMinor ? "daemon-newer-minor" : "daemon-older-minor";
}

function parts(version: string): [number, number] {
  const match = /^(\d+)\.(\d+)$/.exec(version);
  return match ? [Number(match[1]), Number(match[2])] : [-1, -1];
}

/** Orders two protocol versions; negative when `a` is the older. */
export function orderProtocol(a: string, b: string): number {
  const [aMajor, aMinor] = parts(a);
  const [bMajor, bMinor] = parts(b);
  return aMajor - bMajor || aMinor - bMinor;
}
