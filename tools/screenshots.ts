// `node tools/screenshots.ts`: takes the pictures of docs/pictures anew.
import { join } from "node:path";
import { takePictures } from "../e2e/screenshots/pictures.ts";
import { buildPage } from "./build-page.ts";
import { ROOT } from "./run.ts";

if ((await buildPage()) !== 0) throw new Error("The page could not be built.");
await takePictures(join(ROOT, "docs", "pictures"), (line) => process.stdout.write(`${line}\n`));
