// What a person has written to a terminal and not sent yet, by terminal; a reload finds it again.
import { create } from "zustand";
import { useWorkspace } from "../store/workspace.ts";

const STORAGE_KEY = "kolu.drafts";

type Drafts = Readonly<Record<string, string>>;

const storage = typeof localStorage === "undefined" ? null : localStorage;

export const useDrafts = create<{ drafts: Drafts }>(() => ({
  drafts: parseDrafts(storage?.getItem(STORAGE_KEY) ?? null),
}));

/** Anything unreadable counts as absent. Pure. */
export function parseDrafts(text: string | null): Drafts {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    if (typeof value !== "object" || value === null) return {};
    return Object.fromEntries(
      Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === "string"),
    );
  } catch {
    return {};
  }
}

/** The drafts with this one in it; an empty one, and those of terminals that are gone, are not kept. Pure. */
export function withDraft(
  drafts: Drafts,
  { id, text }: { id: string; text: string },
  isThere: (id: string) => boolean,
): Drafts {
  return Object.fromEntries(
    Object.entries({ ...drafts, [id]: text }).filter(([key, draft]) => draft !== "" && isThere(key)),
  );
}

export function setDraft(id: string, text: string): void {
  const { records, told } = useWorkspace.getState();
  const drafts = withDraft(
    useDrafts.getState().drafts,
    { id, text },
    (key) => !told.records || records.has(key),
  );
  useDrafts.setState({ drafts });
  storage?.setItem(STORAGE_KEY, JSON.stringify(drafts));
}
