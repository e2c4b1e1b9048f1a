// kolu web: serves the page and relays its sockets to padi. Who may: gate.ts. What is served: static.ts, relay.ts.
import { readFile } from "node:fs/promises";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import type { Duplex } from "node:stream";
import { ownDeepLink } from "@kolu/contract/deep-link.ts";
import { HOST_HEADER, PREVIEW_PATH, SESSION_PATH } from "@kolu/contract/web.ts";
import type { Log } from "@kolu/daemon/log.ts";
import { type Environment, placesFor, preparePlaces } from "@kolu/daemon/places.ts";
import { cookieName, SESSION_RENEW_AFTER_S, type Session, setCookieHeader, signSession } from "./auth.ts";
import { type Gate, judge, type Verdict } from "./gate.ts";
import { COMMON_HEADERS, doorPage, pagePolicy } from "./headers.ts";
import { openKey } from "./key.ts";
import { announce, linkFor, mintToken, spendToken } from "./link.ts";
import { authority, certificateNames, hostsOf, isLoopback, type OwnNames } from "./origin.ts";
import { keepPadi } from "./padi-keeper.ts";
import { PREVIEW_HEADERS, PREVIEW_PAGE } from "./preview.ts";
import { openRelay, type Relay } from "./relay.ts";
import { type Asset, chooseBody, openStaticFiles, type StaticFiles } from "./static.ts";

export interface WebOptions {
  stateRoot: string;
  /** Decides where the runtime directory is; this process's own by default. */
  env?: Environment;
  /** 0 takes any free port. */
  port: number;
  /** An address, or "localhost". */
  bind: string;
  tls: { certPath: string; keyPath: string } | null;
  /** The authority under which a proxy that speaks TLS publishes this server ("kolu.example.org"), or null. */
  behindProxy: string | null;
  /** Resolves with the socket of a running padi that this build may talk to; starts one where there is none. */
  ensurePadi(): Promise<string>;
  /** The built page. */
  staticDir: string;
  log: Log;
}

export interface Web {
  url: string;
  /** Opens the page once, within ten minutes. Never logged here. */
  link: string;
  close(): Promise<void>;
}

/** A bind that strangers can reach needs TLS, from us or from a proxy: the session cookie would travel in the clear. */
export class UnsafeBind extends Error {
  constructor(bind: string) {
    super(
      `Serving on ${bind} lets other machines in, so it needs TLS: give --tls-cert and --tls-key, or --behind-proxy <host> when a proxy supplies it.`,
    );
    this.name = "UnsafeBind";
  }
}

