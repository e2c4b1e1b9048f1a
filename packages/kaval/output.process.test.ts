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
