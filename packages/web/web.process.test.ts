// The web server as a stranger, a browser and a shell meet it: real sockets, a padi that answers hello.
import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from "node:http";
import { request as httpsRequest } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompressSync } from "node:zlib";
import { WebCloseCode } from "@kolu/contract/web.ts";
import { createLog, type Log } from "@kolu/daemon/log.ts";
import { placesFor } from "@kolu/daemon/places.ts";
import { controlContract } from "@kolu/daemon/start-daemon.ts";
import { dialRpc } from "@kolu/wire/dial.ts";
import { type Served, serveUnixSocket } from "@kolu/wire/serve.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { findServers, LINK_MAX_AGE_MS, linkFor, mintToken, spendToken } from "./link.ts";
import { runWeb, UnsafeBind, type Web, type WebOptions } from "./server.ts";

let directory: string;
let env: { XDG_RUNTIME_DIR: string; HOME: string };
let options: WebOptions;
let padi: Served | null;
let padiStarts: number;
let logged: string[];
let webs: Web[];

const SCRIPT = `export const words = ${JSON.stringify("kolu ".repeat(2000))};\n`;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "kwb-"));
  env = { XDG_RUNTIME_DIR: join(directory, "run"), HOME: directory };
  const staticDir = join(directory, "page");
  await mkdir(join(staticDir, "assets"), { recursive: true });
  await mkdir(env.XDG_RUNTIME_DIR, { mode: 0o700 });
  await writeFile(join(staticDir, "index.html"), "<!doctype html><title>kolu</title>the built page\n");
  await writeFile(join(staticDir, "assets", "main-abc123.js"), SCRIPT);
  await writeFile(join(directory, "secret.txt"), "outside\n");
  await symlink(join(directory, "secret.txt"), join(staticDir, "leak.txt"));
  logged = [];
  webs = [];
  padi = null;
  padiStarts = 0;
  const log: Log = {
    info: (message) => logged.push(message),
    error: (message, cause) => logged.push(`${message}: ${String(cause)}`),
  };
  options = {
    stateRoot: join(directory, "state"),
    env,
    port: 0,
    bind: "127.0.0.1",
    tls: null,
    behindProxy: null,
    ensurePadi: startPadi,
    staticDir,
    log,
  };
});

afterEach(async () => {
  for (const web of webs) await web.close();
  await padi?.close();
  await rm(directory, { recursive: true, force: true });
});

async function startPadi(): Promise<string> {
  const socketPath = join(placesFor(options.stateRoot, env).runtime, "padi.sock");
  padiStarts += 1;
  padi = await serveUnixSocket({
    socketPath,
    contract: controlContract,
    handlers: {
      hello: () => ({
        name: "padi",
        protocol: "1.0",
        buildId: "test",
        pid: 1,
        bootId: `boot-${padiStarts}`,
        stateRoot: options.stateRoot,
        startedAtMs: 0,
      }),
      drain: () => ({}),
    },
    onAttach(socket, attach) {
      socket.send(`attached ${attach.id}`);
      socket.on("message", (data, isBinary) => socket.send(data, { binary: isBinary }));
    },
    onBug() {},
  });
  return socketPath;
}

async function start(changed: Partial<WebOptions> = {}): Promise<Web & { port: number; host: string }> {
  const web = await runWeb({ ...options, ...changed });
  webs.push(web);
  const { host, port } = new URL(web.url);
  return { ...web, host, port: Number(port) };
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

function ask(
  web: { port: number; host: string },
  path: string,
  asked: { method?: string; headers?: OutgoingHttpHeaders; body?: string; tls?: boolean } = {},
): Promise<Answer> {
  const send = asked.tls ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = send(
      {
        host: "127.0.0.1",
        port: web.port,
        path,
        method: asked.method ?? "GET",
        headers: { host: web.host, ...asked.headers },
        rejectUnauthorized: false,
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () =>
          resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
        );
      },
    );
    request.on("error", reject);
    request.end(asked.body);
  });
}

async function signIn(web: Web & { port: number; host: string }, tls = false): Promise<string> {
  const { pathname, search } = new URL(web.link);
  const answer = await ask(web, pathname + search, { tls });
  expect(answer.status).toBe(303);
  return answer.headers["set-cookie"]![0]!.split(";")[0]!;
}

