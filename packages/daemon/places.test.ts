import { expect, test } from "vitest";
import { chooseDaemon, type FoundDaemon } from "./discovery.ts";
import { digestOf, everydayStateRoot, placesFor, placesIn } from "./places.ts";

test("the everyday state root follows XDG_STATE_HOME, else the home directory", () => {
  expect(everydayStateRoot({ XDG_STATE_HOME: "/x", HOME: "/h" })).toBe("/x/kolu");
  expect(everydayStateRoot({ HOME: "/h" })).toBe("/h/.local/state/kolu");
});

test("two spellings of one state root share a runtime directory, two roots do not", () => {
  expect(digestOf("/a/b")).toBe(digestOf("/a/./c/../b"));
  expect(digestOf("/a/b")).not.toBe(digestOf("/a/c"));
});

test("socket paths stay under the system's limit however long the runtime directory is", () => {
  const long = `/run/${"x".repeat(120)}`;
  const places = placesFor("/root/state", { XDG_RUNTIME_DIR: long });
  expect(Buffer.byteLength(places.kavalSocket)).toBeLessThan(104);
  expect(placesFor("/root/state", { XDG_RUNTIME_DIR: "/run/user/7" }).runtime).toBe(
    `/run/user/7/kolu/${digestOf("/root/state")}`,
  );
});

const at = (root: string): FoundDaemon => ({ places: placesIn(root, `/r/${digestOf(root)}`), pid: 1 });
const env = { HOME: "/h" };

test("of several kolus the everyday one is meant; when none is, it cannot be told", () => {
  const everyday = at("/h/.local/state/kolu");
  expect(chooseDaemon([], env)).toEqual({ kind: "none" });
  expect(chooseDaemon([at("/t/1")], env)).toMatchObject({ kind: "chosen" });
  expect(chooseDaemon([at("/t/1"), everyday], env)).toEqual({ kind: "chosen", daemon: everyday });
  expect(chooseDaemon([at("/t/1"), at("/t/2")], env)).toMatchObject({ kind: "ambiguous" });
});
