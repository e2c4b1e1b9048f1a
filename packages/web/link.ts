// One-time links. The shell mints one by leaving the hash of a token in the state root; the server that is shown the
// token removes that file, and only one remover can succeed: single use holds over restarts and over several servers.
// Whoever can write into the state root (0700) is its owner already.
import { createHash, randomBytes } from "node:crypto";
import { readdir, readFile, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { announceProcess, findAnnounced } from "@kolu/daemon/announcements.ts";
import { type Environment, makePrivateDirectory, placesFor } from "@kolu/daemon/places.ts";

export const LINK_MAX_AGE_MS = 10 * 60 * 1000;
/** Links that nobody opened, kept at most; minting more drops the oldest. */
const OPEN_LINKS_MAX = 64;
const TOKEN_BYTES = 32;
const TOKEN_SHAPE = /^[A-Za-z0-9_-]{43}$/;

function linksDirectory(stateRoot: string): string {
  return join(stateRoot, "web-links");
}

function fileFor(stateRoot: string, token: string): string {
  return join(linksDirectory(stateRoot), createHash("sha256").update(token).digest("hex"));
}

/** Makes a token that opens the page once within LINK_MAX_AGE_MS. It is written nowhere. */
export async function mintToken(stateRoot: string, nowMs: number): Promise<string> {
  await makePrivateDirectory(linksDirectory(stateRoot));
  await sweep(stateRoot, nowMs);
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  await writeFile(fileFor(stateRoot, token), String(nowMs + LINK_MAX_AGE_MS), { mode: 0o600 });
  return token;
}

/** True for exactly one caller, and only in time. */
export async function spendToken(stateRoot: string, token: string, nowMs: number): Promise<boolean> {
  if (!TOKEN_SHAPE.test(token)) return false;
  const path = fileFor(stateRoot, token);
  try {
    const expiresAtMs = Number(await readFile(path, "utf8"));
    await unlink(path);
    return nowMs < expiresAtMs;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

async function sweep(stateRoot: string, nowMs: number): Promise<void> {
  const directory = linksDirectory(stateRoot);
  const open: { path: string; expiresAtMs: number }[] = [];
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    const text = await readFile(path, "utf8").catch(() => null); // Spent a moment ago.
    if (text !== null) open.push({ path, expiresAtMs: Number(text) });
  }
  open.sort((a, b) => b.expiresAtMs - a.expiresAtMs);
  const stale = open.filter((entry, index) => !(entry.expiresAtMs > nowMs) || index >= OPEN_LINKS_MAX - 1);
  for (const { path } of stale)
    await unlink(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
}

/** `to`: where on the page it leads, as contract/deep-link.ts writes it. */
export function linkFor(url: string, token: string, to: string | null = null): string {
  return `${url}/open?token=${token}${to === null ? "" : `&to=${encodeURIComponent(to)}`}`;
}

/** A running web server as it announces itself in the runtime directory. */
export interface AnnouncedServer {
  url: string;
  pid: number;
}

/** Tells the shell of this machine where the page is. Resolves with how to take it back. */
export function announce(options: {
  stateRoot: string;
  env: Environment;
  port: number;
  url: string;
}): Promise<() => Promise<void>> {
  const { runtime } = placesFor(options.stateRoot, options.env);
  return announceProcess(runtime, `web-${options.port}`, { url: options.url });
}

/** The live web servers of a state root, by port. */
export async function findServers(stateRoot: string, env: Environment): Promise<AnnouncedServer[]> {
  const announced = await findAnnounced(placesFor(stateRoot, env).runtime, "web");
  return announced.flatMap(({ pid, facts: { url } }) => (typeof url === "string" ? [{ url, pid }] : []));
}
