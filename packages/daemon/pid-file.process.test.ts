import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findDaemons } from "./discovery.ts";
import { claimPidFile } from "./pid-file.ts";
import { makePrivateDirectory, placesFor, preparePlaces } from "./places.ts";
import { processStart } from "./process-start.ts";

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "kd-"));
  path = join(directory, "kaval.pid");
});
afterEach(() => rm(directory, { recursive: true }));

test("of many starters at once exactly one holds the file; a second one is told who", async () => {
  const claims = await Promise.all(Array.from({ length: 8 }, () => claimPidFile(path)));
  expect(claims.filter((claim) => claim.kind === "claimed")).toHaveLength(1);
  expect(claims.find((claim) => claim.kind === "held")).toEqual({ kind: "held", pid: process.pid });
});

test("a file whose process died, or whose pid belongs to another process by now, is replaced", async () => {
  const child = spawn("sleep", ["60"]);
  const start = await processStart(child.pid!);
  await writeFile(path, `${child.pid}\t${start}\n`);
  expect(await claimPidFile(path)).toEqual({ kind: "held", pid: child.pid });
  await writeFile(path, `${child.pid}\tanother-start\n`);
  const claim = await claimPidFile(path);
  expect(claim.kind).toBe("claimed");
  await writeFile(path, `${child.pid}\t${start}\n`);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect((await claimPidFile(path)).kind).toBe("claimed");
});

test("releasing leaves another process's claim alone", async () => {
  const claim = await claimPidFile(path);
  if (claim.kind !== "claimed") throw new Error("not claimed");
  await writeFile(path, "1\tsomebody\n");
  await claim.release();
  expect(await readFile(path, "utf8")).toBe("1\tsomebody\n");
});

test("a runtime directory is closed to others, and only one that is ours counts as a kolu", async () => {
  const env = { XDG_RUNTIME_DIR: directory, HOME: directory };
  const places = placesFor(join(directory, "state"), env);
  await preparePlaces(places);
  await claimPidFile(places.padiPid);
  expect((await stat(places.runtime)).mode & 0o777).toBe(0o700);
  const ours = (await findDaemons("padi", env)).filter((found) => found.places.runtime === places.runtime);
  expect(ours.map((found) => found.places.stateRoot)).toEqual([join(directory, "state")]);
  await chmod(places.runtime, 0o755);
  const open = (await findDaemons("padi", env)).filter((found) => found.places.runtime === places.runtime);
  expect(open).toEqual([]);
});

test("a file in the way of a private directory is named, not removed", async () => {
  await mkdir(join(directory, "d"));
  await writeFile(join(directory, "d", "file"), "");
  await expect(makePrivateDirectory(join(directory, "d", "file"))).rejects.toThrow("file");
});
