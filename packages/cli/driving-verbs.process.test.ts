// What the verbs of a supervisor print and how they end, against a padi that says what the test wants.
import type { PromptReceipt } from "@kolu/contract/prompt.ts";
import { refuse } from "@kolu/contract/refusals.ts";
import type { SearchHit } from "@kolu/contract/search.ts";
import type { StateEvent } from "@kolu/contract/watch.ts";
import { expect, test } from "vitest";
import { startTestPadi, testRecord } from "./test-padi.ts";

const A = "aaaaaaaa-0000-4000-8000-000000000001" as PromptReceipt["id"];
const B = "bbbbbbbb-0000-4000-8000-000000000002" as PromptReceipt["id"];
const listing = { "terminals.list": () => ({ terminals: [testRecord(A), testRecord(B)] }) };

const receipt = { id: A, cursor: "c", elapsedMs: 1_200, textBytes: 17, agent: null };

const receipts: Record<string, [receipt: PromptReceipt, code: number, said: string]> = {
  "a prompt that was taken": [
    { ...receipt, outcome: "accepted", evidence: "state" },
    0,
    "kolu: aaaaaaaa · the agent took it within 1.2 s (seen in its state)\n",
  ],
  "a prompt that stands there": [
    { ...receipt, outcome: "staged", draft: "x" },
    1,
    "kolu send aaaaaaaa --key Enter",
  ],
  "an agent that asks": [
    { ...receipt, outcome: "blocked", submitted: true, awaiting: null },
    1,
    "the prompt may be waiting behind it",
  ],
  "nothing that tells": [{ ...receipt, outcome: "timeout", submitted: false }, 2, "Enter was not pressed"],
};

test.each(Object.entries(receipts))(
  "prompt tells of %s by its words and its code",
  async (_title, [answer, code, said]) => {
    const asked: unknown[] = [];
    await using padi = await startTestPadi({
      ...listing,
      "terminal.prompt": (params) => {
        asked.push(params);
        return answer;
      },
    });
    const ran = await padi.run(["prompt", "aaa", "fix", "the parser", "--timeout", "9000"]);
    expect(ran).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(said) });
    expect(asked).toEqual([{ id: A, text: "fix the parser", timeoutMs: 9_000 }]);
    expect(JSON.parse((await padi.run(["prompt", "aaa", "fix", "--json"])).stdout)).toEqual(answer);
  },
);

test("prompt passes padi's refusal on, and refuses nothing at all by itself", async () => {
  await using padi = await startTestPadi({
    ...listing,
    "terminal.prompt": () => {
      throw refuse("draft-in-composer", { id: A, draft: "x" }, "A draft stands there.");
    },
  });
  expect(await padi.run(["prompt", "aaa", "fix"])).toEqual({
    code: 1,
    stdout: "",
    stderr: "kolu: A draft stands there.\n",
  });
  expect(await padi.run(["prompt", "aaa", " "])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("empty"),
  });
  expect(await padi.run(["prompt", "aaa", "x", "--file", "y"])).toMatchObject({ code: 1 });
});

test("search prints where and what, harmless and whole, and says when there is more", async () => {
  const hit: SearchHit = {
    id: A,
    where: "scrollback",
    line: 7,
    linesFromEnd: 12,
    text: "an Error\x1b[31m here",
    matchStart: 3,
    matchLength: 5,
  };
  const said: SearchHit = {
    id: A,
    where: "transcript",
    agent: "claude-code",
    item: 41,
    itemsFromEnd: 2,
    kind: "assistant",
    atMs: null,
    text: "an error\nagain",
    matchStart: 3,
    matchLength: 5,
  };
  const asked: unknown[] = [];
  await using padi = await startTestPadi({
    ...listing,
    "search.text": (params) => {
      asked.push(params);
      return { hits: [hit, said], truncated: true, unread: [{ id: B, reason: "gone" }] };
    },
  });
  expect(await padi.run(["search", "--id", "a", "an", "error"])).toEqual({
    code: 0,
    stdout: "aaaaaaaa     12  an Error␛[31m here\naaaaaaaa    #41  an error again\n",
    stderr: "kolu: bbbbbbbb could not be read: gone\nkolu: there is more: these are the newest 2\n",
  });
  expect(asked).toEqual([{ query: "an error", transcripts: true, ids: [A] }]);
  const coloured = await padi.run(["search", "error"], { colour: true });
  expect(coloured.stdout).toContain("an \x1b[1mError\x1b[22m");
  expect(JSON.parse((await padi.run(["search", "error", "--json"])).stdout)).toMatchObject({
    truncated: true,
  });
});

const event = (seq: number, kind: StateEvent["kind"]): StateEvent => ({
  seq,
  id: A,
  kind,
  state: "awaiting",
  since: 0,
  at: 60_000,
  intent: "parser",
});

