import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createScreenHost, type ScreenHost } from "./screen-host.ts";
import type { FromWorker, Question } from "./screen-messages.ts";

let told: FromWorker[] = [];
let host: ScreenHost;
let collections = 0;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  told = [];
  host = createScreenHost(
    { hostname: "box", version: "1" },
    (message) => void told.push(message),
    () => void collections++,
  );
  host.receive({
    kind: "open",
    screen: 1,
    cols: 40,
    rows: 10,
    colors: { foreground: "#ffffff", background: "#000000", cursor: "#ffffff" },
    markNonce: "n",
    resume: null,
    replay: null,
  });
});

afterEach(() => {
  host.dispose();
  vi.useRealTimers();
});

function write(text: string): void {
  host.receive({ kind: "write", screen: 1, bytes: new TextEncoder().encode(text) });
}

/** Lets everything that waits for a turn have it; no time passes. */
async function turn(): Promise<void> {
  for (let slice = 0; slice < 4; slice++) await new Promise((resolve) => setImmediate(resolve));
}

function only<K extends FromWorker["kind"]>(kind: K): (FromWorker & { kind: K })[] {
  return told.filter((message) => message.kind === kind) as (FromWorker & { kind: K })[];
}

function ask(ticket: number, question: Question): void {
  host.receive({ kind: "ask", screen: 1, ticket, question });
}

function askText(ticket: number): void {
  ask(ticket, { kind: "text", extent: { kind: "tail", lines: 5 } });
}

function texts(): unknown[] {
  return only("answer").map((message) => (message.answer as { text: string }).text);
}

