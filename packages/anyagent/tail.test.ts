import { appendFile, mkdtemp, rename, rm, truncate, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTail, LINE_MAX_BYTES, linesBackward, type TailRead } from "./tail.ts";

let dir: string;
let path: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "tail-"));
  path = join(dir, "log.jsonl");
});
afterEach(() => rm(dir, { recursive: true }));

async function backward(from: number, maxBytes = 1e9): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of linesBackward(path, from, maxBytes)) lines.push(line.toString("utf8"));
  return lines;
}

describe("a tail", () => {
  const stories: Record<string, { writes: (string | Buffer)[]; reads: string[][] }> = {
    "gives what was appended, once": { writes: ["a\n", "b\nc\n", ""], reads: [["a"], ["b", "c"], []] },
    "holds a torn last line until its end": { writes: ["a\nb", "", "c\n"], reads: [["a"], [], ["bc"]] },
    "leaves out empty lines": { writes: ["\n\na\n\n"], reads: [["a"]] },
    "keeps a character whole that a write cut": {
      writes: [Buffer.from("x語\n").subarray(0, 2), Buffer.from("x語\n").subarray(2)],
      reads: [[], ["x語"]],
    },
    "holds a 200 kB line over several reads": {
      writes: ["x".repeat(100_000), `${"x".repeat(100_000)}\ny\n`],
      reads: [[], ["x".repeat(200_000), "y"]],
    },
  };
  for (const [title, { writes, reads }] of Object.entries(stories)) {
    it(title, async () => {
      const tail = createTail(path);
      for (const [at, write] of writes.entries()) {
        await appendFile(path, write);
        expect((await tail.read()).lines).toEqual(reads[at]);
      }
    });
  }

  const upheavals: Record<string, { upset: () => Promise<void>; after: Partial<TailRead> }> = {
    "reads a truncated file anew": {
      upset: async () => {
        await truncate(path, 0);
        await appendFile(path, "new\n");
      },
      after: { lines: ["new"], reset: true, missing: false },
    },
    "reads a replaced file anew, also when it is longer": {
      upset: async () => {
        await writeFile(`${path}.tmp`, "other first\nother second\n");
        await rename(`${path}.tmp`, path);
      },
      after: { lines: ["other first", "other second"], reset: true },
    },
    "reads a file that was rewritten in place and grew": {
      upset: () => writeFile(path, "shaken and rewritten\n"),
      after: { lines: ["shaken and rewritten"], reset: true },
    },
    "says that a removed file is gone": {
      upset: () => unlink(path),
      after: { lines: [], reset: true, missing: true },
    },
  };
  for (const [title, { upset, after }] of Object.entries(upheavals)) {
    it(title, async () => {
      await writeFile(path, "first\nsecond\n");
      const tail = createTail(path);
      expect((await tail.read()).lines).toEqual(["first", "second"]);
      await upset();
      expect(await tail.read()).toMatchObject(after);
      expect(await tail.read()).toMatchObject({ lines: [] });
    });
  }

  it("waits for a file that is not there yet", async () => {
    const tail = createTail(path);
    expect(await tail.read()).toMatchObject({ missing: true, reset: false });
    await writeFile(path, "a\n");
    expect(await tail.read()).toMatchObject({ missing: false, reset: false, lines: ["a"] });
  });

  it("gives the same lines however the file was cut into writes", async () => {
    const bytes = Buffer.from('{"t":"語"}\nnot json\n\n{"u":"🙂 é"}\nlast\n');
    const whole = bytes.toString().split("\n").filter(Boolean);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(bytes.length), { maxLength: 6 }), async (cuts) => {
        await rm(path, { force: true });
        const tail = createTail(path);
        const lines: string[] = [];
        let from = 0;
        for (const cut of [...cuts.sort((left, right) => left - right), bytes.length]) {
          await appendFile(path, bytes.subarray(from, cut));
          lines.push(...(await tail.read()).lines);
          from = cut;
        }
        expect(lines).toEqual(whole);
      }),
      { numRuns: 60 },
    );
  });
});

describe("a large file", () => {
  const line = (at: number) => `line ${at} ${"x".repeat(90)}`;
  const all = Array.from({ length: 200 }, (_, at) => line(at));

  it("is opened at its end, on the border of a line, and the rest is reached backward", async () => {
    await writeFile(path, `${all.join("\n")}\n`);
    const read = await createTail(path, { windowBytes: 1_000 }).read();
    expect(read.lines.length).toBeLessThan(11);
    expect(read.lines.at(-1)).toBe(line(199));
    const older = await backward(read.startOffset!);
    expect([...older.reverse(), ...read.lines]).toEqual(all);
  });

  it("is opened further back when its last line is longer than the window", async () => {
    await writeFile(path, `${all.join("\n")}\n${"x".repeat(5_000)}\n`);
    const read = await createTail(path, { windowBytes: 1_000 }).read();
    expect(read.lines.at(-1)).toBe("x".repeat(5_000));
    expect(read.lines.length).toBeLessThan(13);
    expect([...(await backward(read.startOffset!)).reverse(), ...read.lines].slice(0, 200)).toEqual(all);
  });

  it("is one line: then it is read whole", async () => {
    await writeFile(path, `${"x".repeat(5_000)}\n`);
    const read = await createTail(path, { windowBytes: 1_000 }).read();
    expect(read).toMatchObject({ lines: ["x".repeat(5_000)], startOffset: 0 });
  });

  it("is searched backward only so far, and a line that reaches beyond is left out", async () => {
    await writeFile(path, "0123456789\nab\ncd\n");
    expect(await backward(17, 8)).toEqual(["cd", "ab"]);
    expect(await backward(17, 17)).toEqual(["cd", "ab", "0123456789"]);
  });

  it("backward lines are whole whatever their lengths", async () => {
    const lines = fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }), {
      minLength: 1,
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(lines, async (some) => {
        const clean = some.map((one) => one.replaceAll(/[\n\r]/g, "_"));
        await writeFile(path, `${clean.join("\n")}\n`);
        const size = Buffer.byteLength(`${clean.join("\n")}\n`);
        expect(await backward(size)).toEqual([...clean].reverse());
      }),
      { numRuns: 40 },
    );
  });

  it("skips and counts a line that no program means", async () => {
    const chunk = Buffer.alloc(16 * 1024 * 1024, "x");
    const tail = createTail(path, { windowBytes: Number.MAX_SAFE_INTEGER });
    for (let written = 0; written <= LINE_MAX_BYTES; written += chunk.length) await appendFile(path, chunk);
    await appendFile(path, "\nafter\n");
    expect(await tail.read()).toMatchObject({ lines: ["after"], skippedLines: 1 });
  });
});
