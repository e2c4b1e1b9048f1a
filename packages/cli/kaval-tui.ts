// The command `kaval-tui`: terminals without a workspace around them. What it does lives in kaval; here it learns how this
// installation starts one.
import { kavalTui } from "@kolu/kaval/tui.ts";

export async function main(argv: readonly string[], _entry: string): Promise<never> {
  process.exit(await kavalTui([...argv]));
}
