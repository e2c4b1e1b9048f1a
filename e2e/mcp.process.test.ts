// `kolu mcp` as a host sees it: the official client, a real padi, real shells.

import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { verbs } from "@kolu/contract/verbs.ts";
import { readHolder } from "@kolu/daemon/pid-file.ts";
import { placesFor } from "@kolu/daemon/places.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type McpHost, startMcpHost } from "./mcp-host.ts";
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

async function open(more: Record<string, unknown> = {}): Promise<string> {
  const { data, isError } = await host.call("lifecycle_create", { placement: { kind: "toplevel" }, ...more });
  expect(isError).toBe(false);
  const id = String(data.id);
  await host.call("wait_outputSettled", { id, idleMs: 300, timeoutMs: 15_000 });
  return id;
}

test("tools, table and `kolu surface` say the same, name by name", async () => {
  const { tools } = await host.client.listTools();
  const surface = JSON.parse(await kolu.ok(["surface", "--schemas"])) as Record<string, unknown>[];
  expect(tools.map((tool) => tool.name)).toEqual(verbs.map((verb) => verb.name));
  expect(surface.map((tool) => tool.name)).toEqual(verbs.map((verb) => verb.name));
  for (const [index, tool] of tools.entries()) {
    const { title, description, inputSchema, outputSchema } = surface[index]!;
    expect({ ...tool, annotations: undefined }).toEqual({
      name: tool.name,
      title,
      description,
      inputSchema,
      outputSchema,
      annotations: undefined,
    });
    const { readOnly, destructive, idempotent } = verbs[index]!.annotations;
    expect(tool.annotations).toMatchObject({
      readOnlyHint: readOnly,
      destructiveHint: destructive,
      idempotentHint: idempotent,
    });
    expect(JSON.stringify(tool)).not.toContain("$ref");
  }
  expect(host.client.getServerVersion()).toMatchObject({ name: "kolu-mcp" });
});

test("the loop: open, type, settle, Enter, read in the same call, kill", async () => {
  const id = await open({ intent: "the loop" });
  const typed = await host.call("lifecycle_sendInput", { id, text: 'echo "answer $((6 * 7))"' });
  expect(typed.data).toMatchObject({ sent: { textBytes: 24, pasted: false } });
  await host.call("wait_outputSettled", { id, idleMs: 200, timeoutMs: 15_000 });
  const { data: sent } = await host.call("lifecycle_sendInput", { id, key: "Enter" });
  const settled = await host.call("wait_outputSettled", {
    id,
    idleMs: 300,
    screenTail: 10,
    timeoutMs: 15_000,
    after: String(sent.cursor),
  });
  expect(settled.data).toMatchObject({ id, result: "met", met: { fired: "idle" } });
  expect((settled.data.met as { screen: string }).screen).toContain("answer 42");
  const screen = await host.call("screen_text", { id, tail: 5 });
  expect(screen.text).toContain("answer 42");
  expect(screen.data).toEqual({ value: screen.text });
  const page = await host.call("screen_history", { id, max: 10 });
  expect(page.data).toMatchObject({ kind: "chunk", exhausted: true });
  const late = await host.call("wait_agentState", { id, until: ["awaiting"], timeoutMs: 100 });
  expect(late.data).toMatchObject({ id, result: "timeout" });
  expect(await host.read(`surface://collections/terminals/${id}`)).toMatchObject({ id, intent: "the loop" });
  expect((await host.call("lifecycle_kill", { id })).data).toMatchObject({ id });
  const dead = await host.call("wait_outputSettled", { id, idleMs: 100, timeoutMs: 5_000 });
  expect(dead.data).toMatchObject({ result: "gone" });
  expect((await host.call("lifecycle_sendInput", { id, text: "x" })).data).toMatchObject({
    kind: "terminal-gone",
  });
});

