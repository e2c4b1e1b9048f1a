import type { Bucket } from "@kolu/contract/agent.ts";
import { expect, test } from "vitest";
import { type LevelKnobs, type LevelMark, stepLevel } from "./level.ts";
import type { Sighting } from "./sighting.ts";

const KNOBS: LevelKnobs = { states: ["awaiting", "waiting"], heldForMs: 100, nagMs: 1_000 };

type Look = [atMs: number, standing: [Bucket, number] | null, extra?: Partial<Sighting> & { opening?: true }];
/** What was told: kind, and since when. */
type Told = [atMs: number, kind: string, sinceMs: number];

function toldBy(looks: readonly Look[], knobs = KNOBS, before?: LevelMark): Told[] {
  const told: Told[] = [];
  let mark: LevelMark | undefined = before;
  for (const [nowMs, standing, { opening, ...extra } = {}] of looks) {
    const sighting: Sighting = {
      live: true,
      standing: standing && { bucket: standing[0], sinceMs: standing[1] },
      attention: "none",
      seenBefore: true,
      ...extra,
    };
    const step = stepLevel(mark, sighting, { ...knobs, opening: opening === true, nowMs });
    if (step.tell !== null) told.push([nowMs, step.tell, step.after!.sinceMs]);
    mark = step.after ?? undefined;
  }
  return told;
}

const mark: LevelMark = { bucket: "waiting", sinceMs: 5, seenMs: 5, toldAtMs: 200 };
const unseen = { seenBefore: false };

const cases: Record<string, [looks: Look[], told: Told[], before?: LevelMark]> = {
  "a state is told once it has held": [
    [
      [0, ["waiting", 0]],
      [99, ["waiting", 0]],
      [100, ["waiting", 0]],
      [101, ["waiting", 0]],
    ],
    [[100, "transition", 0]],
  ],
  "an agent that is given work within the window is never told": [
    [
      [0, ["waiting", 0]],
      [99, ["working", 99]],
      [150, ["working", 99]],
    ],
    [],
  ],
  "a standing state is told again at each interval, from when it was told": [
    [
      [130, ["waiting", 0]],
      [1_129, ["waiting", 0]],
      [1_130, ["waiting", 0]],
      [2_400, ["waiting", 0]],
      [3_399, ["waiting", 0]],
      [3_400, ["waiting", 0]],
    ],
    [
      [130, "transition", 0],
      [1_130, "nag", 0],
      [2_400, "nag", 0],
      [3_400, "nag", 0],
    ],
  ],
  "coming back to a state is a transition again": [
    [
      [100, ["waiting", 0]],
      [150, ["working", 150]],
      [300, ["waiting", 200]],
    ],
    [
      [100, "transition", 0],
      [300, "transition", 200],
    ],
  ],
  "one wanted state after another is told of its own": [
    [
      [100, ["waiting", 0]],
      [300, ["awaiting", 150]],
    ],
    [
      [100, "transition", 0],
      [300, "transition", 150],
    ],
  ],
  "what stands at the opening is a snapshot, what does not hold yet a transition": [
    [
      [100, ["waiting", 0], { opening: true }],
      [150, ["working", 150]],
      [200, ["waiting", 160], { opening: true }],
      [260, ["waiting", 160]],
    ],
    [
      [100, "snapshot", 0],
      [260, "transition", 160],
    ],
  ],
  "a reopening tells what was told before": [
    [[300, ["waiting", 5], { opening: true }]],
    [[300, "snapshot", 5]],
    mark,
  ],
  "a terminal that goes away is not told": [
    [
      [100, ["waiting", 0]],
      [2_000, ["waiting", 0], { live: false }],
      [2_100, null],
    ],
    [[100, "transition", 0]],
  ],
  "after a restart nothing known says nothing, and the same beginning is the same episode": [
    [
      [300, null, unseen],
      [310, ["waiting", 5], unseen],
      [1_200, ["waiting", 5]],
    ],
    [[1_200, "nag", 5]],
    mark,
  ],
  "after a restart another beginning is another episode": [
    [
      [300, null, unseen],
      [400, ["waiting", 250], unseen],
    ],
    [[400, "transition", 250]],
    mark,
  ],
  "under our eyes a new beginning within the bucket is the same episode": [
    [
      [250, ["waiting", 240]],
      [1_200, ["waiting", 240]],
    ],
    [[1_200, "nag", 5]],
    mark,
  ],
};

test.each(Object.entries(cases))("%s", (_title, [looks, told, before]) => {
  expect(toldBy(looks, KNOBS, before)).toEqual(told);
});

test("without an interval a state is told once", () => {
  const looks: Look[] = [
    [100, ["waiting", 0]],
    [9_999_999, ["waiting", 0]],
  ];
  expect(toldBy(looks, { ...KNOBS, nagMs: null })).toEqual([[100, "transition", 0]]);
});