/** How an upgrade went: an open socket, or the status that refused it. */
function upgrade(
  web: { port: number; host: string },
  path: string,
  headers: Record<string, string | undefined>,
): Promise<{ status: number } | { socket: WebSocket }> {
  const given = Object.fromEntries(
    Object.entries({ host: web.host, ...headers }).filter(([, v]) => v !== undefined),
  );
  const socket = new WebSocket(`ws://127.0.0.1:${web.port}${path}`, {
    headers: given as Record<string, string>,
  });
  return new Promise((resolve, reject) => {
    socket.once("open", () => resolve({ socket }));
    socket.once("unexpected-response", (_request, response) => {
      response.resume();
      resolve({ status: response.statusCode! });
      socket.on("error", () => {});
      socket.terminate();
    });
    socket.once("error", reject);
  });
}

test("without a session every route and socket is closed, whatever the method", async () => {
  const web = await start();
  for (const path of [
    "/",
    "/index.html",
    "/assets/main-abc123.js",
    "/session",
    "/preview",
    "/nothing",
    "/rpc",
  ]) {
    const answer = await ask(web, path);
    expect([path, answer.status]).toEqual([path, 401]);
    expect(answer.body.toString()).not.toContain("the built page");
    for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
      expect([method, (await ask(web, path, { method })).status]).toEqual([method, 403]);
  }
  for (const path of ["/rpc", "/attach/0b1f6a3e-9d55-4f0e-8a53-1f4b1b4d9c11"]) {
    expect(await upgrade(web, path, {})).toEqual({ status: 403 });
    expect(await upgrade(web, path, { origin: web.url })).toEqual({ status: 401 });
  }
  const door = await ask(web, "/");
  expect(door.body.toString()).toContain("kolu open --link");
  expect(door.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
});

test("a link opens the page once, and its token is in no later address and in no log", async () => {
  const web = await start();
  const { pathname, search, searchParams } = new URL(web.link);
  const first = await ask(web, pathname + search);
  expect(first.status).toBe(303);
  expect(first.headers.location).toBe("/");
  const setCookie = first.headers["set-cookie"]![0]!;
  expect(setCookie).toContain("HttpOnly; SameSite=Strict");
  expect(setCookie).toContain(`kolu_session_${web.port}=`);
  const second = await ask(web, pathname + search);
  expect(second.status).toBe(403);
  expect(second.headers["set-cookie"]).toBeUndefined();
  const cookie = setCookie.split(";")[0]!;
  const page = await ask(web, "/", { headers: { cookie } });
  expect(page.status).toBe(200);
  expect(page.body.toString()).toContain("the built page");
  // Opening it again in the same browser is no accident worth a dead end.
  expect((await ask(web, pathname + search, { headers: { cookie } })).status).toBe(303);
  expect(logged.join("\n")).not.toContain(searchParams.get("token"));
  expect((await readFile(placesFor(options.stateRoot, env).webKey)).length).toBe(32);
});

test("of many browsers that open one link at once exactly one gets in", async () => {
  const web = await start();
  const { pathname, search } = new URL(web.link);
  const answers = await Promise.all(Array.from({ length: 12 }, () => ask(web, pathname + search)));
  expect(answers.filter((answer) => answer.status === 303)).toHaveLength(1);
});

test("a link checker's HEAD does not spend the link", async () => {
  const web = await start();
  const { pathname, search } = new URL(web.link);
  expect((await ask(web, pathname + search, { method: "HEAD" })).status).toBe(403);
  expect((await ask(web, pathname + search)).status).toBe(303);
});

test("a link is good for ten minutes, and another can be minted beside it", async () => {
  await start();
  const now = Date.now();
  const token = await mintToken(options.stateRoot, now);
  expect(await spendToken(options.stateRoot, token, now + LINK_MAX_AGE_MS)).toBe(false);
  const other = await mintToken(options.stateRoot, now);
  expect(await spendToken(options.stateRoot, other, now + LINK_MAX_AGE_MS - 1)).toBe(true);
  for (const bad of ["", "../../etc/passwd", "x".repeat(43), `${other}x`])
    expect(await spendToken(options.stateRoot, bad, now)).toBe(false);
});

test("the shell finds the server and mints a second link for it", async () => {
  const web = await start();
  expect(await findServers(options.stateRoot, env)).toEqual([{ url: web.url, pid: process.pid }]);
  const link = linkFor(web.url, await mintToken(options.stateRoot, Date.now()));
  const { pathname, search } = new URL(link);
  expect((await ask(web, pathname + search)).status).toBe(303);
  await web.close();
  webs = [];
  expect(await findServers(options.stateRoot, env)).toEqual([]);
});

test("a restarted server knows its pages; another kolu does not", async () => {
  const web = await start();
  const cookie = await signIn(web);
  await web.close();
  webs = [];
  await padi?.close();
  const again = await start({ port: web.port });
  expect((await ask(again, "/", { headers: { cookie } })).status).toBe(200);
  await again.close();
  webs = [];
  await padi?.close();
  const stranger = await start({ port: web.port, stateRoot: join(directory, "other") });
  expect((await ask(stranger, "/", { headers: { cookie } })).status).toBe(401);
});

test("a foreign Host is refused on every route, page and link included, with a session too", async () => {
  const web = await start();
  const cookie = await signIn(web);
  for (const host of [
    `attacker.example:${web.port}`,
    "127.0.0.1",
    `127.0.0.1:${web.port + 1}`,
    `box:${web.port}`,
  ])
    for (const path of ["/", "/assets/main-abc123.js", "/session", "/open?token=x"])
      expect([host, path, (await ask(web, path, { headers: { host, cookie } })).status]).toEqual([
        host,
        path,
        403,
      ]);
});

test("Host and Origin both foreign and equal are refused on the sockets", async () => {
  const web = await start();
  const cookie = await signIn(web);
  const host = `attacker.example:${web.port}`;
  expect(await upgrade(web, "/rpc", { host, origin: `http://${host}`, cookie })).toEqual({ status: 403 });
});

test("another page of this machine is refused although the browser sends our cookie", async () => {
  const web = await start();
  const cookie = await signIn(web);
  for (const origin of [
    "http://127.0.0.1:5173",
    "http://localhost:5173",
    `http://localhost:${web.port}`,
    `https://127.0.0.1:${web.port}`,
    `http://127.0.0.1:${web.port}.attacker.example`,
    "null",
  ]) {
    expect([origin, await upgrade(web, "/rpc", { origin, cookie })]).toEqual([origin, { status: 403 }]);
    expect([origin, (await ask(web, "/", { headers: { origin, cookie } })).status]).toEqual([origin, 403]);
  }
  expect(await upgrade(web, "/rpc", { cookie })).toEqual({ status: 403 });
});

test("another site may lead a person here, and may load or embed nothing", async () => {
  const web = await start();
  const cookie = await signIn(web);
  const fetched = (site: string, mode: string, dest: string): OutgoingHttpHeaders => ({
    cookie,
    "sec-fetch-site": site,
    "sec-fetch-mode": mode,
    "sec-fetch-dest": dest,
  });
  expect((await ask(web, "/", { headers: fetched("cross-site", "navigate", "document") })).status).toBe(200);
  expect((await ask(web, "/", { headers: fetched("cross-site", "navigate", "iframe") })).status).toBe(403);
  expect(
    (await ask(web, "/assets/main-abc123.js", { headers: fetched("same-site", "no-cors", "script") })).status,
  ).toBe(403);
  // A strict cookie stays at home on the first step from another site: the door sends the browser on by itself, once.
  const door = await ask(web, "/", {
    headers: { ...fetched("cross-site", "navigate", "document"), cookie: "" },
  });
  expect(door.status).toBe(401);
  expect(door.body.toString()).toContain('http-equiv="refresh"');
  expect((await ask(web, "/")).body.toString()).not.toContain('http-equiv="refresh"');
});

test("a request that acts must be JSON from our own page; nothing grants other origins access", async () => {
  const web = await start();
  const cookie = await signIn(web);
  const post = (headers: OutgoingHttpHeaders): Promise<Answer> =>
    ask(web, "/rpc", { method: "POST", body: "{}", headers: { cookie, ...headers } });
  expect((await post({ "content-type": "application/json" })).status).toBe(403);
  expect((await post({ origin: web.url, "content-type": "text/plain" })).status).toBe(415);
  expect((await post({ origin: web.url })).status).toBe(415);
  expect((await post({ origin: web.url, "content-type": "application/json" })).status).toBe(405);
  for (const path of ["/", "/assets/main-abc123.js", "/session", "/open"]) {
    const { headers } = await ask(web, path, { headers: { cookie } });
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["x-frame-options"]).toBe("DENY");
    expect(headers["referrer-policy"]).toBe("no-referrer");
  }
});

