// Durations as the dock shows them: one number, one unit, a narrow column. Pure.

const UNITS: [ms: number, letter: string][] = [
  [24 * 60 * 60 * 1000, "d"],
  [60 * 60 * 1000, "h"],
  [60 * 1000, "m"],
];

/** "3m", "2h", "5d"; below a minute "now". */
export function ageWords(ms: number): string {
  for (const [unitMs, letter] of UNITS) if (ms >= unitMs) return `${Math.floor(ms / unitMs)}${letter}`;
  return "now";
}

/** How long somebody has waited: seconds count here. */
export function waitWords(ms: number): string {
  return ms < 60_000 ? `${Math.max(0, Math.floor(ms / 1000))}s` : ageWords(ms);
}
