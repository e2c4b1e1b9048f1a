// `npm run check`: format, lint, types in each runtime, the direction of imports and circles, dead exports.
import { run } from "./run.ts";

const TSC = "node_modules/typescript-7/bin/tsc";

const checks: [what: string, command: string, ...args: string[]][] = [
  ["format and lint", "biome", "check", "--error-on-warnings", "."],
  ["types, neutral", "node", TSC, "-p", "tsconfig.neutral.json"],
  ["types, node", "node", TSC, "-p", "tsconfig.node.json"],
  ["types, browser", "node", TSC, "-p", "tsconfig.browser.json"],
  ["direction of imports", "depcruise", "--output-type", "err", "packages", "e2e", "bench", "tools"],
  ["dead code", "knip"],
];

let failed = 0;
for (const [what, command, ...args] of checks) {
  process.stdout.write(`\n▸ ${what}\n`);
  const code = await run(command, args);
  if (code === 0) continue;
  failed += 1;
  process.stdout.write(`✗ ${what} failed (exit ${code})\n`);
}
process.stdout.write(
  failed === 0 ? "\nAll checks passed.\n" : `\n${failed} of ${checks.length} checks failed.\n`,
);
process.exitCode = failed === 0 ? 0 : 1;
