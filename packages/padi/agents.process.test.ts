// Programs that stand for agents, in real terminals: what the daemons know of them, and what is left of that over a death.
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { expect, test } from "vitest";
import { CLAUDE_HOME } from "./claude-for-test.ts";
import { startPadi, type TestPadi } from "./start-padi.ts";

/** Every state that any of the terminals is shown in, until all of them wait. */
async function statesUntilAllWait(padi: TestPadi, count: number): Promise<Set<string>> {
  const seen = new Set<string>();
  const waiting = new Set<string>();
  for await (const frame of padi.client.subscribe("terminals.watch", {})) {
    for (const { id, agent } of frame.kind === "snapshot" ? frame.rows : frame.upserts) {
      if (agent !== null) seen.add(agent.state);
      if (agent?.state === "waiting") waiting.add(id);
    }
    if (waiting.size === count) break;
  }
  return seen;
}

test("padi restarts over ten idle agents: none of them is shown at work", { timeout: 120_000 }, async () => {
  await using padi = await startPadi({ files: CLAUDE_HOME });
  await Promise.all(
    Array.from({ length: 10 }, () => padi.create({ cwd: padi.home, run: "claude 'a prompt'" })),
  );
  await statesUntilAllWait(padi, 10);
  await padi.killHard();
  await padi.restart();
  expect([...(await statesUntilAllWait(padi, 10))].sort()).toEqual(
    expect.not.arrayContaining(["thinking", "tool_use", "background", "awaiting"]),
  );
});

const XYNE_SESSION = "019fca61-be8e-75b0-b72f-b68984e0d3c1";
/** What its documentation says that it writes. */
const XYNE = `#!/bin/sh
id=${XYNE_SESSION}
dir=$HOME/.xyne/agent/sessions/$(pwd | tr -c 'A-Za-z0-9\\n-' -)
mkdir -p $dir
log=$(ls $dir/*_$id.jsonl 2>/dev/null || echo $dir/$(date -u +%FT%H-%M-%S)-000Z_$id.jsonl)
at=$(date -u +%FT%T.000Z)
{
  echo '{"type":"session","version":3,"id":"'$id'","timestamp":"'$at'","cwd":"'$(pwd)'"}'
  echo '{"type":"model_change","id":"1","parentId":null,"timestamp":"'$at'","provider":"demo","modelId":"demo-large"}'
  echo '{"type":"message","id":"2","parentId":"1","timestamp":"'$at'","message":{"role":"user","content":[{"type":"text","text":"hello"}]}}'
} > $log
echo '{"title":"Greeting"}' > \${log%.jsonl}_summary.json
read x
`;
const isParked = (record: TerminalRecord | undefined): record is TerminalRecord => record?.life === "parked";

test("Xyne is known by its process and its files, and comes back on exactly its conversation", async () => {
  const files = { xyne: XYNE, ".bashrc": "PATH=$HOME:$PATH; chmod +x $HOME/xyne\n" };
  await using padi = await startPadi({ files });
  const id = await padi.create({ cwd: padi.home, run: "xyne --debug 'a prompt'" });
  const isThere = (one: TerminalRecord | undefined): one is TerminalRecord =>
    one?.agent?.sessionId === XYNE_SESSION && one.agent.title !== null && one.command?.running === true;
  expect((await padi.until(id, isThere)).agent).toMatchObject({
    kind: "xyne",
    state: "waiting",
    title: "Greeting",
    model: "demo/demo-large",
    contextTokens: null,
  });
  await padi.killKavalHard();
  await padi.until(id, isParked);
  await padi.client.call("terminal.restore", { ids: [id] });
  expect((await padi.until(id, isThere)).command?.line).toBe(`xyne --session ${XYNE_SESSION} --debug`);
});
