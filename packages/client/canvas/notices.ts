// Short sentences about what was asked: that it was done, or why not. They go by themselves.
import { create } from "zustand";

export interface Notice {
  id: number;
  text: string;
  /** One thing that can be done about it, for as long as it is shown. */
  action: NoticeAction | null;
  /** Something that a person asked for did not happen. */
  failed: boolean;
}

export interface NoticeAction {
  label: string;
  run(): void;
}

/** Long enough to read a sentence twice. */
const SHOWN_MS = 8_000;
/** Long enough to decide, too. */
const SHOWN_WITH_ACTION_MS = 20_000;
/** More than these at once are not read; the oldest goes. */
const NOTICES_MAX = 3;

export const useNotices = create<{ notices: readonly Notice[] }>(() => ({ notices: [] }));

let nextId = 1;

export function say(text: string, action: NoticeAction | null = null): void {
  show({ text, action, failed: false });
}

function show(notice: Omit<Notice, "id">): void {
  const id = nextId++;
  useNotices.setState(({ notices }) => ({ notices: [...notices, { id, ...notice }].slice(-NOTICES_MAX) }));
  setTimeout(() => unsay(id), notice.action === null ? SHOWN_MS : SHOWN_WITH_ACTION_MS);
}

export function unsay(id: number): void {
  useNotices.setState(({ notices }) => ({ notices: notices.filter((notice) => notice.id !== id) }));
}

/** Says why something that a person asked for did not happen. */
export function sayFailure(what: string): (error: unknown) => void {
  return (error) =>
    show({
      text: `${what}: ${error instanceof Error ? error.message : String(error)}`,
      action: null,
      failed: true,
    });
}
