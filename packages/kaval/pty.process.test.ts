// The PTY alone, in this process: what programs write arrives whole before their exit, what they are sent does too.
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { type Pty, type PtyExit, spawnPty } from "./pty.ts";

interface Run {
  output: Buffer;
  exit: PtyExit;
}

interface Watch {
  /** Called with what came since the last call. */
  onOutput?(pty: Pty, bytes: Buffer): void;
  onStart?(pty: Pty): void;
}

/** Runs a command line in /bin/sh on a PTY until it ends. */
function runSh(commandLine: string, watch: Watch = {}): Promise<Run> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const pty = spawnPty(
      {
        file: "/bin/sh",
        args: ["-c", commandLine],
        env: { PATH: "/usr/bin:/bin", TERM: "xterm", LANG: "C.UTF-8" },
        cwd: "/tmp",
        cols: 80,
        rows: 24,
      },
      {
        onOutput(bytes) {
          chunks.push(Buffer.from(bytes));
          watch.onOutput?.(pty, chunks[chunks.length - 1]!);
        },
        onExit: (exit) => resolve({ output: Buffer.concat(chunks), exit }),
        onInputTaken() {},
      },
    );
    watch.onStart?.(pty);
  });
}

async function inParallel(total: number, atOnce: number, run: () => Promise<void>): Promise<void> {
  let left = total;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await run();
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** `seq 1 4000` through a tty, which makes every newline two bytes. */
const SEQ_BYTES = 18_893 + 4_000;

function spin(forMs: number): void {
  const end = performance.now() + forMs;
  while (performance.now() < end);
}

const conditions: Record<string, Watch> = {
  "of a short program": {},
  "while the event loop is busy": { onOutput: () => spin(1) },
  "while reading was paused": {
    onStart(pty) {
      pty.pause();
      setTimeout(() => pty.resume(), 20);
    },
  },
  "paused for good, as far as the kernel can hold it": { onStart: (pty) => pty.pause() },
};

test.each(Object.entries(conditions))(
  "no output is lost %s, 300 programs, 20 at once",
  async (name, watch) => {
    const forGood = name.startsWith("paused for good");
    const lost: number[] = [];
    await inParallel(300, 20, async () => {
      const { output } = await runSh(forGood ? "seq 1 800" : "seq 1 4000", watch);
      const missing = (forGood ? 3_092 + 800 : SEQ_BYTES) - output.length;
      if (missing !== 0) lost.push(missing);
    });
    expect(lost).toEqual([]);
  },
);

test("the status and the signal that ended a program are told apart", async () => {
  expect((await runSh("exit 7")).exit).toEqual({ code: 7, signal: 0 });
  expect((await runSh("kill -KILL $$")).exit).toEqual({ code: 0, signal: 9 });
});

test("a program that closes its terminal is not hung up, and its exit is told when it exits", async () => {
  const { exit, output } = await runSh("echo a; exec <&- >&- 2>&-; sleep 0.2; exit 5");
  expect(exit).toEqual({ code: 5, signal: 0 });
  expect(output.toString()).toBe("a\r\n");
});

test("the terminal edits in characters, not bytes", async () => {
  const { output } = await runSh("stty -a");
  expect(output.toString()).toMatch(/ iutf8/);
});

test("a character cut between two reads arrives in one piece", async () => {
  const { output } = await runSh("printf '\\342'; sleep 0.05; printf '\\224\\200 after'");
  expect(output.toString("utf8")).toBe("─ after");
});

test.each([1, 4, 64, 1024])("%i KiB pasted into `cat` arrive byte for byte", async (kib) => {
  const lines = Buffer.from(
    Array.from({ length: kib * 8 }, (_, n) => `${String(n).padStart(7, "0")} ${"ä漢x".repeat(17)}`)
      .map((line) => Buffer.from(line).subarray(0, 127).toString("latin1"))
      .map((line) => line.padEnd(127, "."))
      .join("\n"),
    "latin1",
  );
  const pasted = Buffer.concat([lines, Buffer.from("\n")]);
  const wanted = createHash("sha256").update(pasted).digest("hex");
  let sent = false;
  const { output } = await runSh("stty -echo; echo ready; cat | sha256sum", {
    onOutput(pty) {
      if (sent) return;
      sent = true;
      pty.write(pasted);
      pty.write(Buffer.from([4]));
    },
  });
  expect(output.toString()).toContain(wanted);
});

test("a megabyte waits for a program that does not read without costing a core, and then arrives whole", async () => {
  const pasted = Buffer.alloc(1024 * 1024, "0123456789abcdef");
  const wanted = createHash("sha256").update(pasted).digest("hex");
  let cpuMs = Number.POSITIVE_INFINITY;
  let queuedWhileStuck = 0;
  let before: NodeJS.CpuUsage | null = null;
  const { output } = await runSh(
    "stty raw -echo; echo ready; sleep 1; echo reading; head -c 1048576 | sha256sum",
    {
      onOutput(pty, bytes) {
        if (bytes.includes("ready")) {
          pty.write(pasted);
          before = process.cpuUsage();
        }
        if (bytes.includes("reading") && before) {
          const { user, system } = process.cpuUsage(before);
          cpuMs = (user + system) / 1000;
          queuedWhileStuck = pty.queuedBytes;
          before = null;
        }
      },
    },
  );
  expect(output.toString()).toContain(wanted);
  expect(queuedWhileStuck).toBeGreaterThan(900_000);
  // A spin would take all of the second.
  expect(cpuMs).toBeLessThan(300);
});

test("beyond its limit the queue refuses all of a write, and keystrokes by the million cost little", async () => {
  let accepted = 0;
  let refused = false;
  let heapMb = 0;
  await runSh("stty raw -echo; echo ready; sleep 100", {
    onOutput(pty, bytes) {
      if (!bytes.includes("ready")) return;
      const heapBefore = process.memoryUsage().heapUsed;
      while (pty.write(Buffer.from("k")) && accepted < 9 * 1024 * 1024) accepted += 1;
      heapMb = (process.memoryUsage().heapUsed - heapBefore) / 1e6;
      refused = !pty.write(Buffer.alloc(1));
      process.kill(pty.pid, "SIGKILL");
    },
  });
  expect(refused).toBe(true);
  expect(accepted).toBeLessThan(9 * 1024 * 1024);
  expect(heapMb).toBeLessThan(400);
});

test("nothing of ours is open in a child, and nothing of a child's stays open here", async () => {
  const before = readdirSync("/proc/self/fd").length;
  const seen: string[] = [];
  await inParallel(60, 20, async () => {
    const { output } = await runSh("ls /proc/self/fd | tr '\\n' ' '");
    seen.push(output.toString().trim());
  });
  // 0, 1, 2 and the directory that ls reads.
  expect(new Set(seen)).toEqual(new Set(["0 1 2 3"]));
  expect(readdirSync("/proc/self/fd").length).toBe(before);
});

test("letting go of a PTY hangs its program up", async () => {
  const pty = spawnPty(
    { file: "/bin/sleep", args: ["100"], env: { PATH: "/bin" }, cwd: "/", cols: 80, rows: 24 },
    { onOutput() {}, onExit: () => expect.unreachable("no event after close"), onInputTaken() {} },
  );
  pty.close();
  await expect.poll(() => readdirSync("/proc").includes(String(pty.pid)), { timeout: 30_000 }).toBe(false);
});
