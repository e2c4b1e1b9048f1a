import { expect, it } from "vitest";
import { type FollowedFiles, followSession } from "./followed-session.ts";
import type { SessionHost } from "./plugin.ts";

interface Facts {
  path: string | null;
  content: string | null;
}

/** Follows an index that names a file, both in memory. */
function follow(disk: Map<string, string>, onWatch: (path: string) => void = () => {}) {
  const watched = new Map<string, () => void>();
  const told: Facts[] = [];
  let facts: Facts = { path: null, content: null };
  const host: SessionHost = {
    files: {
      watch: (path, onChange) => {
        onWatch(path);
        watched.set(path, onChange);
        return () => watched.delete(path);
      },
      dispose: () => {},
    },
    changed: () => told.push(facts),
    log: (message, cause) => {
      throw new Error(message, { cause });
    },
  };
  const files: FollowedFiles<Facts> = {
    name: "a session",
    initial: facts,
    read: async () => {
      const path = disk.get("index") ?? null;
      facts = { path, content: path === null ? null : (disk.get(path) ?? null) };
      return facts;
    },
    watchPaths: ({ path }) => ["index", ...(path === null ? [] : [path])],
    judge: () => {
      throw new Error("nobody asks");
    },
  };
  return { session: followSession(host, files), watched, told };
}

it("reads once more what changed between its reading and the start of its watch", async () => {
  const disk = new Map([
    ["index", "one"],
    ["one", "before"],
  ]);
  const { session, told } = follow(disk, (path) => {
    if (path === "one") disk.set(path, "after");
  });
  await session.refresh();
  expect(told.at(-1)).toEqual({ path: "one", content: "after" });
});

it("watches what its facts name at the time, and tells of nothing when nothing changed", async () => {
  const disk = new Map([["index", "one"]]);
  const { session, watched, told } = follow(disk);
  await session.refresh();
  expect([...watched.keys()]).toEqual(["index", "one"]);
  disk.set("index", "two");
  watched.get("index")!();
  await session.refresh();
  expect([...watched.keys()].sort()).toEqual(["index", "two"]);
  const times = told.length;
  await session.refresh();
  expect(told).toHaveLength(times);
  session.close();
  expect(watched.size).toBe(0);
});
