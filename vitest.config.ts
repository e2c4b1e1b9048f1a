import { defineConfig } from "vitest/config";

// Three kinds, one runner. Process and browser tests own real daemons and PTYs on a two-core machine, so their files
// run one after another within a project; unit tests are pure and run side by side.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["packages/**/*.test.ts", "tools/**/*.test.ts"],
          exclude: ["**/node_modules/**", "**/*.process.test.ts"],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: "process",
          include: ["packages/**/*.process.test.ts", "e2e/**/*.process.test.ts"],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "browser",
          include: ["e2e/**/*.browser.test.ts"],
          fileParallelism: false,
          testTimeout: 90_000,
          hookTimeout: 90_000,
        },
      },
    ],
  },
});
