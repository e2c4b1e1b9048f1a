import type { TranscriptItem } from "@kolu/contract/transcript.ts";
import { SAMPLE } from "@kolu/transcript/test-transcript.ts";
import { describe, expect, test } from "vitest";
import { fitWindow, type Window, windowOf } from "./transcript-window.ts";

const said = (text: string): TranscriptItem => ({ kind: "user", atMs: null, text });
const items = [..."abcdef"].map(said);

const cases: Record<string, [window: Window, firstIndex: number, texts: string]> = {
  everything: [{}, 0, "abcdef"],
  "the newest": [{ last: 2 }, 4, "ef"],
  "more than there are": [{ last: 9 }, 0, "abcdef"],
  "what is new": [{ after: 3 }, 4, "ef"],
  "nothing is new": [{ after: 5 }, 6, ""],
  "from beyond the end": [{ after: 9 }, 6, ""],
  "the page above": [{ before: 4, last: 2 }, 2, "cd"],
  "nothing above the first": [{ before: 0, last: 2 }, 0, ""],
  "before beyond the end": [{ before: 99, last: 1 }, 5, "f"],
  "the newest of what is between": [{ after: 0, before: 4, last: 2 }, 2, "cd"],
  "between that is nothing": [{ after: 4, before: 2 }, 5, ""],
};

describe("a part of a conversation", () => {
  for (const [title, [window, firstIndex, texts]] of Object.entries(cases))
    test(title, () => expect(windowOf(items, window)).toEqual({ firstIndex, items: [...texts].map(said) }));

  test("that does not fit loses its oldest items, and says so", () => {
    const long = { ...SAMPLE, items: [..."abcdefgh"].map((letter) => said(letter.repeat(1_000))) };
    const fitted = fitWindow(long, { before: 7 }, 4_000)!;
    expect(Buffer.byteLength(JSON.stringify(fitted))).toBeLessThanOrEqual(4_100);
    expect(fitted).toMatchObject({ itemCount: 8, firstIndex: 7 - fitted.items.length });
    expect(fitted.items.at(-1)).toEqual(said("g".repeat(1_000)));
    expect(fitted.items.length).toBeGreaterThan(0);
  });

  test("is none when the newest item alone is too much", () => {
    expect(fitWindow({ ...SAMPLE, items: [said("x".repeat(9_000))] }, { last: 1 }, 4_000)).toBeNull();
  });
});
