import type { Transcript } from "@kolu/contract/transcript.ts";
import { SAMPLE } from "@kolu/transcript/test-transcript.ts";
import { expect, test } from "vitest";
import { testAgent, testRecord } from "../test-records.ts";
import { openConversationSearch } from "./conversations.ts";

const TALK: Transcript = {
  ...SAMPLE,
  items: ["find the needle", "no needles here", "another matter"].map((text) => ({
    kind: "user",
    atMs: 5,
    text,
  })),
};
const NOTHING = { savedReading: () => null, lastConversation: () => null };
const withAgent = testRecord(1, { agent: testAgent("waiting") });

test("an item is found by its index, the newest first, and no more than asked for", async () => {
  const search = openConversationSearch({ store: NOTHING, readTranscript: async () => TALK });
  const hits = await search.hitsIn(withAgent, "needle", 5);
  expect(hits).toEqual([
    expect.objectContaining({ where: "transcript", item: 1, itemsFromEnd: 1, kind: "user", atMs: 5 }),
    expect.objectContaining({
      item: 0,
      itemsFromEnd: 2,
      text: "find the needle",
      matchStart: 9,
      matchLength: 6,
    }),
  ]);
  expect(await search.hitsIn(withAgent, "needle", 1)).toHaveLength(1);
});

test("after the agent has left, the conversation that was there last is searched; without one, nothing", async () => {
  const asked: unknown[] = [];
  const store = {
    ...NOTHING,
    lastConversation: () => ({ agent: "codex", sessionId: "s-0", sessionPath: "/p" }),
  };
  const readTranscript = async (...args: unknown[]) => {
    asked.push(args.slice(0, 2));
    return TALK;
  };
  const plain = testRecord(2);
  expect(await openConversationSearch({ store, readTranscript }).hitsIn(plain, "matter", 9)).toMatchObject([
    { agent: "codex", item: 2 },
  ]);
  expect(asked).toEqual([["codex", { sessionId: "s-0", sessionPath: "/p" }]]);
  expect(await openConversationSearch({ store: NOTHING, readTranscript }).hitsIn(plain, "matter", 9)).toEqual(
    [],
  );
  expect(asked).toHaveLength(1);
});

test("one that is not read in time is given up, and when all time is gone none is begun", async () => {
  let reads = 0;
  const readTranscript = () => {
    reads += 1;
    return new Promise<never>(() => {});
  };
  const limits = { oneReadMs: 20, allReadsMs: 10 };
  const search = openConversationSearch({ store: NOTHING, readTranscript }, limits);
  await expect(search.hitsIn(withAgent, "needle", 5)).rejects.toThrow(/not read within \d+ ms/);
  await expect(search.hitsIn(withAgent, "needle", 5)).rejects.toThrow("no time left");
  expect(reads).toBe(1);
});
