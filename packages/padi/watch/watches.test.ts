import { mkdtempSync, rmSync } from "node:fs";
import type { AgentReading } from "@kolu/contract/agent.ts";
import { WATCH_QUEUE_MAX } from "@kolu/contract/limits.ts";
import type { RefusalKind } from "@kolu/contract/refusals.ts";
import type { WatchEvent, WatchFrame, WatchNextParams, WatchOpenParams } from "@kolu/contract/watch.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type AttentionWatch, watchAttention } from "../attention/watch.ts";
import { openPadiDb, type PadiDb } from "../db/db.ts";
import { change } from "../terminals/record.ts";
import { openStore, type TerminalStore } from "../terminals/store.ts";
import { testAgent, testId, testRecord } from "../test-records.ts";
import { openWatches, type Watches } from "./watches.ts";

let root: string;
let db: PadiDb;
let store: TerminalStore;
let attention: AttentionWatch;
let watches: Watches;

beforeEach(() => {
  root = mkdtempSync("/tmp/padi-watches-");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  start();
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  rmSync(root, { recursive: true });
});

const now = (): number => Date.now();

function start(): void {
  db = openPadiDb(root);
  const onFault = (message: string, cause: unknown): never => expect.unreachable(`${message}: ${cause}`);
  store = openStore({ db, boot: "b", now, onFault });
  const reportsTurns = (kind: string): boolean => kind !== "silent";
  attention = watchAttention({ store, reportsTurns, now });
  attention.setListening(true);
  watches = openWatches({ db, store, attention, reportsTurns, met: Promise.resolve(), now, onFault });
  for (const record of store.all()) if (record.life === "active") attention.expectOld(record.id);
}

function stop(): void {
  watches.dispose();
  attention.dispose();
  store.close();
  db.close();
}

/** The next padi begins with what is on disk. */
function restart(): void {
  stop();
  start();
}

function reads(n: number, state: Parameters<typeof testAgent>[0], more: Partial<AgentReading> = {}): void {
  const agent = testAgent(state, { sinceMs: now(), ...more });
  store.update(testId(n), (record) => change(record, { agent }), "now");
}

const open = (params: Partial<WatchOpenParams> = {}) => watches.open({ name: "w", ...params });
const next = (params: Partial<WatchNextParams> = {}): Promise<WatchFrame> =>
  watches.next({ name: "w", timeoutMs: 1, ...params }, new AbortController().signal);

/** What is in the queue, without taking it. */
async function queued(): Promise<[number, string, number][]> {
  const frame = await next();
  if (frame.result !== "met") return [];
  return frame.met.events.map((event) => [Number(event.id.slice(-4)), event.kind, event.seq]);
}

const kinds = async (): Promise<[number, string][]> => (await queued()).map(([n, kind]) => [n, kind]);

async function refusalOf(work: () => unknown): Promise<RefusalKind> {
  try {
    await work();
  } catch (error) {
    return (error as { kind: RefusalKind }).kind;
  }
  return expect.unreachable("it was not refused");
}

test("a feed tells what happens after it was opened, with the terminal's place", async () => {
  store.insert(testRecord(1));
  reads(1, "awaiting");
  open();
  store.insert(testRecord(2, { parentId: testId(1), intent: "parser" }));
  reads(2, "thinking");
  reads(2, "awaiting");
  store.remove(testId(2), { kavalMayHold: false });
  const frame = await next();
  expect(frame).toMatchObject({
    id: "w",
    result: "met",
    met: {
      dropped: 0,
      events: [
        { id: testId(2), kind: "asking", parentId: testId(1), intent: "parser" },
        { id: testId(2), kind: "gone", parentId: testId(1), intent: "parser" },
      ],
    },
  });
});

test("a terminal whose shell ended badly is gone for a feed, and told so once", async () => {
  store.insert(testRecord(1));
  open();
  store.update(testId(1), (record) => change(record, { life: "exited" }), "now");
  store.remove(testId(1), { kavalMayHold: false });
  expect(await kinds()).toEqual([[1, "gone"]]);
});

