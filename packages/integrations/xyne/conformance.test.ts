import { join } from "node:path";
import { runConformance } from "@kolu/anyagent/conformance.ts";
import { xynePlugin } from "./plugin.ts";

runConformance({
  plugin: xynePlugin({}),
  fixturesDir: join(import.meta.dirname, "fixtures"),
  environOf: (home) => ({ HOME: home }),
  // Nothing that Xyne writes names its process.
  namesProcess: false,
});
