import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseRun, runScript } from "./run-there.ts";

test("what it printed comes back to the byte, with its exit code; what a login prints does not", () => {
  const bin = mkdtempSync(join(tmpdir(), "kr-"));
  try {
    writeFileSync(join(bin, "kolu"), '#!/bin/sh\nprintf "%s," "$@"\necho last\nexit 1\n');
    chmodSync(join(bin, "kolu"), 0o700);
    const input = `echo Welcome${runScript("stop", { all: true, yes: false, json: true })}`;
    const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: bin };
    const { stdout } = spawnSync("/bin/sh", ["-s"], { input, encoding: "utf8", env });
    expect(parseRun(stdout)).toEqual({ data: "stop,--all,--json,last\n", code: 1 });
  } finally {
    rmSync(bin, { recursive: true });
  }
});

test("a run that did not come to its end is none; an exit that is none of ours is a failure", () => {
  expect(parseRun("kolu-answers no-kolu\n")).toBeNull();
  expect(parseRun("kolu-begins\nhalf")).toBeNull();
  expect(parseRun("kolu-begins\n\nkolu-ends 127\n")).toEqual({ data: "", code: 1 });
});
