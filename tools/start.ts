// `npm start`: builds the page when it is stale, then serves it. Words after `npm start --` go to `kolu web`.
import { join } from "node:path";
import { buildPage } from "./build-page.ts";
import { ROOT } from "./run.ts";

const code = await buildPage();
if (code !== 0) process.exit(code);
const entry = join(ROOT, "packages", "cli", "bin", "kolu.js");
// In this very process, so that a signal meant for kolu reaches it however npm was started.
process.argv = [process.execPath, entry, "web", ...process.argv.slice(2)];
await import(entry);
