// `node tools/icons.ts`: draws the icons of the installed page anew, after a change of the mark.
import { join } from "node:path";
import { drawIcons } from "../e2e/screenshots/icons.ts";
import { ROOT } from "./run.ts";

await drawIcons(join(ROOT, "packages", "client", "public"), (line) => process.stdout.write(`${line}\n`));
