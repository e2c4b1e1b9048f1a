import { join } from "node:path";
import { runConformance } from "@kolu/anyagent/conformance.ts";
import { opencodePlugin } from "./plugin.ts";

runConformance({
  plugin: opencodePlugin({}),
  fixturesDir: join(import.meta.dirname, "fixtures"),
  environOf: (home) => ({ HOME: home }),
  namesProcess: false,
});