describe("facts", () => {
  test("are told at once, then at most every 50 ms, the last one for sure", async () => {
    write("\x1b]2;one\x07");
    await turn();
    expect(only("facts").map((message) => message.facts.title)).toEqual(["one"]);
    for (const title of ["two", "three", "four"]) {
      write(`\x1b]2;${title}\x07`);
      await turn();
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(only("facts").length).toBe(1);
    await vi.advanceTimersByTimeAsync(20);
    expect(only("facts").map((message) => message.facts.title)).toEqual(["one", "four"]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(only("facts").length).toBe(2);
    write("\x1b]2;five\x07");
    await turn();
    expect(only("facts").at(-1)?.facts.title).toBe("five");
  });

  test("come after the parsed bytes that changed them, replies during them", async () => {
    write("\x1b]7501;?\x07\x1b]2;t\x07");
    await turn();
    expect(told.map((message) => message.kind)).toEqual(["reply", "parsed", "facts"]);
  });
});

describe("inside a synchronized frame", () => {
  test("a question waits for the end of the frame, over any number of reads", async () => {
    write("old\x1b[?2026h");
    await turn();
    askText(1);
    for (let piece = 0; piece < 24; piece++) {
      write(`${piece === 0 ? "\x1b[H\x1b[2J" : ""}${piece} `);
      await turn();
      expect(texts()).toEqual([]);
    }
    write("\x1b[?2026l");
    await turn();
    expect(texts()).toEqual(["0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n 17 18 19 20 21 22 23"]);
  });

  test("the answer is the frame that ended, though the next began in the same read", async () => {
    write("\x1b[?2026hfirst");
    askText(1);
    await turn();
    write(" whole\x1b[?2026l\x1b[?2026h\x1b[2Khalf");
    await turn();
    expect(texts()).toEqual(["first whole"]);
  });

  test("a program that never ends its frame delays one question, not all", async () => {
    write("stuck\x1b[?2026h");
    await turn();
    askText(1);
    await turn();
    await vi.advanceTimersByTimeAsync(99);
    expect(texts()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(texts()).toEqual(["stuck"]);
    askText(2);
    await turn();
    expect(texts()).toEqual(["stuck", "stuck"]);
  });

  test("what was parsed meanwhile is counted", async () => {
    write("a\x1b[?2026h");
    ask(1, { kind: "snapshot", scrollbackLines: 0 });
    await turn();
    write("b\x1b[?2026lc");
    await turn();
    const [message] = only("answer");
    const { vt, parsedBytes } = message!.answer as { vt: Uint8Array; parsedBytes: number };
    expect(parsedBytes).toBe("a\x1b[?2026hb\x1b[?2026l".length);
    expect(Buffer.from(vt).toString()).toContain("ab");
    expect(Buffer.from(vt).toString()).not.toContain("c");
  });
});

test("old rows are compressed once the flood is over", async () => {
  const lines = "some line\r\n".repeat(20_000);
  write(lines);
  for (let round = 0; round < 200; round++) {
    await turn();
    await vi.advanceTimersByTimeAsync(25);
  }
  expect(only("parsed").reduce((sum, message) => sum + message.bytes, 0)).toBe(lines.length);
  ask(1, { kind: "history", page: { maxLines: 20_000 } });
  await turn();
  const page = only("answer").at(-1)!.answer as { lines: string[] };
  expect(page.lines.length).toBe(10_000);
  expect(vi.getTimerCount()).toBe(0);
});

test("a saved screen comes back as history under a divider, or as it was", async () => {
  write("\x1b]2;title\x07\x1b[1mwork\r\n\x1b[?2004h$ ");
  ask(1, { kind: "checkpoint" });
  await turn();
  const checkpoint = only("answer").at(-1)!.answer as never;
  for (const [screen, as] of [
    [2, "restored"],
    [3, "as-is"],
  ] as const) {
    const colors = { foreground: "#ffffff", background: "#000000", cursor: "#ffffff" };
    const resume = { checkpoint, as };
    host.receive({ kind: "open", screen, cols: 60, rows: 12, colors, markNonce: null, resume, replay: null });
    host.receive({
      kind: "ask",
      screen,
      ticket: screen,
      question: { kind: "text", extent: { kind: "tail", lines: 9 } },
    });
  }
  await turn();
  const [restored, asIs] = texts().slice(-2) as string[];
  expect(restored).toMatch(/^work\n\$\n── restored \d{4}-\d\d-\d\d \d\d:\d\d ──$/);
  expect(asIs).toBe("work\n$");
  expect(
    only("facts")
      .filter((message) => message.screen !== 1)
      .map((message) => [message.screen, message.facts.title]),
  ).toEqual([[3, "title"]]);
});

test("memory is collected once, a second after the last of several closes", async () => {
  for (let screen = 2; screen < 6; screen++) {
    const colors = { foreground: "#ffffff", background: "#000000", cursor: "#ffffff" };
    host.receive({
      kind: "open",
      screen,
      cols: 9,
      rows: 9,
      colors,
      markNonce: null,
      resume: null,
      replay: null,
    });
  }
  collections = 0;
  for (let screen = 2; screen < 6; screen++) {
    host.receive({ kind: "close", screen });
    await vi.advanceTimersByTimeAsync(900);
  }
  expect(collections).toBe(0);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(collections).toBe(1);
});

test("replayed output is neither answered nor reported again", async () => {
  const bytes = new TextEncoder().encode("\x1b[c\x07\x1b]2;old\x07\x1b]52;c;eA==\x07text");
  const colors = { foreground: "#ffffff", background: "#000000", cursor: "#ffffff" };
  const facts = { title: "known", cwd: "/", command: null, promptShown: true, program: [], progress: null };
  told = [];
  host.receive({
    kind: "open",
    screen: 2,
    cols: 40,
    rows: 10,
    colors,
    markNonce: null,
    resume: null,
    replay: { bytes, facts },
  });
  host.receive({
    kind: "ask",
    screen: 2,
    ticket: 1,
    question: { kind: "text", extent: { kind: "tail", lines: 1 } },
  });
  await turn();
  expect(told.map((message) => message.kind)).toEqual(["facts", "answer"]);
  expect(only("facts")[0]!.facts).toEqual(facts);
  expect(only("answer")[0]!.answer).toMatchObject({ text: "text", parsedBytes: 0 });
});
