// Brings a real agent CLI from its registry into a cache, once per version.
import { execFile } from "node:child_process";
import { access, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const CACHE = join(import.meta.dirname, "..", "..", "node_modules", ".cache", "agents");

/**
 * @param beside what it wants besides and does not name as its own, such as a runtime: `name@version`
 * @returns the directory that holds the package's programs
 * @throws when the registry cannot be reached and the version is not in the cache
 */
export async function installAgent(
  packageName: string,
  version: string,
  beside: readonly string[] = [],
): Promise<string> {
  const home = join(CACHE, `${packageName.replaceAll(/\W+/g, "-")}-${version}`);
  const bin = join(home, "node_modules", ".bin");
  const done = join(home, "installed");
  if (await exists(done)) return bin;
  await mkdir(home, { recursive: true });
  await writeFile(join(home, "package.json"), '{ "private": true }\n');
  const args = ["install", "--no-audit", "--no-fund", "--save-exact", `${packageName}@${version}`, ...beside];
  await promisify(execFile)("npm", args, { cwd: home, maxBuffer: 16 * 1024 * 1024 });
  await writeFile(done, "");
  return bin;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
