import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FoundDaemon } from "@kolu/daemon/discovery.ts";
import { placesFor, placesIn, preparePlaces } from "@kolu/daemon/places.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findEndpoint } from "./endpoint.ts";
import { Failure } from "./exit.ts";

let base: string;
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "ke-"));
});
afterAll(() => rm(base, { recursive: true }));

const env = () => ({ HOME: join(base, "home"), XDG_RUNTIME_DIR: join(base, "run") });
const none = { socket: undefined, "state-root": undefined, host: undefined };
const nothingRuns = async (): Promise<FoundDaemon[]> => [];
const running =
  (...roots: string[]) =>
  async (): Promise<FoundDaemon[]> =>
    roots.map((root, index) => ({ places: placesIn(root, join(base, `r${index}`)), pid: 1 }));

const search = (
  words: Partial<typeof none> | Record<string, string>,
  more: Record<string, string> = {},
  mayStart = false,
) => ({
  words: { ...none, ...words } as never,
  env: { ...env(), ...more },
  cwd: "/work",
  mayStart,
});

test("a socket is taken as it is, and the state root beside it is known by its manifest", async () => {
  const places = placesFor(join(base, "root"), env());
  await preparePlaces(places);
  expect(await findEndpoint(search({ socket: places.padiSocket }))).toEqual({
    socketPath: places.padiSocket,
    stateRoot: places.stateRoot,
    namedBy: "--socket",
  });
  expect(await findEndpoint(search({ socket: "nowhere/s" }))).toMatchObject({
    socketPath: "/work/nowhere/s",
    stateRoot: null,
  });
});

test("the flag beats the state root variable, which beats the socket variable, which beats discovery", async () => {
  const variables = { KOLU_STATE_ROOT: "/roots/a", PADI_SOCKET: "/s/padi.sock" };
  const find = running("/roots/found");
  const named = async (words: Record<string, string>, more: Record<string, string>) =>
    (await findEndpoint(search(words, more), find)).namedBy;
  expect(await named({ "state-root": "/roots/b" }, variables)).toBe("--state-root");
  expect(await named({}, variables)).toBe("KOLU_STATE_ROOT");
  expect(await named({}, { ...variables, KOLU_STATE_ROOT: "" })).toBe("PADI_SOCKET");
  expect(await named({}, { KOLU_STATE_ROOT: "", PADI_SOCKET: "" })).toBe("discovery");
});

test("a state root is found where its daemon serves, under whichever runtime directory that was started", async () => {
  const root = join(base, "x");
  const elsewhere = await preparePlaces(placesFor(root, { ...env(), XDG_RUNTIME_DIR: join(base, "other") }));
  const endpoint = await findEndpoint(search({ "state-root": root }));
  expect(endpoint.socketPath).toBe(elsewhere.padiSocket);
});

test("of several, the everyday one is meant; without it, all are named", async () => {
  const everyday = join(base, "home", ".local", "state", "kolu");
  const chosen = await findEndpoint(search({}), running("/roots/dev", everyday));
  expect(chosen.stateRoot).toBe(everyday);
  const error: unknown = await findEndpoint(search({}), running("/roots/dev", "/roots/test")).catch(
    (e: unknown) => e,
  );
  expect(error).toBeInstanceOf(Failure);
  expect((error as Error).message).toContain("/roots/dev");
  expect((error as Error).message).toContain(`PADI_SOCKET=${join(base, "r1", "padi.sock")} (/roots/test)`);
  expect((error as Error).message).toContain(everyday);
});

test("none running: a verb that starts daemons means the everyday state root, another says who starts them", async () => {
  await expect(findEndpoint(search({}), nothingRuns)).rejects.toThrow(/kolu create.*kolu web.*start/);
  expect(await findEndpoint(search({}, {}, true), nothingRuns)).toMatchObject({
    stateRoot: join(base, "home", ".local", "state", "kolu"),
  });
});

test("what is found on this machine's disk is not looked for on another", async () => {
  await expect(findEndpoint(search({ host: "me@box" }))).rejects.toThrow(/Run it there: ssh me@box/);
  await expect(findEndpoint(search({ host: "-oProxyCommand=x" }))).rejects.toThrow(/is no host/);
});
