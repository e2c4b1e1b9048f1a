import { join } from "node:path";
import { runConformance } from "@kolu/anyagent/conformance.ts";
import { claudePlugin } from "./plugin.ts";

runConformance({
  plugin: claudePlugin({}),
  fixturesDir: join(import.meta.dirname, "fixtures"),
  environOf: (home) => ({ HOME: home }),
});