test("the page runs no inline script and cannot be framed", async () => {
  const web = await start();
  const cookie = await signIn(web);
  const policy = (await ask(web, "/", { headers: { cookie } })).headers["content-security-policy"]!;
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain(`ws://${web.host}`);
});

test("HTML of a repository gets a document without an origin, which loads and sends nothing, and only our page may frame it", async () => {
  const web = await start();
  const cookie = await signIn(web);
  const { status, headers } = await ask(web, "/preview", { headers: { cookie } });
  expect(status).toBe(200);
  const policy = String(headers["content-security-policy"]).split("; ");
  expect(policy).toEqual(
    expect.arrayContaining(["sandbox allow-scripts", "default-src 'none'", "frame-ancestors 'self'"]),
  );
  // Neither a fetch nor a form, and no file of ours runs in it.
  expect(policy.filter((rule) => /^(connect|form|script)-/.test(rule))).toEqual([
    "script-src 'unsafe-inline'",
    "form-action 'none'",
  ]);
  expect(headers["x-frame-options"]).toBe("SAMEORIGIN");
  // The page's frames may show this and nothing else.
  const page = String((await ask(web, "/", { headers: { cookie } })).headers["content-security-policy"]);
  expect(page.split("; ").find((rule) => rule.startsWith("frame-src"))).toBe(`frame-src ${web.url}/preview`);
});

