// Running one command of the toolchain with the terminal passed through.
import { spawn } from "node:child_process";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "..");

/** Resolves with the exit code; a signal counts as 1. */
export function run(command: string, args: string[], env: Record<string, string> = {}): Promise<number> {
  const path = `${join(ROOT, "node_modules", ".bin")}:${process.env.PATH}`;
  const child = spawn(command, args, {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...process.env, PATH: path, ...env },
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}
