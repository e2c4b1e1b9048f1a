import type { Preferences } from "@kolu/contract/preferences.ts";
import { sayFailure } from "../canvas/notices.ts";
import { setPreferences } from "../store/workspace.ts";

/** Changes preferences for every browser; a failure is said. */
export function prefer(changed: Partial<Preferences>): void {
  setPreferences(changed).catch(sayFailure("The preference could not be changed"));
}
