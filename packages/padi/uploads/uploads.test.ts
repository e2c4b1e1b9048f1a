import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UPLOAD_MAX_BYTES } from "@kolu/contract/limits.ts";
import { expect, test } from "vitest";
import { openUploads, type Uploads } from "./uploads.ts";

async function ground(): Promise<{
  stateRoot: string;
  directory: string;
  uploads: Uploads;
  names(): Promise<string[]>;
  [Symbol.asyncDispose](): Promise<void>;
}> {
  const stateRoot = await mkdtemp(join(tmpdir(), "kolu-up-"));
  const directory = join(stateRoot, "uploads");
  const uploads = openUploads({
    stateRoot,
    onFault: (message, cause) => {
      throw new Error(message, { cause });
    },
  });
  return {
    stateRoot,
    directory,
    uploads,
    names: () => readdir(directory),
    async [Symbol.asyncDispose]() {
      await uploads.close();
      await rm(stateRoot, { recursive: true });
    },
  };
}

test("pieces become one file that only its owner reads", async () => {
  await using place = await ground();
  const uploadId = await place.uploads.begin({ name: "../a b.txt", sizeBytes: 5 });
  const first = await place.uploads.piece({ uploadId, offset: 0, bytes: Buffer.from("abc") });
  expect(first).toEqual({ receivedBytes: 3, path: null });
  const { path } = await place.uploads.piece({ uploadId, offset: 3, bytes: Buffer.from("de") });
  expect(path).toMatch(/\/uploads\/[\d-]+-[0-9a-f]{8}-a-b\.txt$/);
  expect(await readFile(path!, "utf8")).toBe("abcde");
  expect((await stat(path!)).mode & 0o777).toBe(0o600);
  expect((await stat(place.directory)).mode & 0o777).toBe(0o700);
});

test("too large is refused before anything is written, and a file that outgrows what was said is dropped", async () => {
  await using place = await ground();
  const { uploads } = place;
  await expect(uploads.begin({ name: "x", sizeBytes: UPLOAD_MAX_BYTES + 1 })).rejects.toMatchObject({
    kind: "too-large",
  });
  const uploadId = await uploads.begin({ name: "x", sizeBytes: 2 });
  const bytes = Buffer.from("abc");
  await expect(uploads.piece({ uploadId, offset: 0, bytes })).rejects.toMatchObject({
    kind: "upload-not-found",
  });
  expect(await place.names()).toEqual([]);
});

test("a piece out of turn is refused, and so is the seventeenth file", async () => {
  await using place = await ground();
  const { uploads } = place;
  const begun = await Promise.all(
    Array.from({ length: 16 }, () => uploads.begin({ name: "x", sizeBytes: 9 })),
  );
  await expect(uploads.begin({ name: "x", sizeBytes: 9 })).rejects.toMatchObject({ kind: "uploads-full" });
  const piece = { uploadId: begun[0]!, offset: 4, bytes: Buffer.from("a") };
  await expect(uploads.piece(piece)).rejects.toMatchObject({ kind: "upload-not-found" });
  await uploads.abandon(begun[0]!);
  await uploads.begin({ name: "x", sizeBytes: 9 });
});

test("what a killed padi left half-way goes at the next start, and what is old", async () => {
  const stateRoot = await mkdtemp(join(tmpdir(), "kolu-up-"));
  const directory = join(stateRoot, "uploads");
  await mkdir(directory);
  const daysAgo = (days: number): Date => new Date(Date.now() - days * 24 * 60 * 60 * 1_000);
  for (const [name, days] of [
    ["half.part", 1],
    ["old", 15],
    ["recent", 13],
  ] as const) {
    await writeFile(join(directory, name), "");
    await utimes(join(directory, name), daysAgo(days), daysAgo(days));
  }
  const uploads = openUploads({ stateRoot, onFault: () => {} });
  await expect.poll(() => readdir(directory)).toEqual(["recent"]);
  await uploads.close();
  await rm(stateRoot, { recursive: true });
});
