// A small file that its owner replaces whole: read again only when it is another one.
import { statSync } from "node:fs";
import { readIfThere } from "./places.ts";

export interface KeptFile<T> {
  /** The last value that could be parsed; `empty` before there was one and after the file is gone. */
  read(): T;
  /** Times that a new content could not be parsed. */
  malformed(): number;
}

/** @param parse null for a content that is half-written or foreign: the value before it stands */
export function keptFile<T>(path: string, empty: T, parse: (text: string) => T | null): KeptFile<T> {
  let signature: string | null = null;
  let value = empty;
  let malformed = 0;
  return {
    read: () => {
      const facts = statSync(path, { throwIfNoEntry: false });
      const now = facts === undefined ? null : `${facts.ino}:${facts.size}:${facts.mtimeMs}`;
      if (now === signature) return value;
      const text = now === null ? null : readIfThere(path);
      signature = text === null ? null : now;
      if (text === null) {
        value = empty;
        return value;
      }
      const parsed = parse(text);
      if (parsed === null) malformed += 1;
      else value = parsed;
      return value;
    },
    malformed: () => malformed,
  };
}
