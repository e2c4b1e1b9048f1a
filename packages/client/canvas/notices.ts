// Short sentences about what the canvas was asked and could not do. They go by themselves.
import { create } from "zustand";

export interface Notice {
  id: number;
  text: string;
}

/** Long enough to read a sentence twice. */
const SHOWN_MS = 8_000;
/** More than these at once are not read; the oldest goes. */
const NOTICES_MAX = 3;

export const useNotices = create<{ notices: readonly Notice[] }>(() => ({ notices: [] }));

let nextId = 1;

export function say(text: string): void {
  const id = nextId++;
  useNotices.setState(({ notices }) => ({ notices: [...notices, { id, text }].slice(-NOTICES_MAX) }));
  setTimeout(() => unsay(id), SHOWN_MS);
}

export function unsay(id: number): void {
  useNotices.setState(({ notices }) => ({ notices: notices.filter((notice) => notice.id !== id) }));
}

/** Says why something that a person asked for did not happen. */
export function sayFailure(what: string): (error: unknown) => void {
  return (error) => say(`${what}: ${error instanceof Error ? error.message : String(error)}`);
}
