import { join } from "node:path";
import { runConformance } from "@kolu/anyagent/conformance.ts";
import { grokPlugin } from "./plugin.ts";

runConformance({
  plugin: grokPlugin({}),
  fixturesDir: join(import.meta.dirname, "fixtures"),
  environOf: (home) => ({ HOME: home }),
});