test("a turn is told to a feed when it has been quiet", async () => {
  store.insert(testRecord(1));
  open();
  reads(1, "thinking");
  reads(1, "waiting");
  expect(await kinds()).toEqual([]);
  vi.advanceTimersByTime(5_000);
  expect(await kinds()).toEqual([[1, "finished"]]);
});

test("a level leads with what stands, and tells again by the clock", async () => {
  store.insert(testRecord(1));
  reads(1, "waiting");
  open({ nagMs: 1_000 });
  vi.advanceTimersByTime(2_500);
  expect(await kinds()).toEqual([
    [1, "snapshot"],
    [1, "nag"],
    [1, "nag"],
  ]);
});

test("a level tells a state when it has held, with how long", async () => {
  store.insert(testRecord(1));
  open({ heldForMs: 60_000 });
  reads(1, "awaiting");
  vi.advanceTimersByTime(59_999);
  expect(await kinds()).toEqual([]);
  vi.advanceTimersByTime(1);
  const frame = await next();
  const event = (frame as Extract<WatchFrame, { result: "met" }>).met.events[0] as WatchEvent & {
    since: number;
  };
  expect(event).toMatchObject({ kind: "transition", state: "awaiting" });
  expect(event.at - event.since).toBe(60_000);
});

test("an agent that says nothing of its turns is never reported", async () => {
  store.insert(testRecord(1));
  reads(1, "waiting", { kind: "silent" });
  open({ states: ["waiting"] });
  expect(await kinds()).toEqual([]);
});

test("a call that waits is answered by the event, and by nothing else", async () => {
  store.insert(testRecord(1));
  open();
  const answer = next({ timeoutMs: 60_000 });
  reads(1, "awaiting");
  expect(await answer).toMatchObject({ result: "met", met: { events: [{ kind: "asking" }] } });
});

test("the queue, its numbers and what was told outlive padi", async () => {
  store.insert(testRecord(1));
  store.insert(testRecord(2));
  open();
  reads(1, "awaiting");
  reads(2, "awaiting");
  const before = await queued();
  restart();
  expect(await queued()).toEqual(before);
  reads(1, "awaiting", { sinceMs: store.savedReading(testId(1))!.sinceMs });
  reads(2, "awaiting", { sinceMs: now() + 1 });
  expect((await queued()).slice(2)).toEqual([[2, "asking", before[1]![2] + 1]]);
});

test("an acknowledgement outlives padi", async () => {
  store.insert(testRecord(1));
  open();
  reads(1, "awaiting");
  const [[, , seq]] = (await queued()) as [[number, string, number]];
  await next({ after: seq });
  restart();
  expect(await next()).toMatchObject({ result: "timeout" });
  expect(open()).toEqual({ name: "w", acknowledged: seq, reattached: true });
});

test("a death while padi was away is told", async () => {
  store.insert(testRecord(1));
  open();
  stop();
  const other = openPadiDb(root);
  other.terminals.remove(testId(1));
  other.close();
  start();
  expect(await kinds()).toEqual([[1, "gone"]]);
});

test("a state that is gone after the restart is not told, although its end was not seen", async () => {
  store.insert(testRecord(1));
  reads(1, "waiting");
  open({ nagMs: 60_000 });
  restart();
  await Promise.resolve();
  vi.advanceTimersByTime(15_000);
  reads(1, "waiting", { sinceMs: now() });
  expect((await kinds()).at(-1)).toEqual([1, "transition"]);
});

test("reopening with the same knobs keeps the queue and leads with what stands; with others it begins anew", async () => {
  store.insert(testRecord(1));
  reads(1, "awaiting");
  open({ heldForMs: 0 });
  expect(open({ states: ["waiting", "awaiting"] }).reattached).toBe(true);
  expect(await kinds()).toEqual([
    [1, "snapshot"],
    [1, "snapshot"],
  ]);
  expect(open({ nagMs: 5 }).reattached).toBe(false);
  expect(await kinds()).toEqual([[1, "snapshot"]]);
});