test("hashed files are cached for good and compressed, the page is asked for again, paths of the page lead to it", async () => {
  const web = await start();
  const cookie = await signIn(web);
  const script = await ask(web, "/assets/main-abc123.js", {
    headers: { cookie, "accept-encoding": "gzip, br" },
  });
  expect(script.headers["cache-control"]).toContain("immutable");
  expect(script.headers["content-encoding"]).toBe("br");
  expect(script.headers["content-type"]).toContain("text/javascript");
  expect(script.body.length).toBeLessThan(1000);
  expect(brotliDecompressSync(script.body).toString()).toBe(SCRIPT);
  const page = await ask(web, "/some/place", { headers: { cookie } });
  expect(page.body.toString()).toContain("the built page");
  expect(page.headers["cache-control"]).toContain("no-cache");
  const etag = page.headers.etag!;
  expect((await ask(web, "/", { headers: { cookie, "if-none-match": etag } })).status).toBe(304);
  expect((await ask(web, "/assets/none.js", { headers: { cookie } })).status).toBe(404);
  const head = await ask(web, "/", { method: "HEAD", headers: { cookie } });
  expect([head.status, head.body.length]).toEqual([200, 0]);
});

test("no path leads outside the page's directory", async () => {
  const web = await start();
  const cookie = await signIn(web);
  for (const path of [
    "/leak.txt",
    "/../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/%00",
    "/%zz",
    "//etc/passwd",
  ]) {
    const answer = await ask(web, path, { headers: { cookie } });
    expect([path, answer.body.toString().includes("outside")]).toEqual([path, false]);
    expect([path, answer.status]).toEqual([path, 200]); // The page itself.
  }
});

test("a page that was never built is said, not hidden", async () => {
  const web = await start({ staticDir: join(directory, "nothing") });
  const cookie = await signIn(web);
  const answer = await ask(web, "/", { headers: { cookie } });
  expect(answer.status).toBe(503);
  expect(answer.body.toString()).toContain("npm run build");
});

test("rpc and attach frames pass both ways unread", async () => {
  const web = await start();
  const cookie = await signIn(web);
  const headers = { cookie, origin: web.url };
  await using link = await dialRpc(controlContract, { url: `ws://${web.host}`, headers });
  expect((await link.client.call("hello", {})).bootId).toBe("boot-1");
  const opened = await upgrade(web, "/attach/0b1f6a3e-9d55-4f0e-8a53-1f4b1b4d9c11?scrollback=5", headers);
  if (!("socket" in opened)) throw new Error("refused");
  const { socket } = opened;
  const messages: [string, boolean][] = [];
  const echoed = new Promise<void>((resolve) =>
    socket.on("message", (data: Buffer, isBinary) => {
      messages.push([data.toString("latin1"), isBinary]);
      if (messages.length === 2) resolve();
    }),
  );
  socket.send(Buffer.from([17, 255, 0, 128]));
  await echoed;
  expect(messages).toEqual([
    ["attached 0b1f6a3e-9d55-4f0e-8a53-1f4b1b4d9c11", false],
    ["\x11\xff\x00\x80", true],
  ]);
  socket.terminate();
  expect(await upgrade(web, "/elsewhere", headers)).toEqual({ status: 404 });
});

