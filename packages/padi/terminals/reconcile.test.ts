import type { KavalTerminal } from "@kolu/contract/kaval.ts";
import type { Life } from "@kolu/contract/terminal.ts";
import { expect, test } from "vitest";
import { testId, testRow } from "../test-records.ts";
import { afterExit, reconcile } from "./reconcile.ts";

interface Case {
  row?: KavalTerminal["life"];
  record?: Life;
  tombstone?: true;
  earlierKaval?: true;
  leads: string[];
}

const cases: Record<string, Case> = {
  "a live terminal that we know is followed": { row: "live", record: "active", leads: ["follow"] },
  "a parked one that lives after all is followed": { row: "live", record: "parked", leads: ["follow"] },
  "a live stranger is adopted": { row: "live", leads: ["adopt"] },
  "a saved stranger is adopted": { row: "saved", leads: ["adopt"] },
  "one that ended while nobody looked is ended": { row: "ended", record: "active", leads: ["end"] },
  "a live one that was removed is killed": { row: "live", tombstone: true, leads: ["kill"] },
  "a live one whose kill never arrived is killed": {
    row: "live",
    record: "active",
    tombstone: true,
    leads: ["kill"],
  },
  "the screen of a removed one is forgotten": { row: "saved", tombstone: true, leads: ["forget"] },
  "the ended process of a removed one is forgotten": { row: "ended", tombstone: true, leads: ["forget"] },
  "one whose process died with its kaval is parked": {
    row: "saved",
    record: "active",
    earlierKaval: true,
    leads: ["park"],
  },
  "one of which an earlier kaval left nothing is parked too": {
    record: "active",
    earlierKaval: true,
    leads: ["park"],
  },
  "one that its own kaval lost was killed there": { record: "active", leads: ["remove"] },
  "one whose removal was decided is not parked": {
    record: "active",
    tombstone: true,
    earlierKaval: true,
    leads: ["remove", "settle-tombstone"],
  },
  "a parked one needs nothing from kaval": { record: "parked", leads: [] },
  "a parked one keeps its saved screen": { row: "saved", record: "parked", leads: ["follow"] },
  "an exited one stays without kaval": { record: "exited", earlierKaval: true, leads: [] },
  "a tombstone that kaval knows nothing of is settled": { tombstone: true, leads: ["settle-tombstone"] },
};

for (const [title, { row, record, tombstone, earlierKaval, leads }] of Object.entries(cases)) {
  test(title, () => {
    const actions = reconcile({
      rows: row ? [testRow(1, { life: row })] : [],
      records: record ? [{ id: testId(1), life: record }] : [],
      tombstoneIds: new Set(tombstone ? [testId(1)] : []),
      sameKaval: !earlierKaval,
    });
    expect(actions.map((action) => action.kind)).toEqual(leads);
  });
}

test("a shell that ends well closes its tile, any other end stays to be read", () => {
  expect(afterExit({ code: 0, signal: 0 })).toBe("remove");
  expect(afterExit({ code: 3, signal: 0 })).toBe("keep");
  expect(afterExit({ code: 0, signal: 9 })).toBe("keep");
});