test("reopening rebuilds the scope: what is muted leaves the queue, what is left out is heard again", async () => {
  for (const n of [1, 2]) store.insert(testRecord(n));
  open();
  for (const n of [1, 2]) reads(n, "awaiting");
  open({ ignoreIds: [testId(1)] });
  expect(await kinds()).toEqual([[2, "asking"]]);
  reads(1, "thinking");
  open();
  reads(1, "awaiting");
  expect(await kinds()).toEqual([
    [2, "asking"],
    [1, "asking"],
  ]);
});

test("one's own terminal is muted, and the others are not", async () => {
  for (const n of [1, 2]) store.insert(testRecord(n));
  open({ ignoreSelf: true, callerTerminalId: testId(1) });
  for (const n of [1, 2]) reads(n, "awaiting");
  expect(await kinds()).toEqual([[2, "asking"]]);
});

test("more than the queue holds is counted and told, also after a restart", async () => {
  open();
  for (let n = 1; n <= WATCH_QUEUE_MAX + 5; n++) {
    store.insert(testRecord(n));
    reads(n, "awaiting");
  }
  restart();
  const frame = (await next()) as Extract<WatchFrame, { result: "met" }>;
  expect([frame.met.events.length, frame.met.dropped]).toEqual([WATCH_QUEUE_MAX, 5]);
  expect(await next({ after: frame.met.ackAfter })).toMatchObject({ result: "timeout" });
});

test("a subscription that nobody asks for is thrown away after a week, and not before", async () => {
  open();
  vi.advanceTimersByTime(6 * 86_400_000);
  await next();
  vi.advanceTimersByTime(6 * 86_400_000);
  open({ name: "other" });
  expect((await next()).result).toBe("timeout");
  vi.advanceTimersByTime(8 * 86_400_000);
  open({ name: "third" });
  expect(await refusalOf(next)).toBe("watch-not-found");
});

test("closing ends a call that waits", async () => {
  open();
  const waiting = next({ timeoutMs: 60_000 });
  watches.close("w");
  expect(await refusalOf(() => waiting)).toBe("watch-not-found");
  expect(await refusalOf(() => watches.close("w"))).toBe("watch-not-found");
});

const refusals: Record<string, [Partial<WatchOpenParams>, RefusalKind]> = {
  "no ids": [{ ids: [] }, "empty-ids"],
  "every id muted": [{ ids: [testId(1)], ignoreIds: [testId(1)] }, "muted-covers-include"],
  "the only id is one's own": [
    { ids: [testId(1)], ignoreSelf: true, callerTerminalId: testId(1) },
    "muted-covers-include",
  ],
  "oneself is nowhere": [{ ignoreSelf: true }, "ignore-self-unresolvable"],
  "oneself is blank": [{ ignoreSelf: true, callerTerminalId: "" }, "ignore-self-unresolvable"],
  "oneself is no id": [{ ignoreSelf: true, callerTerminalId: "tty1" }, "ignore-self-invalid"],
  "oneself is elsewhere": [{ ignoreSelf: true, callerTerminalId: testId(9) }, "ignore-self-not-in-fleet"],
};
test.each(Object.entries(refusals))(
  "a watch that would hear nothing is refused: %s",
  async (_title, [params, kind]) => {
    store.insert(testRecord(1));
    expect(await refusalOf(() => open(params))).toBe(kind);
  },
);

test("the sixty-fifth is refused, naming the others", async () => {
  for (let n = 0; n < 64; n++) open({ name: `w${n}` });
  expect(await refusalOf(() => open({ name: "one more" }))).toBe("watches-full");
  expect(open({ name: "w3" }).reattached).toBe(true);
});
