// `npm run test:agents [-- kind[@version]…]`: real agent CLIs, installed from their registries into a cache, run in a real
// kolu against a stand-in model on the loopback. Prints what was expected, what kolu said, and how long after the agent's
// own word. Without names: every agent, at the release that its runner names.
import { runners } from "../e2e/agents/runners.ts";
import { type Outcome, tableOf } from "../e2e/agents/situations.ts";

const wanted = process.argv.slice(2).map((word) => {
  const [kind = "", version] = word.split("@");
  const runner = runners.find((one) => one.kind === kind);
  if (runner === undefined) {
    const known = runners.map((one) => one.kind).join(", ");
    throw new Error(`No agent "${kind}" is played. There are: ${known}`);
  }
  return { ...runner, version: version ?? runner.version };
});

let passed = 0;
let failed = 0;
for (const { kind, version, run } of wanted.length > 0 ? wanted : runners) {
  const outcomes: Outcome[] = [];
  process.stdout.write(`${kind} ${version}\n\n`);
  await run(version, (outcome) => {
    outcomes.push(outcome);
    process.stdout.write(outcome.ok ? "." : `\n✗ ${outcome.title}: ${outcome.seen}\n`);
  });
  const wrong = outcomes.filter((outcome) => !outcome.ok).length;
  passed += outcomes.length - wrong;
  failed += wrong;
  process.stdout.write(`\n\n${tableOf(outcomes)}\n\n${delaysOf(outcomes)}\n\n`);
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

function delaysOf(outcomes: readonly Outcome[]): string {
  const delays = outcomes.flatMap(({ delayMs }) => delayMs ?? []).sort((left, right) => left - right);
  if (delays.length === 0) return "no situation could be timed";
  const at = (share: number) => delays[Math.min(delays.length - 1, Math.floor(delays.length * share))];
  return `from the agent's word to kolu's record: median ${at(0.5)} ms, worst ${at(1)} ms`;
}