test("when padi goes away its pages are told so, and it is started again though nobody asks", async () => {
  const web = await start();
  const cookie = await signIn(web);
  const headers = { cookie, origin: web.url };
  const opened = await upgrade(web, "/rpc", headers);
  if (!("socket" in opened)) throw new Error("refused");
  const hello = new Promise((resolve) => opened.socket.once("message", resolve));
  opened.socket.send('{"jsonrpc":"2.0","id":1,"method":"hello"}');
  await hello;
  const closed = new Promise<number>((resolve) => opened.socket.once("close", resolve));
  await padi!.close();
  expect(await closed).toBe(WebCloseCode.padiLost);
  await expect.poll(() => padiStarts, { timeout: 10_000 }).toBe(2);
  await using link = await dialRpc(controlContract, { url: `ws://${web.host}`, headers });
  expect((await link.client.call("hello", {})).bootId).toBe("boot-2");
});

test("a padi that cannot be started is reported in its own words, and tried again", async () => {
  let broken = true;
  const web = await start({
    ensurePadi: () =>
      broken ? Promise.reject(new Error("padi 2.0 is newer than this page server")) : startPadi(),
  });
  const cookie = await signIn(web);
  const headers = { cookie, origin: web.url };
  const opened = await upgrade(web, "/rpc", headers);
  if (!("socket" in opened)) throw new Error("refused");
  const [code, reason] = await new Promise<[number, Buffer]>((resolve) =>
    opened.socket.once("close", (closeCode: number, text: Buffer) => resolve([closeCode, text])),
  );
  expect(code).toBe(WebCloseCode.padiUnavailable);
  expect(reason.toString()).toBe("padi 2.0 is newer than this page server");
  broken = false;
  await expect.poll(() => padiStarts, { timeout: 10_000 }).toBe(1);
  await using link = await dialRpc(controlContract, { url: `ws://${web.host}`, headers });
  expect((await link.client.call("hello", {})).bootId).toBe("boot-1");
});

test("a key that others can read stops the server; a bind that others reach needs TLS or a proxy", async () => {
  await expect(start({ bind: "0.0.0.0" })).rejects.toBeInstanceOf(UnsafeBind);
  const web = await start({ bind: "0.0.0.0", behindProxy: "kolu.example.org" });
  expect(web.url).toBe("https://kolu.example.org");
  await web.close();
  webs = [];
  await padi?.close();
  const { webKey } = placesFor(options.stateRoot, env);
  expect((await stat(webKey)).mode & 0o777).toBe(0o600);
  await chmod(webKey, 0o644);
  await expect(start()).rejects.toThrow("can be read by others");
});

test("behind a proxy the published name gets a secure cookie, and its plain twin is foreign", async () => {
  const web = await start({ behindProxy: "kolu.example.org" });
  const port = await announcedPort();
  const proxied = { port, host: "kolu.example.org" };
  const { pathname, search } = new URL(web.link);
  const opened = await ask(proxied, pathname + search);
  const cookie = opened.headers["set-cookie"]![0]!;
  expect(cookie).toMatch(/^__Host-.*; Secure$/);
  const headers = { cookie: cookie.split(";")[0]! };
  expect((await ask(proxied, "/", { headers })).status).toBe(200);
  expect(
    (await ask(proxied, "/", { headers: { ...headers, origin: "http://kolu.example.org" } })).status,
  ).toBe(403);
  expect(
    (await ask(proxied, "/", { headers: { ...headers, origin: "https://kolu.example.org" } })).status,
  ).toBe(200);
});

async function announcedPort(): Promise<number> {
  const names = await readdir(placesFor(options.stateRoot, env).runtime);
  return Number(names.map((name) => /^web-(\d+)\.json$/.exec(name)?.[1]).find((port) => port !== undefined));
}

test("a port in use is said with the way out", async () => {
  const web = await start();
  await expect(start({ port: web.port })).rejects.toThrow(/in use.*--port/);
});

test("under TLS the cookie is bound to this host and only https is our origin", async () => {
  const [cert, key] = [join(directory, "cert.pem"), join(directory, "key.pem")];
  await promisify(execFile)("openssl", [
    ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"],
    ...[
      "-subj",
      "/CN=kolu",
      "-addext",
      "subjectAltName=DNS:kolu.test,IP:127.0.0.1",
      "-keyout",
      key,
      "-out",
      cert,
    ],
  ]);
  const web = await start({ tls: { certPath: cert, keyPath: key }, log: createLog("web") });
  expect(web.url).toMatch(/^https:/);
  const cookie = await signIn(web, true);
  expect(cookie).toMatch(new RegExp(`^__Host-kolu_session_${web.port}=`));
  const page = await ask(web, "/", { tls: true, headers: { cookie, host: `kolu.test:${web.port}` } });
  expect(page.status).toBe(200);
  const foreign = { cookie, origin: web.url.replace("https", "http") };
  expect((await ask(web, "/", { tls: true, headers: foreign })).status).toBe(403);
});
