// BEL. A person hears one bell, however many a program rings at once.

/** Bells closer than this are one. */
const BELL_GAP_MS = 200;

/** Whether a bell now is heard, given when the last heard one rang. */
export function isHeard(lastHeardAtMs: number | null, nowMs: number): boolean {
  return lastHeardAtMs === null || nowMs - lastHeardAtMs >= BELL_GAP_MS;
}
