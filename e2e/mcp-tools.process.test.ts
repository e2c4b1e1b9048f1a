// Every tool of `kolu mcp`, called for real: the official client, a real padi, real shells. Each answer is held against the
// schema that its tool announces (mcp-host.ts).
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { inflateSync } from "node:zlib";
import { verbs } from "@kolu/contract/verbs.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CAPTURED_SESSION, startCapturedAgent, untilRecord } from "./captured-agent.ts";
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

test("the files and the git state of a live terminal's project are read, and nothing else", async () => {
  const repoPath = join(kolu.home, "project");
  await mkdir(repoPath);
  await writeFile(join(repoPath, "one.txt"), "one\n");
  const git = (...args: string[]) =>
    promisify(execFile)("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: repoPath });
  await git("init", "-q", "-b", "main");
  await git("add", ".");
  await git("commit", "-q", "-m", "first");
  await writeFile(join(repoPath, "one.txt"), "two\n");
  const before = await host.call("git_getStatus", { repoPath, mode: "local" });
  expect(before).toMatchObject({ isError: true, data: { kind: "outside-project" } });

  const id = await open({ cwd: repoPath });
  const status = await host.call("git_getStatus", { repoPath, mode: "local" });
  expect(status.data).toMatchObject({ mode: "local", files: [{ path: "one.txt", status: "M" }] });
  const diff = await host.call("git_getDiff", { repoPath, filePath: "one.txt", mode: "local" });
  expect(String(diff.data.hunks)).toContain("-one\n+two");
  expect((await host.call("fs_listAll", { repoPath })).data).toMatchObject({ paths: ["one.txt"] });
  expect((await host.call("fs_readFile", { repoPath, filePath: "one.txt" })).data).toMatchObject({
    content: "two\n",
  });
  const outside = await host.call("fs_readFile", { repoPath, filePath: "../.bashrc" });
  expect(outside).toMatchObject({ isError: true, data: { kind: "outside-project" } });
  await host.call("lifecycle_kill", { id });
});

test("text is found on every screen; a terminal without an agent explains itself and takes no prompt", async () => {
  const id = await open({ run: "echo needle in a haystack" });
  await host.call("wait_outputSettled", { id, idleMs: 300, timeoutMs: 15_000 });
  const found = await host.call("search_text", { query: "needle in a haystack" });
  expect(JSON.stringify(found.data)).toContain(id);
  expect((await host.call("agent_explain", { id })).isError).toBe(false);
  const refused = await host.call("lifecycle_prompt", { id, text: "hello" });
  expect(refused).toMatchObject({ isError: true, data: { kind: "no-agent" } });
  await host.call("lifecycle_kill", { id });
});

test("an agent's conversation is read page by page and searched, also after the agent has left", async () => {
  const id = await startCapturedAgent(kolu);
  type Page = { firstIndex: number; itemCount: number; items: { kind: string; text: string }[] };
  const read = async (input: Record<string, unknown>): Promise<Page> => {
    const { isError, data } = await host.call("transcript_read", { id, ...input });
    expect(isError, JSON.stringify(data)).toBe(false);
    return data as unknown as Page;
  };
  const all = await read({ last: 1_000, maxBytes: 1_000_000 });
  expect(all).toMatchObject({ agent: "claude-code", sessionId: CAPTURED_SESSION, firstIndex: 0 });
  expect(all.itemCount).toBe(all.items.length);
  const newest = await read({ last: 2 });
  expect(newest).toMatchObject({ firstIndex: all.itemCount - 2, items: all.items.slice(-2) });
  const above = await read({ before: newest.firstIndex, last: 1 });
  expect(above.items).toEqual(all.items.slice(-3, -2));
  expect((await read({ after: all.itemCount - 1 })).items).toEqual([]);
  const tight = await host.call("transcript_read", { id, maxBytes: 100 });
  expect(tight).toMatchObject({ isError: true, data: { kind: "transcript-too-large", limitBytes: 100 } });

  const said = { query: "please say hello", ids: [id] };
  const at = all.items.findLastIndex(({ text }) => text?.includes("please say hello"));
  const hit = { id, where: "transcript", agent: "claude-code", item: at, kind: all.items[at]!.kind };
  expect((await host.call("search_text", said)).data).toMatchObject({
    hits: expect.arrayContaining([expect.objectContaining(hit)]),
    unread: [],
  });
  expect(await kolu.ok(["search", "please say hello"])).toContain(
    `${id.slice(0, 8)}  ${`#${at}`.padStart(5)}  `,
  );

  // The stand-in for the agent reads one line and ends; its shell lives on.
  await host.call("lifecycle_sendInput", { id, key: "Enter" });
  await untilRecord(kolu, id, (record) => record.life === "active" && record.agent === null);
  expect(await read({ last: 2 })).toEqual(newest);
  expect((await host.call("search_text", said)).data.hits).toMatchObject([hit]);
  const inFlight = host.call("wait_outputSettled", { id, idleMs: 600_000 });
  await kolu.whenListenedTo(id);
  process.kill((await kolu.pids()).padi!, "SIGKILL");
  expect(await inFlight).toMatchObject({ isError: true });
  expect(await read({ last: 2 })).toEqual(newest);
  expect(await kolu.ok(["surface", "transcript_read", "--id", id, "--last", "2"])).toContain(
    CAPTURED_SESSION,
  );
  const plain = await open();
  expect(await host.call("transcript_read", { id: plain })).toMatchObject({
    isError: true,
    data: { kind: "no-agent", id: plain },
  });
  for (const one of [plain, id]) await host.call("lifecycle_kill", { id: one });
});

test("a watch hands over what happened while nobody asked, again until it is acknowledged", async () => {
  const id = await open();
  const opened = await host.call("watch_open", { name: "campaign" });
  expect(opened.data).toMatchObject({ name: "campaign", reattached: false });
  await host.call("lifecycle_kill", { id });
  const first = await host.call("watch_next", { name: "campaign", timeoutMs: 10_000 });
  const met = first.data.met as { events: { id: string; kind: string; seq: number }[]; ackAfter: number };
  expect(met.events).toMatchObject([{ id, kind: "gone" }]);
  const again = await host.call("watch_next", { name: "campaign", timeoutMs: 10_000 });
  expect((again.data.met as typeof met).events).toEqual(met.events);
  const quiet = await host.call("watch_next", { name: "campaign", after: met.ackAfter, timeoutMs: 200 });
  expect(quiet.data).toMatchObject({ result: "timeout" });
  expect((await host.call("watch_open", { name: "campaign" })).data).toMatchObject({ reattached: true });
  expect((await host.call("watch_close", { name: "campaign" })).isError).toBe(false);
  const unknown = await host.call("watch_next", { name: "campaign" });
  expect(unknown).toMatchObject({ isError: true, data: { kind: "watch-not-found" } });
  // This server runs inside no terminal, so there is nobody to mute.
  const nobody = await host.call("watch_open", { name: "own", ignoreSelf: true });
  expect(nobody).toMatchObject({ isError: true, data: { kind: "ignore-self-unresolvable" } });
});

test("a server inside a terminal knows which one it is", async () => {
  const id = await open();
  await using inside = await startMcpHost(kolu, { env: { KAVAL_TERMINAL_ID: id } });
  expect((await inside.call("watch_open", { name: "inside", ignoreSelf: true })).isError).toBe(false);
  await inside.call("watch_close", { name: "inside" });
  await host.call("lifecycle_kill", { id });
});

test("no tool of the table went uncalled", () => {
  expect([...host.called].sort()).toEqual(expect.arrayContaining(verbs.map((verb) => verb.name).sort()));
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
