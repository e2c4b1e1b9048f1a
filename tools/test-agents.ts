// `npm run test:agents [-- [--write] kind[@version]…]`: real agent CLIs, installed from their registries into a cache, run in
// a real kolu against a stand-in model on the loopback. Prints what was expected, what kolu said, and how long after the
// agent's own word. Without names: every agent, at the release that its runner names. `--write` puts it into docs/agents.md.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { agentsPage, type PlayedAgent, tally } from "../e2e/agents/report.ts";
import { runners } from "../e2e/agents/runners.ts";
import { type Outcome, tableOf } from "../e2e/agents/situations.ts";
import { ROOT } from "./run.ts";

const words = process.argv.slice(2);
const wanted = words
  .filter((word) => word !== "--write")
  .map((word) => {
    const [kind = "", version] = word.split("@");
    const runner = runners.find((one) => one.kind === kind);
    if (runner === undefined) {
      const known = runners.map((one) => one.kind).join(", ");
      throw new Error(`No agent "${kind}" is played. There are: ${known}`);
    }
    return { ...runner, version: version ?? runner.version };
  });

const played: PlayedAgent[] = [];
for (const { kind, version, run } of wanted.length > 0 ? wanted : runners) {
  const startedAt = performance.now();
  const outcomes: Outcome[] = [];
  process.stdout.write(`${kind} ${version}\n\n`);
  await run(version, (outcome) => {
    outcomes.push(outcome);
    process.stdout.write(outcome.ok ? "." : `\n✗ ${outcome.title}: ${outcome.seen}\n`);
  });
  played.push({ kind, version, outcomes });
  const { medianMs, worstMs } = tally(outcomes);
  const tookS = Math.round((performance.now() - startedAt) / 1_000);
  process.stdout.write(`\n\n${tableOf(outcomes)}\n\n`);
  process.stdout.write(
    `from the agent's word to kolu's record: median ${medianMs} ms, worst ${worstMs} ms; ${tookS} s in all\n\n`,
  );
}
if (words.includes("--write")) {
  const page = join(ROOT, "docs", "agents.md");
  await writeFile(page, agentsPage(played, await readFile(page, "utf8").catch(() => "")));
}
const all = tally(played.flatMap(({ outcomes }) => outcomes));
const failed = all.situations - all.right;
process.stdout.write(`missed awaiting ${all.missedAwaiting}, false awaiting ${all.falseAwaiting}\n`);
process.stdout.write(`${all.right} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
