// The three commands that every terminal of ours finds first on PATH: kolu, kaval-tui, padi-tui, and nothing else. Each
// names its runtime and script by absolute path, so that it works whatever else the terminal has on PATH.
import { chmod, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";

const NAMES = ["kolu", "kaval-tui", "padi-tui"] as const;

/** Makes `directory` hold exactly the launchers. `entry` is the script of `kolu`; its siblings lie beside it. */
export async function writeLaunchers(directory: string, entry: string, runtime: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  for (const name of NAMES) {
    const script = join(dirname(entry), `${name}${extname(entry)}`);
    const path = join(directory, name);
    const temporary = join(dirname(directory), `.${name}.${process.pid}`);
    await writeFile(temporary, launcher(runtime, script), { mode: 0o700 });
    await chmod(temporary, 0o700);
    // A terminal may be starting the old one right now: replaced whole, never half written.
    await rename(temporary, path);
  }
  for (const entryName of await readdir(directory))
    if (!NAMES.some((name) => name === entryName)) await rm(join(directory, entryName), { recursive: true });
}

function launcher(runtime: string, script: string): string {
  // NODE_OPTIONS of the terminal are meant for the user's Node, whose flags ours may refuse.
  return `#!/bin/sh\nunset NODE_OPTIONS\nexec ${quote(runtime)} ${quote(script)} "$@"\n`;
}

function quote(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}
