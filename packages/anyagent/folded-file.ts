// A file of records, one a line, folded as it grows: the tail reads, a pure fold keeps what the records say.
import { createTail } from "./tail.ts";

export interface FoldRules<State> {
  empty: State;
  /** Pure. The same object when the line is no news; "malformed" when it is no record. */
  fold(before: State, line: string): State | "malformed";
  /** Completes a state whose file was opened near its end (`startOffset` into it). Facts carry forward, so they may lie
   * further up. Absent: what is older does not matter. */
  backfill?(state: State, path: string, startOffset: number): Promise<State>;
}

export interface FoldedState<State> {
  state: State;
  found: boolean;
  malformedRecords: number;
}

/** Reads must not overlap. Rejects when the file cannot be read for another reason than being absent. */
export function foldedFile<State>(
  path: string,
  rules: FoldRules<State>,
): { read(): Promise<FoldedState<State>> } {
  const tail = createTail(path);
  let now: FoldedState<State> = { state: rules.empty, found: false, malformedRecords: 0 };
  return {
    read: async () => {
      const read = await tail.read();
      const isFirst = !now.found || read.reset;
      let state = read.reset ? rules.empty : now.state;
      let malformedRecords = read.reset ? 0 : now.malformedRecords;
      for (const line of read.lines) {
        const next = rules.fold(state, line);
        if (next === "malformed") malformedRecords += 1;
        else state = next;
      }
      if (isFirst && read.startOffset !== null && rules.backfill !== undefined) {
        state = await rules.backfill(state, path, read.startOffset);
      }
      const next = { state, found: !read.missing, malformedRecords };
      const same =
        state === now.state && next.found === now.found && malformedRecords === now.malformedRecords;
      if (!same) now = next;
      return now;
    },
  };
}