/** Rejects with UnsafeBind, or with what the system says about the port, the key or the certificate. */
export async function runWeb(options: WebOptions): Promise<Web> {
  const bind = options.bind === "localhost" ? "127.0.0.1" : options.bind;
  if (!isLoopback(bind) && !options.tls && options.behindProxy === null) throw new UnsafeBind(bind);
  const env = options.env ?? process.env;
  const places = await preparePlaces(placesFor(options.stateRoot, env));
  const key = await openKey(places.webKey);
  const tls = options.tls && {
    cert: await readFile(options.tls.certPath),
    key: await readFile(options.tls.keyPath),
  };
  const server: Server = tls ? createTlsServer(tls) : createServer();
  const port = await listen(server, bind, options.port);
  const names: OwnNames = {
    hosts: hostsOf({
      bind,
      localAddresses: localAddresses(),
      hostname: hostname(),
      certificateNames: tls ? certificateNames(tls.cert) : [],
    }),
    port,
    tls: tls !== null,
    proxyAuthority: options.behindProxy,
  };
  const url = publicUrl(names, bind);
  const padi = keepPadi(options.ensurePadi, options.log);
  const relay = openRelay(padi);
  const gate: Gate = { names, key };
  const site: Site = { gate, stateRoot: options.stateRoot, files: openStaticFiles(options.staticDir) };
  server.on("request", listener(site, options.log));
  server.on("upgrade", (request: IncomingMessage, duplex: Duplex, head: Buffer) =>
    upgrade(gate, relay, request, duplex, head),
  );
  const withdraw = await announce({ stateRoot: options.stateRoot, env, port, url });
  return {
    url,
    link: linkFor(url, await mintToken(options.stateRoot, Date.now())),
    async close() {
      await withdraw();
      relay.close();
      padi.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function listen(server: Server, bind: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const words =
        error.code === "EADDRINUSE"
          ? `Port ${port} on ${bind} is in use. Another kolu web may run there; --port takes another one.`
          : `Cannot listen on ${bind} port ${port}: ${error.message}`;
      reject(new Error(words, { cause: error }));
    });
    server.listen(port, bind, () => {
      server.removeAllListeners("error");
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function localAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).map(({ address }) => address),
  );
}

function publicUrl(names: OwnNames, bind: string): string {
  if (names.proxyAuthority !== null) return `https://${names.proxyAuthority}`;
  const host = bind === "0.0.0.0" || bind === "::" ? hostname() : bind;
  return `${names.tls ? "https" : "http"}://${authority(host, names.port)}`;
}

interface Site {
  gate: Gate;
  stateRoot: string;
  files: StaticFiles;
}

function listener(site: Site, log: Log): RequestListener {
  return (request, response) => {
    answer(site, request, response).catch((error: unknown) => {
      log.error(`answering ${request.method} failed`, error); // Without the URL: it may hold a token.
      if (!response.headersSent) sendText(response, request, 500, "The web server failed; its log says how.");
      else response.destroy();
    });
  };
}

async function answer(site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const nowMs = Date.now();
  const method = request.method ?? "GET";
  const verdict = judge(site.gate, { method, headers: request.headers, upgrade: false }, nowMs);
  if (verdict.kind === "refused") return sendText(response, request, verdict.status, verdict.reason);
  const { path, query } = splitUrl(request.url ?? "/");
  const reads = method === "GET" || method === "HEAD";
  if (path === "/open" && reads) return openWithToken(site, verdict, query, request, response);
  if (verdict.kind === "no-session") {
    const again = ownDeepLink(request.url ?? null) ?? "/";
    return sendDoor(request, response, 401, { ...NO_SESSION, again });
  }
  if (!reads) {
    response.setHeader("allow", "GET, HEAD");
    return sendText(response, request, 405, "Nothing here takes that method.");
  }
  if (path === SESSION_PATH) return send(response, request, 204, { [HOST_HEADER]: hostname() }, null);
  if (path === PREVIEW_PATH) return send(response, request, 200, PREVIEW_HEADERS, PREVIEW_PAGE);
  const file = await site.files.find(path);
  if (file && path !== "/index.html" && path !== "/") return sendAsset(request, response, file, {});
  if (path.startsWith("/assets/")) return sendText(response, request, 404, "No such file.");
  const page = await site.files.page();
  if (!page)
    return sendText(response, request, 503, "The page has not been built. In a checkout: npm run build");
  const headers: Record<string, string> = { "content-security-policy": pagePolicy(verdict.ownOrigin) };
  const renewal = renewedCookie(site.gate, verdict.session, verdict.secure, nowMs);
  if (renewal !== null) headers["set-cookie"] = renewal;
  return sendAsset(request, response, page, headers);
}

const NO_SESSION = {
  title: "This browser has no key to this kolu",
  text: "A terminal in a page is a shell, so the page opens only through a one-time link. After that this browser is remembered.",
};
const BAD_TOKEN = {
  title: "This link has been used or is too old",
  text: "A link works once, within ten minutes of being made.",
};

type Let = Exclude<Verdict, { kind: "refused" }>;

async function openWithToken(
  site: Site,
  verdict: Let,
  query: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const nowMs = Date.now();
  // HEAD is what link checkers send: it must not spend the link.
  const token = request.method === "GET" ? query.get("token") : null;
  const spent = token !== null && (await spendToken(site.stateRoot, token, nowMs));
  if (!spent && verdict.kind !== "pass")
    return sendDoor(request, response, 403, { ...BAD_TOKEN, again: "/" });
  const headers: Record<string, string> = {
    location: ownDeepLink(query.get("to")) ?? "/",
    "cache-control": "no-store",
  };
  if (spent) headers["set-cookie"] = freshCookie(site.gate, verdict.secure, nowMs);
  return send(response, request, 303, headers, null);
}

function freshCookie(gate: Gate, secure: boolean, nowMs: number): string {
  const name = cookieName({ port: gate.names.port, secure });
  return setCookieHeader(name, signSession(gate.key, nowMs), { secure });
}

function renewedCookie(gate: Gate, session: Session, secure: boolean, nowMs: number): string | null {
  const ageS = (nowMs - session.issuedAtMs) / 1000;
  return ageS > SESSION_RENEW_AFTER_S ? freshCookie(gate, secure, nowMs) : null;
}

function splitUrl(url: string): { path: string; query: URLSearchParams } {
  const cut = url.indexOf("?");
  return cut < 0
    ? { path: url, query: new URLSearchParams() }
    : { path: url.slice(0, cut), query: new URLSearchParams(url.slice(cut + 1)) };
}

function sendAsset(
  request: IncomingMessage,
  response: ServerResponse,
  asset: Asset,
  headers: Record<string, string>,
): void {
  const { body, encoding } = chooseBody(asset, request.headers["accept-encoding"]);
  const all: Record<string, string> = {
    "content-type": asset.type,
    etag: asset.etag,
    vary: "accept-encoding",
    // Private: a shared cache in between must not keep the page of somebody's shell.
    "cache-control": asset.immutable ? "private, max-age=31536000, immutable" : "private, no-cache",
    ...headers,
  };
  if (encoding !== null) all["content-encoding"] = encoding;
  if (request.headers["if-none-match"] === asset.etag) send(response, request, 304, all, null);
  else send(response, request, 200, all, body);
}

function sendDoor(
  request: IncomingMessage,
  response: ServerResponse,
  status: 401 | 403,
  { again: place, ...words }: { title: string; text: string; again: string },
): void {
  const site = request.headers["sec-fetch-site"];
  const again = status === 401 && request.method === "GET" && (site === "cross-site" || site === "same-site");
  const { html, policy } = doorPage({ ...words, again: again ? place : null });
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy,
    "cache-control": "no-store",
  };
  send(response, request, status, headers, Buffer.from(html));
}

