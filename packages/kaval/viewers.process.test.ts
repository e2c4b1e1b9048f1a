// Many viewers, one terminal: catching up, not slowing each other down, whose grid counts, input written once.
import { createHash, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { VIEWER_WINDOW_BYTES } from "@kolu/contract/limits.ts";
import { expect, test } from "vitest";
import { startKaval, type TestKaval, type TestViewer } from "./start-kaval.ts";

/** A program that echoes each line that it reads, raw, so that output is exactly what it says. */
const ECHO = "stty raw -echo; printf 'ready|'; while IFS= read -r line; do printf '%s|' \"$line\"; done";

test("a multi-byte character and a synchronised frame pass whole, however they are cut", async () => {
  await using kaval = await startKaval();
  const pieces = Array.from({ length: 22 }, (_, n) => `\x1b[${n + 1};1H漢字${n}`);
  const frame = ["\x1b[?2026h", ...pieces, "\x1b[?2026l"];
  // One read of the PTY for each piece: the program goes on when it is told.
  const parts = frame.map((piece) => `printf '%b' '${octal(piece)}'; read x`).join("; ");
  const id = await kaval.sh(`stty raw -echo; ${parts}`);
  await using viewer = await kaval.attach(id, { from: "last-input" });
  let expected = "";
  for (const piece of frame) {
    expected += piece;
    await viewer.untilText(expected);
    viewer.type("\n");
  }
  await viewer.untilExit();
  expect(viewer.text).toBe(expected);

  const cut = await kaval.sh("printf '\\342'; sleep 0.02; printf '\\224'; sleep 0.02; printf '\\200x'");
  await using whole = await kaval.attach(cut, { from: "last-input" });
  await whole.untilExit();
  expect(whole.text).toBe("─x");
});

function octal(text: string): string {
  return [...Buffer.from(text)].map((byte) => `\\0${byte.toString(8).padStart(3, "0")}`).join("");
}

test("twenty reconnects under output leave no gap and no repeat", async () => {
  await using kaval = await startKaval();
  const id = await kaval.sh(
    "i=0; while [ $i -lt 4000 ]; do echo line $i; i=$((i+1)); [ $((i%40)) -eq 0 ] && sleep 0.002; done; read stop",
  );
  let all = Buffer.alloc(0);
  let place: { boot: string; offset: number } | null = null;
  for (let round = 0; round < 20; round++) {
    const viewer: TestViewer = await kaval.attach(id, place ?? { from: "last-input" });
    const wanted = (round + 1) * 2000;
    await viewer.until(
      () => viewer.frames.length > 0 && all.length + viewer.bytes.length >= wanted,
      `${wanted} bytes`,
    );
    expect(viewer.frames[0]?.kind).toBe("resume");
    // What the viewer kept when its link dropped, not all that was sent to it.
    all = Buffer.concat([all, viewer.bytes]);
    place = viewer.place;
    await viewer[Symbol.asyncDispose]();
  }
  await using last = await kaval.attach(id, place ?? {});
  const lines = Array.from({ length: 4000 }, (_, n) => `line ${n}\r\n`).join("");
  await last.until(() => all.length + last.bytes.length >= lines.length, "the end");
  expect(Buffer.concat([all, last.bytes]).toString()).toBe(lines);
});

test("a viewer that does not read slows nobody, costs a window at most, and is resynchronised", async () => {
  await using kaval = await startKaval();
  const megabytes = 20;
  const id = await kaval.sh(
    `stty raw -echo; read go; head -c ${megabytes * 1024 * 1024} /dev/zero | tr '\\0' x; printf END; read stop`,
  );
  await using slow = await kaval.attach(id);
  slow.acknowledges = false;
  await using fast = await kaval.attach(id);
  await fast.until(() => fast.frames.length > 0);
  const before = (await kaval.client.call("stats", {})).rssBytes;
  fast.type("\n");
  let seen = 0;
  let frames = 0;
  await fast.until(() => {
    for (; frames < fast.frames.length; frames++) {
      const frame = fast.frames[frames]!;
      if (frame.kind === "output") seen += frame.bytes.length;
    }
    return seen >= megabytes * 1024 * 1024 + 3;
  }, "all of it");
  const slowSeen = slow.offset;
  expect(slowSeen).toBeLessThanOrEqual(VIEWER_WINDOW_BYTES + 64 * 1024);
  const { rssBytes } = await kaval.client.call("stats", {});
  expect(rssBytes - before).toBeLessThan(200 * 1024 * 1024);
  expect(slow.frames.filter((frame) => frame.kind === "snapshot")).toHaveLength(1);
  slow.acknowledges = true;
  slow.send({ kind: "ack", offset: slow.offset });
  await slow.until(() => slow.offset === fast.offset, "the same place");
  expect(slow.frames.filter((frame) => frame.kind === "snapshot")).toHaveLength(2);
  slow.type("\n");
  await slow.untilExit();
});

test("looking changes no grid; the first size, then whoever types or focuses, has it", async () => {
  await using kaval = await startKaval();
  const id = await kaval.sh("stty -echo; trap 'stty size' WINCH; echo ready; while :; do read x; done");
  await using laptop = await kaval.attach(id, { viewer: randomUUID() });
  await laptop.untilText("ready");
  laptop.send({ kind: "resize", cols: 160, rows: 40 });
  await laptop.untilText("40 160");
  await using phone = await kaval.attach(id, { viewer: randomUUID() });
  await using onlooker = await kaval.attach(id, { role: "observer" });
  await phone.until(() => phone.frames.length > 0);
  phone.send({ kind: "resize", cols: 45, rows: 60 });
  onlooker.send({ kind: "resize", cols: 20, rows: 20 });
  onlooker.send({ kind: "focus", focused: true });
  onlooker.type("x");
  await onlooker.until(() => onlooker.frames.some((frame) => frame.kind === "input-refused"), "a refusal");
  // The refusal came after the sizes: had one of them counted, it would be the grid by now.
  expect(await gridOf(kaval, id)).toBe("160x40");
  expect(phone.frames[0]).toMatchObject({ kind: "snapshot", cols: 160, rows: 40 });

  phone.send({ kind: "focus", focused: true });
  await laptop.until(() => laptop.grids.includes("45x60"), "the phone's grid");
  await phone.untilText("60 45");
  laptop.type("\n");
  await phone.until(() => phone.grids.at(-1) === "160x40", "the laptop's grid");
  phone.send({ kind: "focus", focused: true });
  await laptop.until(() => laptop.grids.at(-1) === "45x60", "the phone's grid again");
  // Once the phone is gone for good the laptop need not stay narrow until somebody touches it.
  phone.close();
  await laptop.until(() => laptop.grids.at(-1) === "160x40", "its own grid again");
});

async function gridOf(kaval: TestKaval, id: string): Promise<string> {
  const { terminals } = await kaval.client.call("terminal.list", {});
  const row = terminals.find((one) => one.id === id)!;
  return `${row.cols}x${row.rows}`;
}

test("a grid frame stands where in the output the grid changed", async () => {
  await using kaval = await startKaval();
  const id = await kaval.sh("stty raw -echo; printf before; read x; printf after; read y");
  await using viewer = await kaval.attach(id, { from: "last-input" });
  await viewer.untilText("before");
  await kaval.client.call("terminal.resize", { id, cols: 100, rows: 50 });
  viewer.type("\n");
  await viewer.untilText("after");
  const place = { boot: viewer.place.boot, offset: 0 };
  await using later = await kaval.attach(id, place);
  await later.untilText("after");
  const order = (frames: TestViewer["frames"]): string[] =>
    frames.flatMap((frame) => {
      if (frame.kind === "output") return [Buffer.from(frame.bytes).toString()];
      return frame.kind === "grid" ? [`${frame.cols}x${frame.rows}`] : [];
    });
  expect(order(later.frames)).toEqual(["80x24", "before", "100x50", "after"]);
});

test("input sent again after a reconnect is written once, in order", async () => {
  await using kaval = await startKaval();
  const id = await kaval.sh(ECHO);
  const name = randomUUID();
  const sent: string[] = [];
  let boot = "";
  for (let round = 0; round < 10; round++) {
    await using viewer = await kaval.attach(id, { viewer: name });
    await viewer.untilText("ready|");
    boot = viewer.place.boot;
    // As a page would after a dropped link: everything that was never acknowledged is sent again, then more.
    const from = Math.max(0, sent.length - 3);
    for (let seq = from; seq < from + 8; seq++) {
      sent[seq] ??= `word${seq}`;
      viewer.send({ kind: "input", seq, bytes: Buffer.from(`${sent[seq]}\n`) });
    }
    const last = from + 7;
    await viewer.until(
      () => viewer.frames.some((frame) => frame.kind === "input-ack" && frame.seq === last),
      "the last acknowledgement",
    );
  }
  await using viewer = await kaval.attach(id, { boot, offset: 0 });
  await viewer.untilText(`|${sent.at(-1)}|`);
  expect(viewer.text).toContain(`ready|${sent.join("|")}|`);
});

test("the same viewer attached again replaces its older connection", async () => {
  await using kaval = await startKaval();
  const id = await kaval.sh(ECHO);
  const name = randomUUID();
  await using first = await kaval.attach(id, { viewer: name });
  await using second = await kaval.attach(id, { viewer: name });
  await first.untilClosed();
  second.type("still here\n");
  await second.untilText("still here|");
  expect((await kaval.client.call("stats", {})).viewers).toBe(1);
});

test("a program that does not read its megabyte holds up nobody else, then gets it whole", async () => {
  await using kaval = await startKaval();
  const out = join(kaval.home, "pasted");
  const stuck = await kaval.sh(
    `stty raw -echo; echo ready; read -r go < fifo; head -c 1048576 > ${out}; echo done`,
    {
      cwd: await withFifo(kaval),
    },
  );
  await using pasting = await kaval.attach(stuck);
  await pasting.untilText("ready");
  const pasted = Buffer.alloc(1024 * 1024, "The quick brown fox. ");
  pasting.type(pasted);

  const echo = await kaval.sh(ECHO);
  await using typist = await kaval.attach(echo);
  await typist.untilText("ready|");
  const cpuBefore = await cpuTicks(kaval.pid);
  for (let n = 0; n < 100; n++) {
    typist.type(`word${n}\n`);
    await typist.untilText(`|word${n}|`);
  }
  // A spin would burn every tick of the time taken; a hundred echoes cost a few.
  const { terminals } = await kaval.client.call("terminal.list", {});
  expect(terminals.find((one) => one.id === stuck)!.inputQueuedBytes).toBeGreaterThan(900_000);
  expect((await cpuTicks(kaval.pid)) - cpuBefore).toBeLessThan(150);

  await kaval.sh("echo go > fifo", { cwd: kaval.home });
  await pasting.untilText("done");
  const hash = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
  expect(hash(await readFile(out))).toBe(hash(pasted));
});

async function withFifo(kaval: TestKaval): Promise<string> {
  const id = await kaval.sh("mkfifo fifo", { cwd: kaval.home });
  await using viewer = await kaval.attach(id);
  await viewer.untilExit();
  return kaval.home;
}

/** Processor time of a process so far, in hundredths of a second. */
async function cpuTicks(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

test("what the queue has no room for is refused with what waits, by frame and by call", async () => {
  await using kaval = await startKaval();
  const id = await kaval.sh("stty raw -echo; echo ready; sleep 100");
  await using viewer = await kaval.attach(id);
  await viewer.untilText("ready");
  const half = "y".repeat(5 * 1024 * 1024);
  const answer = await kaval.client.call("terminal.input", { id, text: half });
  expect(answer.bytes).toBe(half.length);
  expect(answer.queuedBytes).toBeGreaterThan(4 * 1024 * 1024);
  await expect(kaval.client.call("terminal.input", { id, text: half })).rejects.toMatchObject({
    kind: "input-queue-full",
    data: { id },
  });
  const seq = viewer.type("k");
  await viewer.until(() => viewer.frames.some((frame) => frame.kind === "input-refused"), "a refusal");
  expect(viewer.frames.find((frame) => frame.kind === "input-refused")).toMatchObject({ seq });
});
