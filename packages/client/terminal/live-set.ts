// Which of the terminals that are seen are live on the page; the others are painted by the worker. Pure.
//   live      an xterm.js with its own elements: takes the keyboard and the pointer, scrolls, selects, finds links
//   painted   a picture of its cells, a tenth of a second old at most
// A live terminal costs the page's own thread, a painted one does not; turning one into the other costs a moment.

/** Live terminals that are kept although nobody asks for them any more: whoever goes to and fro finds them as they were. */
export const LIVE_MAX = 3;

export interface LiveSetInput {
  /** All terminals that are seen. */
  seen: readonly string[];
  /** The one that has, or last had, the keyboard. */
  focusedId: string | null;
  /** What cannot be painted: under the pointer, scrolled back, with a selection, being searched. */
  wished: readonly string[];
}

/** The live ones, wanted last first. `before`: what this answered last. */
export function decideLiveSet(
  before: readonly string[],
  { seen, focusedId, wished }: LiveSetInput,
): readonly string[] {
  const isSeen = new Set(seen);
  const first = focusedId === null ? wished : [focusedId, ...wished];
  const needed = new Set(first.filter((id) => isSeen.has(id)));
  const kept = new Set([...needed, ...before.filter((id) => isSeen.has(id))]);
  // Few enough that painting them would gain nothing.
  if (seen.length <= LIVE_MAX) for (const id of seen) kept.add(id);
  const next = [...kept].slice(0, Math.max(LIVE_MAX, needed.size));
  return next.length === before.length && next.every((id, index) => id === before[index]) ? before : next;
}
