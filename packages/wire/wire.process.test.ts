import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Refusal, refuse } from "@kolu/contract/refusals.ts";
import { call, LinkLost, RpcFault, stream } from "@kolu/contract/rpc.ts";
import { WebCloseCode } from "@kolu/contract/web.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { z } from "zod";
import { DialFailed, dialAttach, dialRpc } from "./dial.ts";
import { relaySocket } from "./relay.ts";
import { type Served, serveUnixSocket } from "./serve.ts";

const contract = {
  add: call(z.object({ a: z.number(), b: z.number() }), z.number()),
  refuse: call(z.object({}), z.object({})),
  crash: call(z.object({}), z.object({})),
  hang: call(z.object({}), z.object({})),
  count: stream(z.object({ to: z.int() }), z.int()),
  forever: stream(z.object({}), z.int()),
} as const;

let directory: string;
let socketPath: string;
let served: Served;
const bugs: string[] = [];
let streamsEnded = 0;
let hangsAborted = 0;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "kw-"));
  socketPath = join(directory, "s");
  served = await serveUnixSocket({
    socketPath,
    contract,
    handlers: {
      add: ({ a, b }) => a + b,
      refuse: () => {
        throw refuse("terminal-gone", { id: "x" }, "It is gone.");
      },
      crash: () => {
        throw new Error("a bug");
      },
      hang: (_params, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener("abort", () => {
            hangsAborted += 1;
            reject(signal.reason);
          }),
        ),
      async *count({ to }) {
        for (let n = 1; n <= to; n++) yield n;
      },
      async *forever(_params, { signal }) {
        try {
          for (let n = 0; !signal.aborted; n++) {
            yield n;
            await new Promise((resolve) => setImmediate(resolve));
          }
        } finally {
          streamsEnded += 1;
        }
      },
    },
    onAttach(socket, attach) {
      socket.on("message", (data) => socket.send(data));
      socket.send(attach.id);
    },
    onBug: (method) => bugs.push(method),
  });
});

afterAll(async () => {
  await served.close();
  await rm(directory, { recursive: true });
});

test("a call is answered, a refusal keeps its kind and data, a bug becomes a fault and is reported", async () => {
  await using link = await dialRpc(contract, { socketPath });
  expect(await link.client.call("add", { a: 2, b: 3 })).toBe(5);
  const refused = await link.client.call("refuse", {}).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Refusal);
  expect(refused).toMatchObject({ kind: "terminal-gone", data: { id: "x" }, message: "It is gone." });
  await expect(link.client.call("crash", {})).rejects.toBeInstanceOf(RpcFault);
  expect(bugs).toEqual(["crash"]);
});

test("params that do not fit are refused by name before the handler runs", async () => {
  await using link = await dialRpc(contract, { socketPath });
  const error = await link.client.call("add", { a: "2" } as never).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ kind: "bad-params" });
  expect((error as Refusal<"bad-params">).data.issues.map((issue) => issue.path)).toEqual(["a", "b"]);
});

test("a stream gives every item in order and ends; leaving it early ends it on the server", async () => {
  await using link = await dialRpc(contract, { socketPath });
  const items: number[] = [];
  for await (const item of link.client.subscribe("count", { to: 500 })) items.push(item);
  expect(items).toEqual(Array.from({ length: 500 }, (_, index) => index + 1));
  for await (const item of link.client.subscribe("forever", {})) if (item > 3) break;
  await expect.poll(() => streamsEnded).toBe(1);
});

test("an aborted call is cancelled on the server", async () => {
  await using link = await dialRpc(contract, { socketPath });
  const abort = new AbortController();
  const hanging = link.client.call("hang", {}, { signal: abort.signal });
  // A later call on the same link proves that the first one has arrived.
  await link.client.call("add", { a: 1, b: 1 });
  abort.abort(new Error("enough"));
  await expect(hanging).rejects.toThrow("enough");
  await expect.poll(() => hangsAborted).toBe(1);
});

test("a dropped link ends calls in flight with LinkLost, a missing socket is DialFailed", async () => {
  const link = await dialRpc(contract, { socketPath });
  const hanging = link.client.call("hang", {});
  link.close();
  await expect(hanging).rejects.toBeInstanceOf(LinkLost);
  await expect(link.client.call("add", { a: 1, b: 1 })).rejects.toBeInstanceOf(LinkLost);
  await expect(dialRpc(contract, { socketPath: join(directory, "none") })).rejects.toBeInstanceOf(DialFailed);
});

test("a relay passes frames both ways and says when the far side is gone", async () => {
  const relayPath = join(directory, "r");
  let target = socketPath;
  const relay = await serveUnixSocket({
    socketPath: relayPath,
    contract: {},
    handlers: {},
    onAttach: (socket, _attach, path) => relaySocket(socket, { socketPath: target }, path),
    onBug() {},
  });
  try {
    const attach = await dialAttach({ socketPath: relayPath }, "abc", {}, () => {});
    // The echo server's first message is no frame of ours, so the client closes: proof that it came through.
    await attach.closed;
    target = join(directory, "none");
    const { WebSocket } = await import("ws");
    const socket = new WebSocket(`ws+unix:${relayPath}:/attach/abc`);
    const code = await new Promise<number>((resolve) => socket.once("close", resolve));
    expect(code).toBe(WebCloseCode.padiLost);
  } finally {
    await relay.close();
  }
});

test("a relay holds a fast sender back while the reader does not read, and loses nothing", async () => {
  const relayPath = join(directory, "r2");
  const farPath = join(directory, "f2");
  const total = 64 * 1024 * 1024;
  const chunk = Buffer.alloc(64 * 1024, 7);
  let accepted = 0;
  const { createServer } = await import("node:http");
  const http = createServer();
  const far = new WebSocketServer({ server: http });
  far.on("connection", (socket) => {
    let sent = 0;
    const pump = (): void => {
      if (sent >= total) return;
      sent += chunk.length;
      socket.send(chunk, () => {
        accepted = sent;
        pump();
      });
    };
    pump();
  });
  await new Promise<void>((resolve) => http.listen(farPath, resolve));
  const relay = await serveUnixSocket({
    socketPath: relayPath,
    contract: {},
    handlers: {},
    onAttach: (socket, _attach, path) => relaySocket(socket, { socketPath: farPath }, path),
    onBug() {},
  });
  try {
    const { WebSocket } = await import("ws");
    const reader = new WebSocket(`ws+unix:${relayPath}:/attach/abc`);
    await new Promise((resolve) => reader.once("open", resolve));
    reader.pause();
    let before = -1;
    // Settles once no further byte is accepted between two looks.
    await expect
      .poll(
        () => {
          const stalled = accepted > 0 && accepted === before;
          before = accepted;
          return stalled;
        },
        { interval: 200, timeout: 20_000 },
      )
      .toBe(true);
    expect(accepted).toBeLessThan(total / 2);
    let received = 0;
    const done = new Promise<void>((resolve) =>
      reader.on("message", (data: Buffer) => {
        received += data.length;
        if (received === total) resolve();
      }),
    );
    reader.resume();
    await done;
    reader.terminate();
  } finally {
    await relay.close();
    far.close();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  }
});
