// Who may use the page: a signed session cookie, got by opening a one-time link. Pure: keys, times and headers come in.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** How long a browser stays known without coming back. */
export const SESSION_MAX_AGE_S = 90 * 24 * 60 * 60;
/** A cookie older than this is renewed when the page is loaded. */
export const SESSION_RENEW_AFTER_S = 24 * 60 * 60;

const VERSION = "1";

export interface Session {
  issuedAtMs: number;
}

/** Cookies ignore ports, so the name carries ours: two servers on one machine keep their sessions apart. */
export function cookieName(options: { port: number; secure: boolean }): string {
  // The __Host- prefix makes the browser itself insist on Secure, Path=/ and no Domain.
  return `${options.secure ? "__Host-" : ""}kolu_session_${options.port}`;
}

export function signSession(key: Buffer, nowMs: number): string {
  const body = `${VERSION}.${Math.floor(nowMs / 1000)}.${randomBytes(12).toString("base64url")}`;
  return `${body}.${macOf(key, body)}`;
}

/** The session of a cookie's value, or null when it is not ours, was tampered with, or is too old. */
export function readSession(key: Buffer, value: string, nowMs: number): Session | null {
  const cut = value.lastIndexOf(".");
  if (cut < 0) return null;
  const body = value.slice(0, cut);
  if (!isSame(value.slice(cut + 1), macOf(key, body))) return null;
  const [version, issuedAtS] = body.split(".");
  if (version !== VERSION) return null;
  const issuedAtMs = Number(issuedAtS) * 1000;
  const ageS = (nowMs - issuedAtMs) / 1000;
  return ageS < SESSION_MAX_AGE_S ? { issuedAtMs } : null;
}

function macOf(key: Buffer, body: string): string {
  return createHmac("sha256", key).update(`kolu session ${body}`).digest("base64url");
}

function isSame(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Every value that a Cookie header gives a name: a planted second cookie must not hide ours. */
export function cookieValues(header: string | undefined, name: string): string[] {
  return (header ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}

export function setCookieHeader(name: string, value: string, options: { secure: boolean }): string {
  const attributes = [
    `${name}=${value}`,
    "Path=/",
    `Max-Age=${SESSION_MAX_AGE_S}`,
    "HttpOnly",
    "SameSite=Strict",
  ];
  if (options.secure) attributes.push("Secure");
  return attributes.join("; ");
}
