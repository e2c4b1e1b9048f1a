// The command `kaval-tui`: terminals without a workspace around them. What it does lives in kaval; here it learns how this
// installation starts one.
import { dirname, extname, join } from "node:path";
import { kavalTui } from "@kolu/kaval/tui.ts";
import { startOurDaemon } from "./daemons.ts";

export async function main(argv: readonly string[], entry: string): Promise<never> {
  // Daemons start with the script of `kolu`, which lies beside this one.
  const koluEntry = join(dirname(entry), `kolu${extname(entry)}`);
  const startKaval = (stateRoot: string) =>
    startOurDaemon("kaval", { stateRoot, env: process.env, entry: koluEntry });
  process.exit(await kavalTui([...argv], { startKaval }));
}
