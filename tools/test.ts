// `npm test`: everything, in the order of what it costs. The last line is "N passed, N failed".
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { ensurePackages } from "./ensure-packages.ts";
import { ROOT, run } from "./run.ts";

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  success: boolean;
}

const reportPath = join(ROOT, "node_modules", ".cache", `test-report-${process.pid}.json`);

async function runSuites(filters: string[]): Promise<Report> {
  const code = await run("vitest", [
    "run",
    ...filters,
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${reportPath}`,
  ]);
  try {
    const report = JSON.parse(await readFile(reportPath, "utf8")) as Report;
    // A suite that fails outside any test (a file that does not load, a leaked handle) must not count as green.
    if (code !== 0 && report.numFailedTests === 0) report.numFailedTests = 1;
    return report;
  } finally {
    await rm(reportPath, { force: true });
  }
}

const filters = process.argv.slice(2);
let extraFailures = 0;
if (filters.length === 0) {
  await ensurePackages();
  if ((await run("node", ["tools/check.ts"])) !== 0) extraFailures += 1;
}
if ((await run("node", ["tools/build-page.ts"])) !== 0) extraFailures += 1;
const report = await runSuites(filters);
const failed = report.numFailedTests + extraFailures;
const skipped = report.numPendingTests > 0 ? `, ${report.numPendingTests} skipped` : "";
process.stdout.write(`${report.numPassedTests} passed, ${failed} failed${skipped}\n`);
process.exitCode = failed === 0 ? 0 : 1;
