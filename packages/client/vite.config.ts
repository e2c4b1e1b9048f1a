import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { serviceWorker } from "../../tools/service-worker.ts";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), serviceWorker()],
  // Its manifest names a module that the package does not have.
  resolve: { alias: { "@xterm/headless": "@xterm/headless/lib-headless/xterm-headless.mjs" } },
  // The worker loads grammars one by one.
  worker: { format: "es" },
  build: {
    outDir: join(import.meta.dirname, "dist"),
    emptyOutDir: true,
    target: "es2023",
    // The page's policy lets no file come from a data: address, fonts included.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_500,
  },
});
