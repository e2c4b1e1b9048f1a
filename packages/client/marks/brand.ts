// The name and brand mark of an agent kind. A kind that this page does not know (a newer padi's) shows as its own word.

export interface Brand {
  displayName: string;
  /** SVG path data on a 24 x 24 grid, or null. */
  path: string | null;
}

export function brandOf(kind: string): Brand {
  return { displayName: kind, path: null };
}
