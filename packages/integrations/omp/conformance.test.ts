import { join } from "node:path";
import { runConformance } from "@kolu/anyagent/conformance.ts";
import { ompPlugin } from "./plugin.ts";

runConformance({
  plugin: ompPlugin({}),
  fixturesDir: join(import.meta.dirname, "fixtures"),
  environOf: (home) => ({ HOME: home }),
  namesProcess: false,
});
