// `npm run test:agents`: real agent CLIs, installed from their registries into a cache, run in a real kolu against a
// stand-in model on the loopback. Prints what was expected, what kolu said, and how long after the agent's own word.
import { CLAUDE_VERSION, runClaude } from "../e2e/agents/claude.agents.ts";
import { type Outcome, tableOf } from "../e2e/agents/situations.ts";

const outcomes: Outcome[] = [];
const version = process.argv[2] ?? CLAUDE_VERSION;
process.stdout.write(`Claude Code ${version}\n\n`);
await runClaude(version, (outcome) => {
  outcomes.push(outcome);
  process.stdout.write(outcome.ok ? "." : `\n✗ ${outcome.title}: ${outcome.seen}\n`);
});
const wrong = outcomes.filter((outcome) => !outcome.ok).length;
const delays = outcomes.flatMap((outcome) => outcome.delayMs ?? []).sort((left, right) => left - right);
const at = (share: number) => delays[Math.min(delays.length - 1, Math.floor(delays.length * share))];
process.stdout.write(`\n\n${tableOf(outcomes)}\n\n`);
process.stdout.write(`from the agent's word to kolu's record: median ${at(0.5)} ms, worst ${at(1)} ms\n`);
process.stdout.write(`${outcomes.length - wrong} passed, ${wrong} failed\n`);
process.exitCode = wrong === 0 ? 0 : 1;
