import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
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

const CLAIM = `
  const { claimPidFile } = await import(process.argv[1]);
  const claim = await claimPidFile(process.argv[2]);
  process.stdout.write(claim.kind + "\\n");
  process.stdin.resume().on("end", () => process.exit());
`;

test("of many processes that find a dead daemon's file at once exactly one replaces it", async () => {
  const module = new URL("./pid-file.ts", import.meta.url).href;
  for (let round = 0; round < 3; round++) {
    await writeFile(path, `999999\t${round}\n`);
    const children = Array.from({ length: 8 }, () =>
      spawn(process.execPath, ["--input-type=module", "-e", CLAIM, module, path], {
        stdio: ["pipe", "pipe", "inherit"],
      }),
    );
    const words = await Promise.all(
      children.map(async (child) => String((await once(child.stdout, "data"))[0]).trim()),
    );
    expect(words.toSorted()).toEqual(["claimed", ...Array(7).fill("held")]);
    for (const child of children) child.stdin.end();
    await Promise.all(children.map((child) => once(child, "exit")));
    expect(await readdir(directory)).toEqual(["kaval.pid"]);
  }
}, 60_000);

test("a starter that died while it cleared a dead file away holds nobody up", async () => {
  await writeFile(path, "999999\t1\n");
  const right = `${path}.${createHash("sha256").update("999999\t1\n").digest("hex").slice(0, 16)}`;
  await writeFile(right, "999998\t2\n");
  expect((await claimPidFile(path)).kind).toBe("claimed");
  expect(await readdir(directory)).toEqual(["kaval.pid"]);
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

test("a state root has one runtime directory, whatever the environment of those who come later", async () => {
  const root = join(directory, "state");
  const first = { XDG_RUNTIME_DIR: join(directory, "login"), HOME: directory };
  const second = { XDG_RUNTIME_DIR: join(directory, "service"), HOME: directory };
  const places = await preparePlaces(placesFor(root, first));
  expect(placesFor(root, second)).toEqual(places);
  expect(await preparePlaces(placesFor(root, second))).toEqual(places);
  await rm(places.runtime, { recursive: true });
  const anew = await preparePlaces(placesFor(root, second));
  expect(anew.runtime.startsWith(join(directory, "service"))).toBe(true);
  expect(placesFor(root, first)).toEqual(anew);
});

test("a file in the way of a private directory is named, not removed", async () => {
  await mkdir(join(directory, "d"));
  await writeFile(join(directory, "d", "file"), "");
  await expect(makePrivateDirectory(join(directory, "d", "file"))).rejects.toThrow("file");
});
