// What the tests need from the system and a fresh machine lacks: a browser, the shells that kolu integrates with, and ssh.
// Debian's packages, through apt, only where something is missing.
import { access, constants } from "node:fs/promises";
import { join } from "node:path";
import { run } from "./run.ts";

/** A program that a test starts, and the Debian package that brings it. */
const NEEDED: Record<string, string> = {
  chromium: "chromium",
  zsh: "zsh",
  fish: "fish",
  git: "git",
  ssh: "openssh-client",
};

/**
 * Where systemd runs, installing it opens port 22 to the network, now and at each boot: not for a test. There those that
 * need it are skipped unless it is installed already.
 */
const SERVER = { sshd: "openssh-server" };
const SYSTEMD = "/run/systemd/system";

async function isOnPath(program: string): Promise<boolean> {
  // Not on everybody's PATH: the home of servers.
  for (const directory of [...(process.env.PATH ?? "").split(":"), "/usr/sbin"])
    if (await isThere(join(directory, program), constants.X_OK)) return true;
  return false;
}

function isThere(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}

/** Installs what is missing; throws with the list when it cannot. */
export async function ensurePackages(): Promise<void> {
  const missing: string[] = [];
  const needed = (await isThere(SYSTEMD, constants.F_OK)) ? NEEDED : { ...NEEDED, ...SERVER };
  for (const [program, name] of Object.entries(needed)) if (!(await isOnPath(program))) missing.push(name);
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
