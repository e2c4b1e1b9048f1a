// What the tests need from the system and a fresh machine lacks: a browser and the shells that kolu integrates with.
// Debian's packages, through apt, only where something is missing.
import { access, constants } from "node:fs/promises";
import { join } from "node:path";
import { run } from "./run.ts";

/** A program that a test starts, and the Debian package that brings it. */
const NEEDED: Record<string, string> = { chromium: "chromium", zsh: "zsh", fish: "fish", git: "git" };

async function isOnPath(program: string): Promise<boolean> {
  for (const directory of (process.env.PATH ?? "").split(":")) {
    const found = await access(join(directory, program), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return true;
  }
  return false;
}

/** Installs what is missing; throws with the list when it cannot. */
export async function ensurePackages(): Promise<void> {
  const missing: string[] = [];
  for (const [program, name] of Object.entries(NEEDED)) if (!(await isOnPath(program))) missing.push(name);
  if (missing.length === 0) return;
  if (!(await isOnPath("apt-get")))
    throw new Error(`The tests need ${missing.join(", ")}. Install them with your system's package manager.`);
  const root = process.getuid?.() === 0 ? [] : ["sudo"];
  const apt = [...root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"];
  const install = ["install", "--yes", "--no-install-recommends", ...missing];
  const runApt = (args: string[]): Promise<number> => run(apt[0]!, [...apt.slice(1), ...args]);
  // The lists may be old or absent on a fresh machine.
  if ((await runApt(["update"])) !== 0 || (await runApt(install)) !== 0)
    throw new Error(`apt-get could not install ${missing.join(", ")}.`);
}

if (import.meta.main) await ensurePackages();
