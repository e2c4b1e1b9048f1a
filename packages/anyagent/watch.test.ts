import { appendFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFileWatch, type FileWatch } from "./watch.ts";

let dir: string;
let files: FileWatch;
let faults: string[];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "watch-"));
  faults = [];
  files = createFileWatch((message) => faults.push(message));
});
afterEach(async () => {
  files.dispose();
  await rm(dir, { recursive: true, force: true });
});

/** Watches a path and lets the test wait for the next notice after a deed. */
function listen(path: string): {
  after(deed: () => Promise<unknown>): Promise<void>;
  stop(): void;
  count(): number;
} {
  let count = 0;
  let wake = () => {};
  const stop = files.watch(path, () => {
    count += 1;
    wake();
  });
  return {
    after: async (deed) => {
      const noticed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      await deed();
      await noticed;
    },
    stop,
    count: () => count,
  };
}

describe("a watched path", () => {
  it("tells of making, appending, rewriting and removing", async () => {
    const path = join(dir, "file");
    const heard = listen(path);
    await heard.after(() => writeFile(path, "a"));
    await heard.after(() => appendFile(path, "b"));
    await heard.after(() => writeFile(path, "c"));
    await heard.after(() => rm(path));
  });

  it("heals when its directory does not exist yet", async () => {
    const path = join(dir, "later", "on", "file");
    const heard = listen(path);
    await heard.after(async () => {
      await mkdir(join(dir, "later", "on"), { recursive: true });
      await writeFile(path, "a");
    });
    await heard.after(() => appendFile(path, "b"));
  });

  it("heals when its directory was removed and made again", async () => {
    const home = join(dir, "home");
    const path = join(home, "file");
    await mkdir(home);
    await writeFile(path, "a");
    const heard = listen(path);
    await heard.after(() => rm(home, { recursive: true }));
    await heard.after(async () => {
      await mkdir(home);
      await writeFile(path, "a");
    });
    await heard.after(() => appendFile(path, "b"));
  });

  it("that is a directory tells of its entries", async () => {
    const heard = listen(dir);
    await heard.after(() => writeFile(join(dir, "new"), ""));
  });

  it("is still heard by a function that listened twice and stopped once", async () => {
    const path = join(dir, "file");
    let count = 0;
    let wake = () => {};
    const onChange = () => {
      count += 1;
      wake();
    };
    const stopFirst = files.watch(path, onChange);
    files.watch(path, onChange);
    stopFirst();
    const noticed = new Promise<void>((resolve) => {
      wake = resolve;
    });
    await writeFile(path, "a");
    await noticed;
    expect(count).toBeGreaterThan(0);
  });

  it("is heard by everybody who listens, until they stop", async () => {
    const path = join(dir, "file");
    const first = listen(path);
    const second = listen(path);
    await Promise.all([first.after(() => writeFile(path, "a")), second.after(async () => {})]);
    first.stop();
    const heard = first.count();
    await second.after(() => appendFile(path, "b"));
    expect(first.count()).toBe(heard);
    expect(faults).toEqual([]);
  });
});
