// May this request pass? One pure decision for pages and sockets alike; server.ts acts on it.
import type { IncomingHttpHeaders } from "node:http";
import { cookieName, cookieValues, readSession, type Session } from "./auth.ts";
import { isSameOrigin, type OwnNames, originOf } from "./origin.ts";

export interface Gate {
  names: OwnNames;
  key: Buffer;
}

export type Verdict =
  | { kind: "pass"; ownOrigin: string; secure: boolean; session: Session }
  /** Known host, nothing foreign about it, but no session: may open a link, sees the door page otherwise. */
  | { kind: "no-session"; ownOrigin: string; secure: boolean }
  | { kind: "refused"; status: 403 | 415; reason: string };

export interface Asked {
  method: string;
  headers: IncomingHttpHeaders;
  /** A WebSocket upgrade: as much as a state change, whatever its method. */
  upgrade: boolean;
}

/** Host first (DNS rebinding), then the origin (other sites, other local ports), then the session. */
export function judge(gate: Gate, asked: Asked, nowMs: number): Verdict {
  const { headers } = asked;
  const ownOrigin = originOf(gate.names, headers.host);
  if (ownOrigin === null) return refused(403, "This server does not go by that name.");
  const changes = asked.upgrade || (asked.method !== "GET" && asked.method !== "HEAD");
  const { origin } = headers;
  if (changes && origin === undefined) return refused(403, "Requests that act must name their origin.");
  if (origin !== undefined && !isSameOrigin(ownOrigin, origin))
    return refused(403, "This page belongs to another origin.");
  if (!isOwnFetch(headers)) return refused(403, "Only pages of this server may load this.");
  const secure = ownOrigin.startsWith("https:");
  const session = findSession(gate, headers.cookie, secure, nowMs);
  if (!session) return { kind: "no-session", ownOrigin, secure };
  if (changes && !asked.upgrade && !isJson(headers["content-type"]))
    return refused(415, "Send application/json.");
  return { kind: "pass", ownOrigin, secure, session };
}

function refused(status: 403 | 415, reason: string): Verdict {
  return { kind: "refused", status, reason };
}

/** A browser says where a request comes from: other sites may lead a person here by a link, and nothing else. */
function isOwnFetch(headers: IncomingHttpHeaders): boolean {
  const site = headers["sec-fetch-site"];
  if (site === undefined || site === "same-origin" || site === "none") return true;
  return headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
}

function findSession(gate: Gate, cookie: string | undefined, secure: boolean, nowMs: number): Session | null {
  const name = cookieName({ port: gate.names.port, secure });
  for (const value of cookieValues(cookie, name)) {
    const session = readSession(gate.key, value, nowMs);
    if (session) return session;
  }
  return null;
}

function isJson(type: string | undefined): boolean {
  return /^application\/json\s*(;|$)/i.test(type ?? "");
}
