// What a program writes reaches its viewers: all of it, in order, before the exit is told.
import { expect, test } from "vitest";
import { startKaval } from "./start-kaval.ts";

test("a viewer sees what a program prints, then its exit", async () => {
  await using kaval = await startKaval();
  const id = await kaval.sh("printf 'h\\303\\244llo'; read line; printf 'got:%s' \"$line\"; exit 3");
  await using viewer = await kaval.attach(id);
  await viewer.untilText("hällo");
  viewer.type("word\r");
  await viewer.untilExit();
  expect(viewer.text).toContain("got:word");
  expect(viewer.exit).toEqual({ code: 3, signal: 0 });
});

test("no viewer misses the last output of a program that ends at once, a hundred programs, twenty at once", async () => {
  await using kaval = await startKaval();
  const lost: number[] = [];
  let left = 100;
  const worker = async (): Promise<void> => {
    while (left-- > 0) {
      const id = await kaval.sh("seq 1 4000");
      await using viewer = await kaval.attach(id, { from: "last-input", role: "observer" });
      await viewer.untilExit();
      // Every newline is two bytes behind a tty.
      const missing = 18_893 + 4_000 - viewer.bytes.length;
      if (missing !== 0) lost.push(missing);
      const { text } = await kaval.client.call("screen.text", { id, extent: { kind: "tail", lines: 1 } });
      if (text.trim() !== "4000") lost.push(Number.NaN);
      await kaval.client.call("terminal.remove", { id });
    }
  };
  await Promise.all(Array.from({ length: 20 }, worker));
  expect(lost).toEqual([]);
});
