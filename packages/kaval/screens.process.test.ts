import { afterEach, describe, expect, test } from "vitest";
import { createScreens, type ScreenEvents, type ScreenFacts, type Screens } from "./screens.ts";

interface Log extends ScreenEvents {
  parsed: Map<string, number>;
  replies: Map<string, string>;
  facts: Map<string, ScreenFacts>;
  faults: { error: Error; lostIds: string[] }[];
  /** Resolves when `condition` holds; looked at after every event. */
  until(condition: () => boolean): Promise<void>;
}

function createLog(): Log {
  const waiters = new Set<() => void>();
  const wake = (): void => {
    for (const waiter of waiters) waiter();
  };
  const log: Log = {
    parsed: new Map(),
    replies: new Map(),
    facts: new Map(),
    faults: [],
    onParsed(id, bytes) {
      log.parsed.set(id, (log.parsed.get(id) ?? 0) + bytes);
      wake();
    },
    onReply(id, bytes) {
      log.replies.set(id, (log.replies.get(id) ?? "") + Buffer.from(bytes).toString());
      wake();
    },
    onFacts(id, facts) {
      log.facts.set(id, facts);
      wake();
    },
    onNotice() {},
    onFault(error, lostIds) {
      log.faults.push({ error, lostIds });
      wake();
    },
    until(condition) {
      return new Promise((resolve) => {
        const check = (): void => {
          if (!condition()) return;
          waiters.delete(check);
          resolve();
        };
        waiters.add(check);
        check();
      });
    },
  };
  return log;
}

const COLORS = { foreground: "#ffffff", background: "#000000", cursor: "#ffffff" };
let screens: Screens | undefined;

afterEach(async () => {
  await screens?.dispose();
  screens = undefined;
});

function open(id: string, target = screens!): void {
  target.open({ id, cols: 80, rows: 24, colors: COLORS, markNonce: null });
}

test("text has everything written before it was asked, and every byte is reported parsed", async () => {
  const log = createLog();
  screens = createScreens(log);
  for (const id of ["a", "b", "c"]) open(id);
  const buffer = Buffer.alloc(4_096);
  for (let line = 0; line < 30_000; line++) {
    const length = buffer.write(`line ${line}\r\n`);
    // The buffer is used again at once, as a PTY's reader does.
    screens.write(line % 3 === 0 ? "a" : line % 3 === 1 ? "b" : "c", buffer.subarray(0, length));
  }
  const answers = await Promise.all(
    ["a", "b", "c"].map((id) => screens!.text(id, { kind: "tail", lines: 2 })),
  );
  expect(answers.map((answer) => answer.text)).toEqual([
    "line 29994\nline 29997",
    "line 29995\nline 29998",
    "line 29996\nline 29999",
  ]);
  expect(answers.map((answer) => answer.parsedBytes)).toEqual(
    ["a", "b", "c"].map((id) => log.parsed.get(id)),
  );
});

test("a resize takes effect between the bytes before and after it", async () => {
  screens = createScreens(createLog());
  open("a");
  screens.write("a", Buffer.from("\x1b[1;70Hx"));
  screens.resize("a", 40, 10);
  screens.write("a", Buffer.from(`\x1b[3;1H${"y".repeat(41)}`));
  const { text, cols, rows } = await screens.text("a", { kind: "screen" });
  expect([cols, rows]).toEqual([40, 10]);
  expect(text).toContain(`${"y".repeat(40)}\ny`);
});

test("replies, facts and a snapshot come over the thread", async () => {
  const log = createLog();
  screens = createScreens(log, { version: "9.9" });
  open("a");
  screens.setColors("a", { ...COLORS, background: "#123456" });
  screens.write("a", Buffer.from("\x1b[>q\x1b]11;?\x07\x1b]2;hello\x07\x1b[1mbold"));
  const { vt, cols, rows, parsedBytes } = await screens.snapshot("a", 100);
  expect(Buffer.from(vt).toString()).toContain("\x1b[1mbold");
  expect([cols, rows, parsedBytes]).toEqual([80, 24, log.parsed.get("a")]);
  expect(log.replies.get("a")).toBe("\x1bP>|kolu(9.9)\x1b\\\x1b]11;rgb:1212/3434/5656\x1b\\");
  await log.until(() => log.facts.get("a")?.title === "hello");
});

test("a flooding terminal does not keep a small one of the same worker waiting", async () => {
  const log = createLog();
  screens = createScreens(log, { workers: 1 });
  open("flood");
  open("small");
  const megabyte = Buffer.alloc(1024 * 1024, "0123456789 some output that floods\r\n");
  for (let count = 0; count < 16; count++) screens.write("flood", megabyte);
  screens.write("small", Buffer.from("echo"));
  const { text } = await screens.text("small", { kind: "screen" });
  expect(text.trimEnd()).toBe("echo");
  expect(log.parsed.get("flood") ?? 0).toBeLessThan(megabyte.length);
});

test("a closed screen's questions are refused, and its id is free again", async () => {
  screens = createScreens(createLog());
  open("a");
  const pending = screens.text("a", { kind: "all" });
  screens.close("a");
  await expect(pending).rejects.toMatchObject({ kind: "terminal-not-found" });
  await expect(screens.text("a", { kind: "all" })).rejects.toMatchObject({ kind: "terminal-not-found" });
  expect(() => screens!.write("a", Buffer.from("x"))).toThrow();
  open("a");
  screens.write("a", Buffer.from("new"));
  expect((await screens.text("a", { kind: "tail", lines: 1 })).text).toBe("new");
});

describe("a worker that dies", () => {
  const workerUrl = new URL("./fixtures/mortal-screen-worker.ts", import.meta.url);

  test("is replaced, and its owner learns which screens to open again", async () => {
    const log = createLog();
    screens = createScreens(log, { workers: 2, workerUrl });
    // Four screens are the first worker's, the fifth is the second's.
    for (const id of ["a", "c", "d", "e", "b"]) open(id);
    await screens.text("a", { kind: "all" });
    const lost = screens.text("c", { kind: "all" }).catch((error: Error) => error.message);
    screens.write("a", Buffer.from("DIE"));
    await log.until(() => log.faults.length > 0);
    expect(log.faults[0]!.lostIds).toEqual(["a", "c", "d", "e"]);
    // Bytes that nobody will parse now count as parsed: the backlog is gone.
    expect(log.parsed.get("a")).toBe(3);
    await expect(screens.text("a", { kind: "all" })).rejects.toThrow();
    await lost;
    const facts = { title: "t", cwd: null, command: null, promptShown: null, program: [], progress: null };
    screens.open({
      id: "a",
      cols: 80,
      rows: 24,
      colors: COLORS,
      markNonce: null,
      replay: { bytes: Buffer.from("\x1b[cfrom the ring"), facts },
    });
    screens.write("a", Buffer.from(", going on"));
    expect((await screens.text("a", { kind: "tail", lines: 1 })).text).toBe("from the ring, going on");
    expect(log.replies.get("a")).toBeUndefined();
    screens.write("b", Buffer.from("unharmed"));
    expect((await screens.text("b", { kind: "tail", lines: 1 })).text).toBe("unharmed");
  });
});
