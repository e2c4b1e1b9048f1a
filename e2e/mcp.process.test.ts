// The life of `kolu mcp`: which padi it finds, what it says when there is none, how it goes on when padi dies, what it tells
// unasked. What its tools do is in mcp-tools.process.test.ts.

import { join } from "node:path";
import { readHolder } from "@kolu/daemon/pid-file.ts";
import { placesFor } from "@kolu/daemon/places.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type McpHost, openTerminal, startMcpHost } from "./mcp-host.ts";
import { type Kolu, startKolu } from "./start-kolu.ts";

let kolu: Kolu;
let host: McpHost;

beforeAll(async () => {
  kolu = await startKolu();
  host = await startMcpHost(kolu);
});
afterAll(async () => {
  await host?.[Symbol.asyncDispose]();
  await kolu?.[Symbol.asyncDispose]();
});

const open = (more?: Record<string, unknown>): Promise<string> => openTerminal(host, more);

test("live views are read, and told of when they change; nothing else is one", async () => {
  const { resources } = await host.client.listResources();
  expect(resources.map(({ uri }) => uri).sort()).toEqual([
    "surface://cells/identity",
    "surface://cells/status",
    "surface://cells/urgency",
    "surface://collections/daemonStatus",
    "surface://collections/terminals",
  ]);
  expect(await host.read("surface://cells/urgency")).toEqual({
    awaitingIds: [],
    finishedIds: [],
    workingIds: [],
    lingerIds: [],
  });
  expect(await host.read("surface://collections/daemonStatus")).toEqual(["local"]);
  expect(await host.read("surface://collections/daemonStatus/local")).toMatchObject({ state: "connected" });
  const { padi } = await kolu.pids();
  expect(await host.read("surface://cells/identity")).toMatchObject({
    pid: padi,
    stateRoot: kolu.places.stateRoot,
  });
  expect(await host.read("surface://cells/status")).not.toHaveProperty("expectedKaval");
  await expect(host.read("surface://cells/preferences")).rejects.toThrow();
  await expect(host.client.subscribeResource({ uri: "surface://cells/preferences" })).rejects.toThrow();

  const uri = "surface://collections/terminals";
  const standing = host.whenUpdated(uri);
  await host.client.subscribeResource({ uri });
  await standing;
  const changed = host.whenUpdated(uri);
  const id = await open();
  await changed;
  expect(await host.read(uri)).toEqual([id]);
  await host.client.unsubscribeResource({ uri });
  await host.call("lifecycle_kill", { id });
  await expect(host.read(`${uri}/${id}`)).rejects.toThrow(/not present/);
});

test("a cancelled wait is given up in padi, not only here", async () => {
  const id = await open();
  const abort = new AbortController();
  const waiting = host.call("wait_outputSettled", { id, idleMs: 600_000 }, { signal: abort.signal });
  const outcome = expect(waiting).rejects.toThrow();
  await kolu.whenListenedTo(id);
  abort.abort();
  await outcome;
  await kolu.whenNotListenedTo(id);
  await host.call("lifecycle_kill", { id });
});

test("padi dies underneath: what is in flight fails and says so, the next call finds the same terminals", async () => {
  const id = await open();
  const inFlight = host.call("wait_outputSettled", { id, idleMs: 600_000 });
  await kolu.whenListenedTo(id);
  const { padi: before } = await kolu.pids();
  process.kill(before!, "SIGKILL");
  expect(await inFlight).toMatchObject({
    isError: true,
    data: { kind: "connection-dropped", retryable: true },
    text: expect.stringMatching(/in flight.*still running/),
  });
  const beganAtMs = performance.now();
  expect((await host.call("screen_text", { id, tail: 3 })).isError).toBe(false);
  expect(performance.now() - beganAtMs).toBeLessThan(5_000);
  const { padi: after } = await kolu.pids();
  expect(after).not.toBe(before);
  expect(host.said()).toContain("padi went away");
  // Nobody calls: it is brought back all the same, and a standing subscription goes on.
  const uri = "surface://cells/identity";
  const standing = host.whenUpdated(uri);
  await host.client.subscribeResource({ uri });
  await standing;
  const again = host.whenUpdated(uri);
  process.kill(after!, "SIGKILL");
  await again;
  expect(await host.read(uri)).toMatchObject({ pid: (await kolu.pids()).padi });
  await host.client.unsubscribeResource({ uri });
  await host.call("lifecycle_kill", { id });
});

