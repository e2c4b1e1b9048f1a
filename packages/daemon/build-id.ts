// Which code runs: the version, and in a checkout a digest of the sources' newest change.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Replaced by the bundler; in a checkout the root manifest is read. */
declare const KOLU_BUNDLED_VERSION: string | undefined;

let cached: string | undefined;

/** The version of this kolu, such as "0.1.0". */
export function koluVersion(): string {
  cached ??= typeof KOLU_BUNDLED_VERSION === "string" ? KOLU_BUNDLED_VERSION : readRootVersion();
  return cached;
}

function readRootVersion(): string {
  const manifest = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "package.json");
  return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
}

export function buildId(): string {
  return typeof KOLU_BUNDLED_VERSION === "string" ? koluVersion() : `${koluVersion()}-checkout`;
}
