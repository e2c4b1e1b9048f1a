import { defineConfig } from "vitest/config";

// Only where a change is judged (.ci/run): at home a test that fails once in twenty is to be seen.
const RETRIES = Number(process.env.KOLU_TEST_RETRIES ?? 0);

// Three kinds, one runner. Every process and browser test has daemons, state and ports of its own, and most of its time is
// waiting: three files side by side use two cores well.
export default defineConfig({
  test: {
    maxWorkers: 3,
    projects: [
      {
        test: {
          name: "unit",
          include: ["packages/**/*.test.ts", "tools/**/*.test.ts", "e2e/agents/*.test.ts"],
          exclude: ["**/node_modules/**", "**/*.process.test.ts"],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: "process",
          include: ["packages/**/*.process.test.ts", "e2e/**/*.process.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          retry: RETRIES,
        },
      },
      {
        test: {
          name: "browser",
          include: ["e2e/**/*.browser.test.ts"],
          testTimeout: 90_000,
          hookTimeout: 90_000,
          retry: RETRIES,
        },
      },
    ],
  },
});
