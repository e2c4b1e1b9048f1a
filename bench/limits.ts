// What a plain program reaches on this machine: the limits that kolu's figures stand beside.
import { execFile, execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { spawn } from "node-pty";
import { summarize } from "./figures.ts";

const GRID = { cols: 120, rows: 40, cwd: "/", name: "xterm-256color" };

function seconds(sinceMs: number): number {
  return (performance.now() - sinceMs) / 1000;
}

/** MB/s of `count` bare PTYs together, each printing the file; bytes are counted and dropped. */
export async function barePtyThroughput(path: string, count: number): Promise<number> {
  const startedAt = performance.now();
  let bytes = 0;
  const runs = Array.from({ length: count }, () => {
    const pty = spawn("cat", [path], { ...GRID, encoding: null });
    pty.onData((data) => {
      bytes += (data as unknown as Buffer).length;
    });
    return new Promise<void>((resolve) => pty.onExit(() => resolve()));
  });
  await Promise.all(runs);
  return bytes / 1e6 / seconds(startedAt);
}

/** MB/s at which one core parses the file in the same engine, alone in its process. */
export async function parseThroughput(path: string): Promise<number> {
  const require = createRequire(import.meta.url);
  const { Terminal } = require("@xterm/headless") as typeof import("@xterm/headless");
  const { UnicodeGraphemesAddon } =
    require("@xterm/addon-unicode-graphemes") as typeof import("@xterm/addon-unicode-graphemes");
  const terminal = new Terminal({ ...GRID, scrollback: 1000, allowProposedApi: true });
  terminal.loadAddon(new UnicodeGraphemesAddon());
  const data = readFileSync(path);
  const startedAt = performance.now();
  for (let at = 0; at < data.length; at += 64 * 1024) {
    const slice = data.subarray(at, at + 64 * 1024);
    await new Promise<void>((resolve) => terminal.write(slice, resolve));
  }
  const rate = data.length / 1e6 / seconds(startedAt);
  terminal.dispose();
  return rate;
}

/** Echo of single keys by `cat` on a bare PTY, in milliseconds. */
export async function barePtyEcho(samples: number): Promise<{ p50: number; p99: number; max: number }> {
  const pty = spawn("cat", [], { ...GRID, encoding: null });
  let onData = (): void => {};
  pty.onData(() => onData());
  const times: number[] = [];
  try {
    for (let sample = 0; sample < samples; sample++) {
      const startedAt = performance.now();
      await new Promise<void>((resolve) => {
        onData = resolve;
        pty.write("x");
      });
      times.push(performance.now() - startedAt);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  } finally {
    pty.kill();
  }
  return summarize(times);
}

/** MB/s at which tmux with an attached client takes the file; null where there is no tmux. */
export async function tmuxThroughput(path: string, bytes: number): Promise<number | null> {
  try {
    execFileSync("tmux", ["-V"]);
  } catch {
    return null;
  }
  const server = ["-L", `kolu-bench-${process.pid}`, "-f", "/dev/null"];
  const tmux = (...args: string[]): void => void execFileSync("tmux", [...server, ...args]);
  tmux("new-session", "-d", "-x", "120", "-y", "40", "sleep 600");
  tmux("set", "-g", "history-limit", "10000");
  const client = spawn("tmux", [...server, "attach"], { ...GRID, rows: 41, encoding: null });
  try {
    await new Promise<void>((resolve) => client.onData(() => resolve()));
    const startedAt = performance.now();
    const done = promisify(execFile)("tmux", [...server, "wait-for", "done"]);
    tmux("new-window", `cat ${path}; tmux ${server.join(" ")} wait-for -S done`);
    await done;
    return bytes / 1e6 / seconds(startedAt);
  } finally {
    tmux("kill-server");
    client.kill();
  }
}
