// The command `padi-tui`: the older client of the workspace. What it does lives in padi.
import { padiTui } from "@kolu/padi/tui.ts";

export async function main(argv: readonly string[], _entry: string): Promise<never> {
  process.exit(await padiTui([...argv]));
}