test("watch with a state knob is a subscription: told, acknowledged, and closed at the end", async () => {
  const asked: unknown[] = [];
  let left = (): void => {};
  const batches = [[event(5, "snapshot")], [event(6, "transition"), event(7, "nag")]];
  await using padi = await startTestPadi({
    ...listing,
    "watch.open": ({ name, ...question }) => {
      asked.push(question);
      return { name, acknowledged: 4, reattached: false };
    },
    "watch.next": ({ name, after }) => {
      asked.push({ after });
      const events = batches.shift();
      if (!events) {
        left();
        return new Promise<never>(() => {});
      }
      const ackAfter = events.at(-1)!.seq;
      return { id: name, result: "met", met: { events, dropped: 0, ackAfter, elapsedMs: 0 } };
    },
    async *"terminals.watch"() {
      yield { kind: "snapshot", boot: "b", revision: 1, rows: [testRecord(A)] };
      await new Promise<void>((resolve) => {
        left = resolve;
      });
      yield { kind: "delta", revision: 2, upserts: [], removals: [A] };
    },
    "watch.close": (params) => {
      asked.push(Object.keys(params));
      return {};
    },
  });
  const ran = await padi.run(["watch", "aaa", "--states", "awaiting", "--nag", "5m", "--ignore", "b"]);
  expect(ran.code).toBe(3);
  expect(ran.stdout.replaceAll(/^\d\d:\d\d:\d\d/gm, "T")).toBe(
    [
      "T  aaaaaaaa  snapshot    awaiting  60 s  parser",
      "T  aaaaaaaa  transition  awaiting  60 s  parser",
      "T  aaaaaaaa  nag         awaiting  60 s  parser",
      "",
    ].join("\n"),
  );
  expect(asked).toEqual([
    { keepMs: 600_000, ids: [A], states: ["awaiting"], nagMs: 300_000, ignoreIds: [B] },
    { after: undefined },
    { after: 5 },
    { after: 7 },
    ["name"],
  ]);
});

test("watch leaves terminals out, and beats at once", async () => {
  await using padi = await startTestPadi({
    ...listing,
    async *"terminals.watch"() {
      yield { kind: "snapshot", boot: "b", revision: 1, rows: [testRecord(A), testRecord(B)] };
    },
  });
  const { stdout } = await padi.run(["watch", "--json", "--ignore", "aaa", "--heartbeat", "1h"]);
  const events = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(events.map(({ kind, id }) => [kind, id])).toEqual([
    ["heartbeat", undefined],
    ["terminal", B],
  ]);
});

test("status counts who needs somebody", async () => {
  const hello = {
    name: "kaval",
    protocol: "1.0",
    buildId: "0.1.0",
    pid: 8,
    bootId: "k",
    stateRoot: "/s",
    startedAtMs: Date.now() - 3_600_000,
  };
  await using padi = await startTestPadi({
    ...listing,
    "status.watch": async function* () {
      yield {
        padi: { ...hello, name: "padi", pid: 7 },
        kaval: { state: "connected", hello, adopted: true, sinceMs: 0 },
      };
    },
    stats: () => ({ rssBytes: 80 * 1024 * 1024, kavalRssBytes: null, clients: 1 }),
  });
  const { code, stdout } = await padi.run(["status"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^padi +running for 60 min +pid 7 .*80 MB$/m);
  expect(stdout).toContain("2 terminals alive, of their agents 0 need somebody, 0 work, 0 wait\n");
  expect(JSON.parse((await padi.run(["status", "--json"])).stdout)).toMatchObject({
    terminals: { active: 2 },
  });
});

test("stop says yes to nothing that was not asked", async () => {
  const drained: unknown[] = [];
  await using padi = await startTestPadi({
    ...listing,
    drain: (params) => {
      drained.push(params);
      return {};
    },
  });
  expect(await padi.run(["stop", "--yes"])).toEqual({
    code: 1,
    stdout: "",
    stderr: "kolu: --yes belongs to --all: nothing else asks for it.\n",
  });
  expect(drained).toEqual([]);
});

test("completion offers the ids of the moment, and nothing where no kolu runs", async () => {
  await using padi = await startTestPadi(listing);
  expect(await padi.run(["completion", "ids"])).toEqual({
    code: 0,
    stdout: "aaaaaaaa\tbash\nbbbbbbbb\tbash\n",
    stderr: "",
  });
  expect(await padi.run(["completion", "ids", "--socket", "/nowhere/padi.sock"])).toEqual({
    code: 0,
    stdout: "",
    stderr: "",
  });
  expect(await padi.run(["completion", "csh"])).toMatchObject({ code: 1 });
});