test("a host of the 2026 revision is served as well, with its own kind of subscription", async () => {
  await using modern = await startMcpHost(kolu, { client: { versionNegotiation: { mode: "auto" } } });
  expect(modern.client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
  const uri = "surface://collections/terminals";
  const told = modern.whenUpdated(uri);
  const subscription = await modern.client.listen({ resourceSubscriptions: [uri] });
  const created = await modern.call("lifecycle_create", { placement: { kind: "toplevel" } });
  await told;
  expect(await modern.read(uri)).toEqual([created.data.id]);
  await subscription.close();
  await modern.call("lifecycle_kill", { id: String(created.data.id) });
});

test("without a padi it ends with 1 before it says a word; when its host leaves it ends with 0", async () => {
  await using none = await startKolu({ daemons: false });
  const refused = await none.run(["mcp"], { stdin: "" });
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toMatch(/^kolu mcp: No padi answers at .*\n$/);
  const twice = await none.run(["mcp", "--socket", "/a", "--state-root", "/b"], { stdin: "" });
  expect(twice).toMatchObject({ code: 1, stdout: "" });
  expect(await kolu.run(["mcp"], { stdin: "" })).toEqual({ code: 0, signal: null, stdout: "", stderr: "" });
});

test("of several kolus the everyday one is meant; none of them: they are named", async () => {
  const everyday = placesFor(join(kolu.home, ".local", "state", "kolu"), kolu.env);
  const env = { KOLU_STATE_ROOT: undefined };
  // One alone is taken, whichever it is.
  await using alone = await startMcpHost(kolu, { env });
  expect(await alone.read("surface://cells/identity")).toMatchObject({ stateRoot: kolu.places.stateRoot });
  await kolu.ok(["restore", "--state-root", everyday.stateRoot]);
  try {
    await using found = await startMcpHost(kolu, { env });
    expect(await found.read("surface://cells/identity")).toMatchObject({ stateRoot: everyday.stateRoot });
    await using named = await startMcpHost(kolu, { env: { ...env, PADI_SOCKET: kolu.places.padiSocket } });
    expect(await named.read("surface://cells/identity")).toMatchObject({ stateRoot: kolu.places.stateRoot });
    const ambiguous = await kolu.run(["mcp"], { stdin: "", env: { ...env, XDG_STATE_HOME: "/elsewhere" } });
    expect(ambiguous).toMatchObject({ code: 1, stdout: "" });
    expect(ambiguous.stderr).toContain(`PADI_SOCKET=${everyday.padiSocket}`);
  } finally {
    for (const path of [everyday.padiPid, everyday.kavalPid]) {
      const holder = await readHolder(path);
      if (holder) process.kill(holder.pid, "SIGTERM");
    }
  }
});

test("stop names the server that brings padi back, as long as it is there", async () => {
  await using own = await startKolu();
  const { pid } = await (async () => {
    await using host = await startMcpHost(own);
    const uri = "surface://cells/identity";
    const standing = host.whenUpdated(uri);
    await host.client.subscribeResource({ uri });
    await standing;
    const { pid: before } = (await host.read(uri)) as { pid: number };
    const back = host.whenUpdated(uri);
    const stopped = await own.run(["stop", "--json"]);
    expect(stopped.stderr).toMatch(/kolu: `kolu mcp` \(pid \d+\) starts padi again: end its agent/);
    const { padi, mcpServers } = JSON.parse(stopped.stdout);
    expect(padi).toEqual({ pid: before });
    expect(mcpServers).toEqual([{ pid: host.pid() }]);
    await back;
    expect(await host.read(uri)).not.toMatchObject({ pid: before });
    return { pid: host.pid()! };
  })();
  const stopped = await own.run(["stop"]);
  expect(stopped).toMatchObject({ code: 0 });
  expect(stopped.stderr).not.toContain(`pid ${pid}`);
  expect(await own.run(["ls"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("No padi answers"),
  });
});
