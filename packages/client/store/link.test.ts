import { WebCloseCode } from "@kolu/contract/web.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Link, type LinkSocket, type LinkState, openLink, retryDelayMs } from "./link.ts";

class FakeSocket implements LinkSocket {
  bufferedAmount = 0;
  sent: { id: number; method: string }[] = [];
  closed = false;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.closed = true;
  }
  answerHello(protocol = "1.0"): void {
    const call = this.sent.findLast((message) => message.method === "hello")!;
    const result = {
      name: "padi",
      protocol,
      buildId: "test",
      pid: 1,
      bootId: "boot",
      stateRoot: "/tmp/x",
      startedAtMs: 0,
    };
    this.onmessage?.({ data: JSON.stringify({ jsonrpc: "2.0", id: call.id, result }) });
  }
}

let sockets: FakeSocket[];
let states: LinkState[];
let rounds: AbortSignal[];
let signedIn: boolean | null;
let link: Link;

const last = (): FakeSocket => sockets.at(-1)!;
const kind = (): string => states.at(-1)!.kind;

beforeEach(() => {
  vi.useFakeTimers();
  sockets = [];
  states = [];
  rounds = [];
  signedIn = true;
  link = openLink({
    openSocket() {
      sockets.push(new FakeSocket());
      return last();
    },
    isSignedIn: async () => signedIn,
    onState: (state) => states.push(state),
    onLive: (_padi, signal) => rounds.push(signal),
    now: () => Date.now(),
  });
});
afterEach(() => {
  link.close();
  vi.useRealTimers();
});

async function goLive(): Promise<void> {
  last().onopen?.();
  last().answerHello();
  await vi.advanceTimersByTimeAsync(0);
}

test("only an answer makes the link live, not an open socket", async () => {
  last().onopen?.();
  expect(kind()).toBe("connecting");
  last().answerHello();
  await vi.advanceTimersByTimeAsync(0);
  expect(kind()).toBe("live");
  expect(rounds).toHaveLength(1);
});

test("a lost link is dialled again at once, then at a slowing pace", async () => {
  await goLive();
  last().onclose?.({ code: 1006, reason: "" });
  expect(kind()).toBe("lost");
  expect(rounds[0]!.aborted).toBe(true);
  await vi.advanceTimersByTimeAsync(0);
  expect(sockets).toHaveLength(2);
  last().onclose?.({ code: 1006, reason: "" });
  await vi.advanceTimersByTimeAsync(249);
  expect(sockets).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(sockets).toHaveLength(3);
  expect([0, 1, 2, 3, 4, 5, 99].map(retryDelayMs)).toEqual([0, 250, 500, 1000, 2000, 5000, 5000]);
});

test("every new connection starts a round of subscriptions", async () => {
  await goLive();
  last().onclose?.({ code: WebCloseCode.padiLost, reason: "padi went away" });
  expect(states.at(-1)).toMatchObject({ kind: "lost", cause: "padi", detail: "padi went away" });
  await vi.advanceTimersByTimeAsync(0);
  await goLive();
  expect(kind()).toBe("live");
  expect(rounds).toHaveLength(2);
  expect(rounds[1]!.aborted).toBe(false);
});

test("a call while the link is down fails at once and says so", async () => {
  await expect(link.padi.call("hello", {})).rejects.toThrow("Not connected");
});

test("waking a lost link dials without waiting for the pace", async () => {
  await goLive();
  for (let i = 0; i < 6; i++) {
    last().onclose?.({ code: 1006, reason: "" });
    await vi.advanceTimersByTimeAsync(retryDelayMs(i));
  }
  last().onclose?.({ code: 1006, reason: "" });
  const before = sockets.length;
  link.wake();
  expect(sockets).toHaveLength(before + 1);
});

test("waking a live link that no longer answers drops it", async () => {
  await goLive();
  link.wake();
  await vi.advanceTimersByTimeAsync(2_999);
  expect(kind()).toBe("live");
  await vi.advanceTimersByTimeAsync(1);
  expect(kind()).toBe("lost");
});

test("a server that does not know the browser is told apart from one that is away", async () => {
  await goLive();
  signedIn = null;
  for (let i = 0; i < 2; i++) {
    last().onclose?.({ code: 1006, reason: "" });
    await vi.advanceTimersByTimeAsync(retryDelayMs(i));
  }
  expect(kind()).toBe("lost");
  signedIn = false;
  last().onclose?.({ code: 1006, reason: "" });
  await vi.advanceTimersByTimeAsync(0);
  expect(kind()).toBe("signed-out");
});

test("a restart does not spin", async () => {
  await goLive();
  link.restart();
  await vi.advanceTimersByTimeAsync(999);
  expect(sockets).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(sockets).toHaveLength(2);
});

test("a dial that never opens is given up", async () => {
  await vi.advanceTimersByTimeAsync(8_000);
  expect(sockets[0]!.closed).toBe(true);
});

test("a padi of another version ends the dialling: only a reload helps", async () => {
  last().onopen?.();
  last().answerHello("2.0");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(states.at(-1)).toMatchObject({ kind: "outdated", detail: "2.0" });
  expect(sockets).toHaveLength(1);
  expect(rounds).toEqual([]);
});

test("a padi with newer members than this page needs is spoken to", async () => {
  last().onopen?.();
  last().answerHello("1.7");
  await vi.advanceTimersByTimeAsync(0);
  expect(kind()).toBe("live");
});