function sendText(response: ServerResponse, request: IncomingMessage, status: number, text: string): void {
  const headers = {
    "content-type": "text/plain; charset=utf-8",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cache-control": "no-store",
  };
  send(response, request, status, headers, Buffer.from(`${text}\n`));
}

function send(
  response: ServerResponse,
  request: IncomingMessage,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: Buffer | null,
): void {
  const length: Record<string, string> = body === null ? {} : { "content-length": String(body.length) };
  response.writeHead(status, { ...COMMON_HEADERS, ...headers, ...length });
  response.end(request.method === "HEAD" || body === null ? undefined : body);
}

function upgrade(gate: Gate, relay: Relay, request: IncomingMessage, duplex: Duplex, head: Buffer): void {
  duplex.on("error", () => duplex.destroy());
  const asked = { method: request.method ?? "GET", headers: request.headers, upgrade: true };
  const verdict = judge(gate, asked, Date.now());
  if (verdict.kind === "refused") refuseUpgrade(duplex, verdict.status, verdict.reason);
  else if (verdict.kind === "no-session") refuseUpgrade(duplex, 401, "This browser has no session.");
  else if (!relay.accept(request, duplex, head)) refuseUpgrade(duplex, 404, "No such socket.");
}

const STATUS_WORDS: Record<number, string> = {
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  415: "Unsupported Media Type",
};

function refuseUpgrade(duplex: Duplex, status: number, reason: string): void {
  const head = `HTTP/1.1 ${status} ${STATUS_WORDS[status]}\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8`;
  duplex.end(`${head}\r\nContent-Length: ${Buffer.byteLength(reason) + 1}\r\n\r\n${reason}\n`);
}
