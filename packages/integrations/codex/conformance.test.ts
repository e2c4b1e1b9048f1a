import { join } from "node:path";
import { runConformance } from "@kolu/anyagent/conformance.ts";
import { rewriteDatabase } from "./fixture-home.ts";
import { codexPlugin } from "./plugin.ts";

runConformance({
  plugin: codexPlugin({}),
  fixturesDir: join(import.meta.dirname, "fixtures"),
  environOf: (home) => ({ HOME: home }),
  prepare: (home, { capturedHome }) => {
    if (capturedHome !== undefined) rewriteDatabase(home, capturedHome);
  },
  namesProcess: false,
});
