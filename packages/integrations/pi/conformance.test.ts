import { join } from "node:path";
import { runConformance } from "@kolu/anyagent/conformance.ts";
import { piPlugin } from "./plugin.ts";

runConformance({
  plugin: piPlugin({}),
  fixturesDir: join(import.meta.dirname, "fixtures"),
  environOf: (home) => ({ HOME: home }),
  // Nothing that Pi writes names its process.
  namesProcess: false,
});
