// Builds the page with Vite when its sources changed since the last build. `npm start` and `npm test` call it first.
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT, run } from "./run.ts";

/** Everything that ends up in the page; the lockfile stands for the libraries. */
const SOURCES = [
  "packages/client",
  "packages/contract",
  "packages/emulator",
  "packages/kolu-agents",
  "packages/anyagent",
  "packages/transcript",
];
const OUTPUT = join(ROOT, "packages", "client", "dist");
/** Holds the digest of the sources that the output was built from. */
const STAMP = join(OUTPUT, ".sources");

async function digestSources(): Promise<string> {
  const hash = createHash("sha256").update(await readFile(join(ROOT, "package-lock.json")));
  for (const source of SOURCES) {
    const names = await readdir(join(ROOT, source), { recursive: true });
    for (const name of names.sort()) {
      if (
        !/\.(tsx?|css|html|svg|png|woff2|json|js|webmanifest)$/.test(name) ||
        /(^|\/)(dist|node_modules)\//.test(name)
      )
        continue;
      hash.update(name).update(await readFile(join(ROOT, source, name)));
    }
  }
  return hash.update(await readFile(join(ROOT, "tools", "service-worker.ts"))).digest("hex");
}

/** Resolves with 0, or with Vite's exit code. */
export async function buildPage(): Promise<number> {
  const digest = await digestSources();
  if ((await readFile(STAMP, "utf8").catch(() => null)) === digest) return 0;
  process.stderr.write("building the page, because its sources changed\n");
  const code = await run("vite", ["build", "packages/client", "--logLevel", "warn"]);
  if (code === 0) await writeFile(STAMP, digest);
  return code;
}

if (import.meta.main) process.exitCode = await buildPage();
