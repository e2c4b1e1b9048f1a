import type { Transcript, TranscriptItem } from "@kolu/contract/transcript.ts";
import { SAMPLE } from "@kolu/transcript/test-transcript.ts";
import { describe, expect, test } from "vitest";
import { fitTranscript } from "./fit-transcript.ts";

const MAX_BYTES = 100_000;
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const withOutputs = (...outputs: string[]): Transcript => ({
  ...SAMPLE,
  items: outputs.map(
    (output): TranscriptItem => ({
      kind: "tool",
      atMs: null,
      callId: null,
      name: "Bash",
      input: "x",
      output,
      failed: false,
      edits: [],
    }),
  ),
});

describe("a transcript that must fit", () => {
  test("is left as it is when it does", () => {
    expect(fitTranscript(SAMPLE, MAX_BYTES)).toEqual({ ...SAMPLE, shortenedTexts: 0 });
  });

  test("loses the middle of its longest outputs alone, as little as is needed", () => {
    const fitted = fitTranscript(withOutputs("a".repeat(300_000), "b".repeat(10_000)), MAX_BYTES)!;
    expect(fitted.shortenedTexts).toBe(1);
    const [long, short] = fitted.items.map((item) => (item.kind === "tool" ? item.output! : ""));
    expect(long).toMatch(/^a{32768}\n\[… [\d\u202f]+ characters left out …\]\na{32768}$/);
    expect(short).toHaveLength(10_000);
  });

  test("is measured in bytes, as the wire is", () => {
    const fitted = fitTranscript(withOutputs("語".repeat(60_000)), MAX_BYTES)!;
    expect(bytesOf(fitted)).toBeLessThanOrEqual(MAX_BYTES);
    expect(fitted.shortenedTexts).toBe(1);
  });

  test("is none when what was said is too much", () => {
    const items: TranscriptItem[] = [{ kind: "user", atMs: null, text: "x".repeat(MAX_BYTES) }];
    expect(fitTranscript({ ...SAMPLE, items }, MAX_BYTES)).toBeNull();
  });

  test("cuts edits and reasoning too", () => {
    const long = "x\n".repeat(200_000);
    const items = SAMPLE.items.map((item): TranscriptItem => {
      if (item.kind === "reasoning") return { ...item, text: long };
      if (item.kind !== "tool") return item;
      return { ...item, edits: item.edits.map((edit) => ({ ...edit, after: long })) };
    });
    const fitted = fitTranscript({ ...SAMPLE, items }, MAX_BYTES)!;
    expect(bytesOf(fitted)).toBeLessThanOrEqual(MAX_BYTES);
    expect(fitted.shortenedTexts).toBe(5);
  });
});
