import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  DamagedCheckpoint,
  listCheckpoints,
  readCheckpoint,
  removeCheckpoint,
  writeCheckpoint,
} from "./checkpoint.ts";
import { createCheckpointSchedule } from "./checkpoint-schedule.ts";
import type { Checkpoint } from "./screens.ts";

const ID = "0d4f2c1e-0000-4000-8000-000000000001";

function checkpointOf(vt: Uint8Array = Buffer.from("\x1b[1mscreen 漢\r\n")): Checkpoint {
  return {
    cols: 120,
    rows: 40,
    savedAtMs: 1_764_500_000_000,
    facts: {
      title: "title",
      cwd: "/home/me",
      command: { line: "make", running: true, exitStatus: null, startedAtMs: 5, endedAtMs: null },
      promptShown: false,
      program: [
        {
          id: "",
          app: "a",
          state: "blocked",
          kind: "question",
          progress: null,
          message: "m",
          title: null,
          updatedAtMs: 7,
        },
      ],
      progress: { state: "paused", value: 3 },
    },
    vt: new Uint8Array(vt),
  };
}

describe("on disk", () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "kolu-checkpoint-"));
  });
  afterEach(() => rm(dir, { recursive: true }));

  const path = (): string => join(dir, `${ID}.screen`);

  test("a screen comes back as it was, and the newer one replaces the older", async () => {
    await writeCheckpoint(dir, ID, checkpointOf(Buffer.from("old")));
    await writeCheckpoint(dir, ID, checkpointOf());
    expect(await readCheckpoint(dir, ID)).toEqual(checkpointOf());
    expect(await readdir(dir)).toEqual([`${ID}.screen`]);
    const { vt: _, ...summary } = checkpointOf();
    expect(await listCheckpoints(dir)).toEqual([{ id: ID, ...summary }]);
  });

  test("an empty screen and a large one come back", async () => {
    for (const vt of [new Uint8Array(0), Buffer.alloc(3_000_000, "0123456789\r\n")]) {
      await writeCheckpoint(dir, ID, checkpointOf(vt));
      expect(await readCheckpoint(dir, ID)).toEqual(checkpointOf(vt));
    }
  });

  test("none is none, removed is none, a missing directory is empty", async () => {
    await expect(readCheckpoint(dir, ID)).rejects.toThrow(/could not be read/);
    await writeCheckpoint(dir, ID, checkpointOf());
    await removeCheckpoint(dir, ID);
    await removeCheckpoint(dir, ID);
    await expect(readCheckpoint(dir, ID)).rejects.toThrow(/could not be read/);
    expect(await listCheckpoints(join(dir, "missing"))).toEqual([]);
  });

  test("a file with any byte changed or cut is refused with a reason and set aside", async () => {
    await writeCheckpoint(dir, ID, checkpointOf());
    const whole = await readFile(path());
    const damage = fc.oneof(
      fc.integer({ min: 0, max: whole.length - 1 }).map((length) => whole.subarray(0, length)),
      fc
        .tuple(fc.integer({ min: 12, max: whole.length - 1 }), fc.integer({ min: 1, max: 255 }))
        .map(([index, flip]) => {
          const changed = Buffer.from(whole);
          changed[index]! ^= flip;
          return changed;
        }),
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    );
    await fc.assert(
      fc.asyncProperty(damage, async (bytes) => {
        await writeFile(path(), bytes);
        const error = await readCheckpoint(dir, ID).catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(DamagedCheckpoint);
        expect(error).toMatchObject({ setAsideAs: `${path()}.damaged` });
        expect(existsSync(path())).toBe(false);
        expect(existsSync(`${path()}.damaged`)).toBe(true);
        expect(await listCheckpoints(dir)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test("a file of a newer format is refused and left where it is", async () => {
    await writeCheckpoint(dir, ID, checkpointOf());
    const bytes = await readFile(path());
    bytes.writeUInt32BE(2, 8);
    await writeFile(path(), bytes);
    const refusal = { reason: "It has format 2; this kolu reads up to 1.", setAsideAs: null };
    await expect(readCheckpoint(dir, ID)).rejects.toMatchObject(refusal);
    expect(await listCheckpoints(dir)).toMatchObject([refusal]);
    expect(existsSync(path())).toBe(true);
  });

  test("a file that is no screen is listed as such and set aside", async () => {
    await writeFile(path(), "no screen");
    expect(await listCheckpoints(dir)).toMatchObject([{ setAsideAs: `${path()}.damaged` }]);
    expect(await listCheckpoints(dir)).toEqual([]);
  });

  test("a half-written file is no screen, and goes", async () => {
    await writeFile(`${path()}.x.tmp`, "half");
    expect(await listCheckpoints(dir)).toEqual([]);
    expect(await readdir(dir)).toEqual([]);
  });

  test("a disk that fails is said with what was tried", async () => {
    await expect(writeCheckpoint(join(dir, "missing"), ID, checkpointOf())).rejects.toThrow(
      /could not be saved/,
    );
    await expect(writeCheckpoint(dir, "../evil", checkpointOf())).rejects.toThrow(/Not an id/);
  });
});

describe("the schedule", () => {
  let saves: [id: string, atMs: number][] = [];
  let failing = false;
  const errors: unknown[] = [];
  const start = (): ReturnType<typeof createCheckpointSchedule> =>
    createCheckpointSchedule({
      async write(id) {
        saves.push([id, Date.now()]);
        if (failing) throw new Error("disk full");
      },
      onFault: (error) => errors.push(error),
    });

  beforeEach(() => {
    vi.useFakeTimers({ now: 0 });
    saves = [];
    failing = false;
    errors.length = 0;
  });
  afterEach(() => vi.useRealTimers());

  test("saves two seconds after the first byte, then every ten while output lasts", async () => {
    const schedule = start();
    for (let atMs = 0; atMs < 30_000; atMs += 100) {
      schedule.dirty("a");
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(saves).toEqual([
      ["a", 2_000],
      ["a", 12_000],
      ["a", 22_000],
    ]);
  });

  test("writes nothing and waits for nothing while nothing happens", async () => {
    const schedule = start();
    schedule.dirty("a");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(saves).toEqual([["a", 2_000]]);
    expect(vi.getTimerCount()).toBe(0);
    schedule.dirty("a");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(saves).toEqual([
      ["a", 2_000],
      ["a", 62_000],
    ]);
  });

  test("a flush saves what is dirty and counts it", async () => {
    const schedule = start();
    schedule.dirty("a");
    schedule.dirty("b");
    expect(await schedule.flush()).toBe(2);
    expect(await schedule.flush()).toBe(0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(saves.length).toBe(2);
  });

  test("a failed save is said and tried again after the interval", async () => {
    const schedule = start();
    failing = true;
    schedule.dirty("a");
    await vi.advanceTimersByTimeAsync(2_000);
    expect(errors.length).toBe(1);
    failing = false;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(saves.map(([, atMs]) => atMs)).toEqual([2_000, 12_000]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(saves.length).toBe(2);
  });

  test("what is forgotten is not saved any more", async () => {
    const schedule = start();
    schedule.dirty("a");
    await schedule.forget("a");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(saves).toEqual([]);
    expect(await schedule.flush()).toBe(0);
  });

  test("many screens are saved one at a time, with rests", async () => {
    const order: [id: string, atMs: number][] = [];
    const schedule = createCheckpointSchedule({
      async write(id) {
        order.push([id, Date.now()]);
        await new Promise((resolve) => setTimeout(resolve, 100));
      },
      onFault() {},
    });
    for (const id of ["a", "b", "c"]) schedule.dirty(id);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(order).toEqual([
      ["a", 2_000],
      ["b", 2_500],
      ["c", 3_000],
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("bytes that come during a save are saved by the next", async () => {
    let finish = (): void => {};
    let count = 0;
    const schedule = createCheckpointSchedule({
      write: () => {
        count++;
        return new Promise((resolve) => {
          finish = resolve;
        });
      },
      onFault() {},
    });
    schedule.dirty("a");
    await vi.advanceTimersByTimeAsync(2_000);
    schedule.dirty("a");
    const flushed = schedule.flush();
    await vi.advanceTimersByTimeAsync(0);
    expect(count).toBe(1);
    finish();
    await vi.advanceTimersByTimeAsync(0);
    expect(count).toBe(2);
    finish();
    expect(await flushed).toBe(1);
  });
});
