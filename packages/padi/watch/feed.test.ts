import { expect, test } from "vitest";
import type { AttentionClass } from "../attention/attention.ts";
import { type FeedMark, stepFeed } from "./feed.ts";
import type { Sighting } from "./sighting.ts";

type Look = [attention: AttentionClass, sinceMs: number | null, extra?: Partial<Sighting>];

function toldBy(looks: readonly Look[], before?: FeedMark): string[] {
  let mark: FeedMark | undefined = before;
  return looks.flatMap(([attention, sinceMs, extra]) => {
    // The feed reads the class; of the standing only when it began, and whether there is one.
    const standing = sinceMs === null ? null : { bucket: "waiting" as const, sinceMs };
    const step = stepFeed(mark, { live: true, standing, attention, seenBefore: true, ...extra });
    mark = step.after ?? undefined;
    return step.tell === null ? [] : [step.tell];
  });
}

const unseen = { seenBefore: false };
const gone = { live: false };

const cases: Record<string, [looks: Look[], told: string[], before?: FeedMark]> = {
  "a question is told at once and once": [
    [
      ["working", 1],
      ["awaiting", 2],
      ["awaiting", 2],
    ],
    ["asking"],
  ],
  "a turn is told when it has settled": [
    [
      ["working", 1],
      ["linger", 2],
      ["finished", 2],
      ["finished", 2],
    ],
    ["finished"],
  ],
  "an answered question that ends the turn is the same episode": [
    [
      ["awaiting", 1],
      ["finished", 2],
    ],
    ["asking"],
  ],
  "the next turn is told again": [
    [
      ["finished", 1],
      ["working", 2],
      ["finished", 3],
    ],
    ["finished", "finished"],
  ],
  "a death is told once": [
    [
      ["working", 1],
      ["none", null, gone],
      ["none", null, gone],
    ],
    ["gone"],
  ],
  "what stood before a restart is not told again": [
    [
      ["none", null, unseen],
      ["awaiting", 7, unseen],
      ["awaiting", 7],
    ],
    [],
    { mark: "asking", sinceMs: 7 },
  ],
  "a question that was put while padi was away is told": [
    [
      ["none", null, unseen],
      ["awaiting", 9, unseen],
    ],
    ["asking"],
    { mark: "asking", sinceMs: 7 },
  ],
  "a turn that ended while padi was away is told": [
    [
      ["none", null, unseen],
      ["finished", 9, unseen],
    ],
    ["finished"],
    { mark: "other", sinceMs: null },
  ],
  "another turn that ended while padi was away is told": [
    [["finished", 9, unseen]],
    ["finished"],
    { mark: "finished", sinceMs: 7 },
  ],
  "a death while padi was away is told": [
    [["none", null, { ...unseen, ...gone }]],
    ["gone"],
    { mark: "other", sinceMs: null },
  ],
};

test.each(Object.entries(cases))("%s", (_title, [looks, told, before]) => {
  expect(toldBy(looks, before)).toEqual(told);
});
