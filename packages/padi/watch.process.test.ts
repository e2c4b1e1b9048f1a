// A supervisor over programs that go on only when they are answered: were one settle lost, its program would stand for ever.
import type { TerminalId } from "@kolu/contract/ids.ts";
import { padiContract } from "@kolu/contract/padi.ts";
import { LinkLost } from "@kolu/contract/rpc.ts";
import type { WatchEvent } from "@kolu/contract/watch.ts";
import { DialFailed, dialRpc } from "@kolu/wire/dial.ts";
import { expect, test } from "vitest";
import { startPadi, type TestPadi } from "./start-padi.ts";

const TERMINALS = 4;
const ROUNDS = 25;
const PADI_KILLS = 6;
const KILL_EVERY = 14;

/** Asks, waits for the answer to that very question, works for a moment, asks the next. */
const ASKER = `
  stty -echo
  n=1
  while [ $n -le ${ROUNDS} ]; do
    printf '\\033]7501;state=blocked:kind=q%s\\007' "$n"
    while read answer && [ "$answer" != "$n" ]; do :; done
    printf '\\033]7501;state=working\\007'
    sleep 0.1
    n=$((n + 1))
  done
  printf '\\033]7501;state=done\\007'
  read forever
`;

interface Heard {
  bySeq: Map<number, WatchEvent>;
  /** Questions of each terminal that were told, under different numbers. */
  questions: Map<TerminalId, number>;
  dropped: number;
  redelivered: number;
}

test("no settle is missed while padi and its client are killed", { timeout: 120_000 }, async () => {
  await using padi = await startPadi();
  const ids: TerminalId[] = [];
  for (let n = 0; n < TERMINALS; n++) ids.push(await padi.create({ argv: ["/bin/sh", "-c", ASKER] }));
  const knobs = { states: ["awaiting" as const], ids };
  await padi.client.call("watch.open", { name: "fleet", ...knobs });
  const heard: Heard = {
    bySeq: new Map(),
    questions: new Map(ids.map((id) => [id, 0])),
    dropped: 0,
    redelivered: 0,
  };
  let kills = 0;
  let killing: Promise<void> | null = null;
  let after: number | undefined;
  const goesOn = (): boolean => [...heard.questions.values()].some((count) => count < ROUNDS);
  const acknowledging = (): { after?: number } => (after === undefined ? {} : { after });
  const kill = async (): Promise<void> => {
    kills += 1;
    await padi.killHard();
    await padi.restart();
  };

  // One round is one life of a client. It dies of padi's death, or after a batch that it has not acknowledged.
  for (let life = 1; goesOn(); life++) {
    await killing;
    try {
      await using link = await dialRpc(padiContract, { socketPath: padi.places.padiSocket });
      for (let batch = 1; batch <= 4 && goesOn(); batch++) {
        const frame = await link.client.call("watch.next", {
          name: "fleet",
          timeoutMs: 10_000,
          ...acknowledging(),
        });
        if (frame.result !== "met") throw new Error(await standing(padi, heard));
        heard.dropped += frame.met.dropped;
        for (const event of frame.met.events) {
          hear(heard, event);
          // In the middle of whatever it does for the others.
          if (kills < PADI_KILLS && heard.bySeq.size >= (kills + 1) * KILL_EVERY) killing = kill();
          await answer(padi, event.id);
        }
        if (life % 2 === 0 && batch === 3) break;
        after = frame.met.ackAfter;
      }
    } catch (error) {
      if (!(error instanceof LinkLost || error instanceof DialFailed)) throw error;
    }
  }
  await killing;

  expect(kills).toBe(PADI_KILLS);
  expect(heard.dropped).toBe(0);
  expect(heard.redelivered).toBeGreaterThan(0);
  // Each question under one number only.
  expect([...heard.questions.values()]).toEqual(ids.map(() => ROUNDS));
  const missing = await padi.client.call("watch.next", {
    name: "fleet",
    timeoutMs: 1,
    ...(after === undefined ? {} : { after }),
  });
  expect(missing.result === "met" ? missing.met.dropped : 0).toBe(0);
});

function hear(heard: Heard, event: WatchEvent): void {
  const known = heard.bySeq.get(event.seq);
  if (known) {
    expect(event).toEqual(known);
    heard.redelivered += 1;
    return;
  }
  heard.bySeq.set(event.seq, event);
  heard.questions.set(event.id, heard.questions.get(event.id)! + 1);
}

/** Answers the question that stands; one that was answered already is not asked any more. */
async function answer(padi: TestPadi, id: TerminalId): Promise<void> {
  // A padi that has just started may not know yet. The mirror may lag behind the event, so padi is asked.
  await padi.until(id, (record) => record?.program != null);
  const { terminals } = await padi.client.call("terminals.list", {});
  const program = terminals.find((record) => record.id === id)?.program;
  if (program?.state === "blocked") await padi.type(id, `${program.kind!.slice(1)}\r`);
}

/** What to look at when nothing is told any more. */
async function standing(padi: TestPadi, heard: Heard): Promise<string> {
  const { terminals } = await padi.client.call("terminals.list", {});
  const rows = terminals.map(({ id, program }) => {
    const told = [...heard.bySeq.values()].filter((event) => event.id === id).at(-1);
    return `${id}: ${program?.state} ${program?.kind} at ${program?.updatedAtMs}, told last: ${JSON.stringify(told)}`;
  });
  return `a settle was missed:\n${rows.join("\n")}\n${padi.log()}`;
}