test("a picture comes as an image, with its facts beside it and no prose", async () => {
  const id = await open();
  await host.call("lifecycle_sendInput", {
    id,
    text: String.raw`clear; printf '\e[48;2;255;0;0m  \e[0m 語 🚀\n'; seq 60`,
  });
  await host.call("lifecycle_sendInput", { id, key: "Enter" });
  await host.call("wait_outputSettled", { id, idleMs: 400, timeoutMs: 15_000 });
  const shot = await host.call("screen_image", { id, lines: 200 });
  expect(shot.image?.mimeType).toBe("image/png");
  expect(shot.text).toBe("");
  const png = decodePng(Buffer.from(shot.image!.data, "base64"));
  expect(shot.data).toMatchObject({
    mimeType: "image/png",
    cols: 80,
    widthPx: png.width,
    heightPx: png.height,
  });
  expect(shot.data.rows).toBeGreaterThan(60);
  expect(png.hasColour([255, 0, 0])).toBe(true);
  const visible = await host.call("screen_image", { id });
  expect(visible.data).toMatchObject({ cols: 80, rows: 24 });
  const tooMany = await host.call("screen_image", { id, lines: 201 });
  expect(tooMany).toMatchObject({ isError: true, data: { kind: "bad-params" } });
  await host.call("lifecycle_kill", { id });
});

test("what cannot be is refused with its kind and data, and nothing happens", async () => {
  const id = await open();
  const cases: [tool: string, input: Record<string, unknown>, data: Record<string, unknown>][] = [
    ["lifecycle_sendInput", { id, text: "a", key: "Enter" }, { kind: "text-and-key" }],
    ["lifecycle_sendInput", { id, key: "Foo" }, { kind: "key-refused", key: "Foo" }],
    ["lifecycle_sendInput", { id, key: "constructor" }, { kind: "key-refused" }],
    ["lifecycle_sendInput", { id, text: "" }, { kind: "text-refused" }],
    ["lifecycle_sendInput", { id }, { kind: "no-input" }],
    [
      "lifecycle_create",
      { placement: { kind: "toplevel" }, intent: " " },
      { kind: "blank-field", field: "intent" },
    ],
    ["lifecycle_create", { placement: { kind: "toplevel" }, repo: "/r" }, { kind: "repo-without-worktree" }],
    ["lifecycle_create", { placement: { kind: "toplevel" }, worktree: "w" }, { kind: "worktree-needs-repo" }],
    [
      "lifecycle_create",
      { placement: { kind: "toplevel" }, worktree: "w", repo: "/r", cwd: "/" },
      { kind: "cwd-and-worktree" },
    ],
    ["wait_outputSettled", { id, idleMs: 2_147_483_648 }, { kind: "bad-params" }],
    ["wait_agentState", { id, until: [] }, { kind: "bad-params" }],
    ["wait_outputSettled", { id, idleMs: 10, after: "no cursor" }, { kind: "bad-cursor" }],
    ["screen_text", { id: "ffffffff" }, { kind: "terminal-not-found", id: "ffffffff" }],
    ["screen_image", { id: "00000000-0000-4000-8000-000000000000" }, { kind: "terminal-not-found" }],
  ];
  for (const [tool, input, data] of cases)
    expect(await host.call(tool, input), `${tool} ${JSON.stringify(input)}`).toMatchObject({
      isError: true,
      data,
    });
  const unplaced = await host.call("lifecycle_create", {});
  expect(unplaced.text).toContain('{"kind":"toplevel"}');
  expect(unplaced.text).toContain('"child-of"');
  const unknown = await host.call("terminal_setTheme", { id });
  expect(unknown).toMatchObject({ isError: true, data: { kind: "unknown-tool" } });
  expect(unknown.text).toContain("terminal_setTheme");
  expect(await host.read("surface://collections/terminals")).toEqual([id]);
  await host.call("lifecycle_kill", { id });
});

test("an id may be any unique beginning, a parent's too; an extra field is ignored", async () => {
  const id = await open();
  expect((await host.call("screen_text", { id: id.slice(0, 8), more: true })).isError).toBe(false);
  const placement = { kind: "child-of", parentId: id.slice(0, 8).toUpperCase() };
  const child = await host.call("lifecycle_create", { placement });
  expect(await host.read(`surface://collections/terminals/${child.data.id}`)).toMatchObject({ parentId: id });
  for (const one of [String(child.data.id), id]) await host.call("lifecycle_kill", { id: one });
});

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

function decodePng(file: Buffer): { width: number; height: number; hasColour(rgb: number[]): boolean } {
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  const chunks: Buffer[] = [];
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at))
    if (file.toString("latin1", at + 4, at + 8) === "IDAT")
      chunks.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)));
  const rows = inflateSync(Buffer.concat(chunks));
  const hasColour = (rgb: number[]): boolean => rows.includes(Buffer.from(rgb));
  return { width, height, hasColour };
}
