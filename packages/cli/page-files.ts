// Where the built page lies: beside the bundled code in the published package, in the client's folder in a checkout.
import { access } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Failure } from "./exit.ts";

/** Set by the bundler: everything of the published package lies in one directory. */
declare const KOLU_BUNDLED_VERSION: string | undefined;

/** The directory of the built page. Rejects with a Failure that says how to build it. */
export async function findPage(): Promise<string> {
  const here = dirname(fileURLToPath(import.meta.url));
  const directory =
    typeof KOLU_BUNDLED_VERSION === "string" ? join(here, "page") : join(here, "..", "client", "dist");
  try {
    await access(join(directory, "index.html"));
    return directory;
  } catch {
    throw new Failure("The page is not built yet. `npm start` builds it and serves it.");
  }
}
