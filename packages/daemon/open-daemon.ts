// What kaval and padi do alike at their start: claim the state root, know who they are.
import { randomUUID } from "node:crypto";
import type { Hello } from "@kolu/contract/version.ts";
import { buildId } from "./build-id.ts";
import { claimPidFile } from "./pid-file.ts";
import { type Environment, type Places, placesFor, preparePlaces } from "./places.ts";

export type OpenedDaemon =
  | { kind: "opened"; places: Places; hello: Hello; release(): Promise<void> }
  | { kind: "already-running"; pid: number; places: Places };

/** Claims the one place that a state root has for this kind of daemon. The caller then serves and answers `hello`. */
export async function openDaemon(options: {
  name: "kaval" | "padi";
  protocol: string;
  stateRoot: string;
  env: Environment;
}): Promise<OpenedDaemon> {
  const places = await preparePlaces(placesFor(options.stateRoot, options.env));
  const claim = await claimPidFile(options.name === "kaval" ? places.kavalPid : places.padiPid);
  if (claim.kind === "held") return { kind: "already-running", pid: claim.pid, places };
  const hello: Hello = {
    name: options.name,
    protocol: options.protocol,
    buildId: buildId(),
    pid: process.pid,
    bootId: randomUUID(),
    stateRoot: places.stateRoot,
    startedAtMs: Date.now(),
  };
  return { kind: "opened", places, hello, release: claim.release };
}
