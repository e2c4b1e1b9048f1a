// `npm run test:repeat [times] [-- vitest filters]`: the process and browser suites again and again beside a busy second
// process. One failure ends it: a test that passes nineteen times of twenty is a broken test.
import { spawn } from "node:child_process";
import { run } from "./run.ts";

const [timesText = "20", ...filters] = process.argv.slice(2);
const times = Number(timesText);
if (!Number.isSafeInteger(times) || times < 1) throw new Error(`How many times? "${timesText}" is no count.`);

const busy = spawn(process.execPath, ["-e", "for (;;) {}"], { stdio: "ignore" });
let passed = 0;
try {
  await run("node", ["tools/build-page.ts"]);
  while (passed < times) {
    const code = await run("vitest", [
      "run",
      "--project",
      "process",
      "--project",
      "browser",
      "--reporter=dot",
      ...filters,
    ]);
    if (code !== 0) break;
    passed += 1;
    process.stdout.write(`run ${passed} of ${times} passed\n`);
  }
} finally {
  busy.kill("SIGKILL");
}
process.stdout.write(`${passed} passed, ${passed === times ? 0 : 1} failed\n`);
process.exitCode = passed === times ? 0 : 1;
