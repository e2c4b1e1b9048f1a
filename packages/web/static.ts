// The built page from one directory: compressed once, hashed files cached for good, every page path answered by index.html.
import { createHash } from "node:crypto";
import { readFile, realpath, stat } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".woff": "font/woff",
  ".wasm": "application/wasm",
  ".map": "application/json; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
};
const COMPRESSED = new Set([
  ".html",
  ".js",
  ".css",
  ".json",
  ".webmanifest",
  ".svg",
  ".map",
  ".wasm",
  ".txt",
]);
/** Below this a compressed copy saves nothing worth a header. */
const COMPRESS_ABOVE_BYTES = 1024;
/** Files kept ready; the page has a few dozen. Beyond it the oldest goes. */
const CACHED_FILES_MAX = 256;

export interface Asset {
  type: string;
  etag: string;
  /** Named by its content, so it never changes. */
  immutable: boolean;
  plain: Buffer;
  brotli: Buffer | null;
  gzip: Buffer | null;
}

export interface StaticFiles {
  /** The file at a URL path, or null when there is none. */
  find(path: string): Promise<Asset | null>;
  /** The page itself, or null when it has not been built. */
  page(): Promise<Asset | null>;
}

export function openStaticFiles(root: string): StaticFiles {
  const cache = new Map<string, { mtimeMs: number; asset: Promise<Asset> }>();

  async function load(relative: string): Promise<Asset | null> {
    const path = await resolveInside(root, relative);
    if (path === null) return null;
    const stats = await stat(path);
    if (!stats.isFile()) return null;
    const cached = cache.get(path);
    if (cached?.mtimeMs === stats.mtimeMs) return cached.asset;
    const asset = readAsset(path, relative);
    cache.set(path, { mtimeMs: stats.mtimeMs, asset });
    asset.catch(() => cache.delete(path));
    if (cache.size > CACHED_FILES_MAX) cache.delete(cache.keys().next().value!);
    return asset;
  }
  return { find: load, page: () => load("/index.html") };
}

/** The real path of a file below root, or null: not there, outside, or no path at all. */
async function resolveInside(root: string, urlPath: string): Promise<string | null> {
  let decoded: string;
  try {
    decoded = decodeURIComponent(urlPath);
  } catch {
    return null;
  }
  if (decoded.includes("\0") || decoded.includes("\\")) return null;
  try {
    const base = await realpath(root);
    const path = await realpath(join(base, decoded));
    return path.startsWith(base + sep) ? path : null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG") return null;
    throw error;
  }
}

async function readAsset(path: string, relative: string): Promise<Asset> {
  const plain = await readFile(path);
  const extension = extname(path).toLowerCase();
  const worthIt = COMPRESSED.has(extension) && plain.length > COMPRESS_ABOVE_BYTES;
  return {
    type: TYPES[extension] ?? "application/octet-stream",
    etag: `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`,
    immutable: relative.startsWith("/assets/"),
    plain,
    brotli: worthIt
      ? await promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
      : null,
    gzip: worthIt ? await promisify(gzip)(plain) : null,
  };
}

/** The body to send for an Accept-Encoding header, and its Content-Encoding. Pure. */
export function chooseBody(
  asset: Asset,
  accepted: string | undefined,
): { body: Buffer; encoding: string | null } {
  const names = (accepted ?? "")
    .split(",")
    .map((part) => part.trim().toLowerCase())
    .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
    .map((part) => part.split(";")[0]!);
  if (asset.brotli && names.includes("br")) return { body: asset.brotli, encoding: "br" };
  if (asset.gzip && names.includes("gzip")) return { body: asset.gzip, encoding: "gzip" };
  return { body: asset.plain, encoding: null };
}
