#!/usr/bin/env node
import { onOurRuntime } from "./runtime.js";

onOurRuntime(import.meta.url, async (entry, argv) => {
  const { main } = await import("../kaval-tui.ts");
  await main(argv, entry);
});
