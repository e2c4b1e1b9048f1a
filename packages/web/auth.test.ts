import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  cookieName,
  cookieValues,
  readSession,
  SESSION_MAX_AGE_S,
  setCookieHeader,
  signSession,
} from "./auth.ts";
import { cutToBytes } from "./relay.ts";
import { type Asset, chooseBody } from "./static.ts";

const key = randomBytes(32);
const NOW = 1_800_000_000_000;

test("a session that we signed is read until it is too old", () => {
  const value = signSession(key, NOW);
  expect(readSession(key, value, NOW)).toEqual({ issuedAtMs: NOW });
  expect(readSession(key, value, NOW + SESSION_MAX_AGE_S * 1000 - 1)).not.toBeNull();
  expect(readSession(key, value, NOW + SESSION_MAX_AGE_S * 1000)).toBeNull();
});

test("another key's session is none", () => {
  expect(readSession(randomBytes(32), signSession(key, NOW), NOW)).toBeNull();
});

test("no change to a session's text leaves it good", () => {
  const value = signSession(key, NOW);
  fc.assert(
    fc.property(fc.nat(value.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, character) => {
      fc.pre(value[at] !== character);
      expect(readSession(key, value.slice(0, at) + character + value.slice(at + 1), NOW)).toBeNull();
    }),
  );
});

test("any text at all is read without throwing", () => {
  fc.assert(fc.property(fc.string(), (text) => readSession(key, text, NOW) === null));
});

test("a planted cookie of our name does not hide the good one", () => {
  const name = cookieName({ port: 7681, secure: false });
  expect(cookieValues(`a=1; ${name}=bad;${name}=good; x${name}=other`, name)).toEqual(["bad", "good"]);
  expect(cookieValues(undefined, name)).toEqual([]);
});

test("cookies are closed to scripts and other sites, and under TLS bound to this host", () => {
  const plain = setCookieHeader(cookieName({ port: 1, secure: false }), "v", { secure: false });
  expect(plain).toMatch(/^kolu_session_1=v; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/);
  const secure = setCookieHeader(cookieName({ port: 1, secure: true }), "v", { secure: true });
  expect(secure).toMatch(/^__Host-kolu_session_1=v; Path=\/; .*HttpOnly; SameSite=Strict; Secure$/);
});

test("a close reason is cut at a whole character and fits its frame", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
      const cut = cutToBytes(text, 123);
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(123);
      expect(text.startsWith(cut)).toBe(true);
    }),
  );
});

test("a body is compressed only in ways that the browser takes", () => {
  const asset: Asset = {
    type: "text/plain",
    etag: "",
    immutable: false,
    plain: Buffer.from("plain"),
    brotli: Buffer.from("br"),
    gzip: Buffer.from("gz"),
  };
  const encoding = (accepted: string | undefined): string | null => chooseBody(asset, accepted).encoding;
  expect(encoding("gzip, deflate, br, zstd")).toBe("br");
  expect(encoding("gzip;q=0.5")).toBe("gzip");
  expect(encoding("br;q=0, gzip")).toBe("gzip");
  expect(encoding("identity")).toBeNull();
  expect(encoding(undefined)).toBeNull();
});
