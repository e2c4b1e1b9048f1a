// Restoring without being asked, for people who prefer that.
import type { Preferences } from "@kolu/contract/preferences.ts";
import type { Cell } from "../cell.ts";
import type { RestoreWorld } from "./restore.ts";
import type { Restores } from "./restores.ts";

/** Should what is restored bring kaval down again, the second time a person has to ask. */
const AGAIN_AFTER_MS = 60_000;

/** Restores what is parked whenever kaval is met, while the preference says so; until the signal aborts. */
export async function restoreWhenPreferred(
  preferences: Cell<Preferences>,
  restores: Restores,
  world: Pick<RestoreWorld, "kaval" | "store" | "log" | "now">,
  signal: AbortSignal,
): Promise<void> {
  const { kaval, store, log, now } = world;
  let restoredAtMs = Number.NEGATIVE_INFINITY;
  for await (const status of kaval.status.watch(signal)) {
    if (status.state !== "connected" || preferences.read().restore !== "auto") continue;
    if (!store.all().some((record) => record.life === "parked")) continue;
    if (now() - restoredAtMs < AGAIN_AFTER_MS) {
      log.info("kaval died soon after a restore: what is parked now waits for a person");
      continue;
    }
    restoredAtMs = now();
    const { restored, failed } = await restores.restore({});
    log.info(`restored ${restored.length} terminals, ${failed.length} could not be`);
    for (const { id, reason } of failed) log.error(`terminal ${id} could not be restored: ${reason}`);
  }
}
