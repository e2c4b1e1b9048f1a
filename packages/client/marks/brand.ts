// The name and brand mark of an agent kind.
import { vocabOf } from "@kolu/agents/vocabs.ts";

export interface Brand {
  displayName: string;
  /** SVG path data on a 24 x 24 grid. Null for a kind that this page does not know, which a newer padi may send. */
  path: string | null;
}

export function brandOf(kind: string): Brand {
  const vocab = vocabOf(kind);
  return vocab === null
    ? { displayName: kind, path: null }
    : { displayName: vocab.displayName, path: vocab.mark };
}
