// The parts that padi is really made with.
import type { PadiParts } from "./padi.ts";

export function realParts(startKaval: () => Promise<unknown>): PadiParts {
  throw new Error(`not yet ${startKaval}`);
}
