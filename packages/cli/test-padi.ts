// A padi for tests that answers what the test says: for what a real one does only when things go wrong.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PadiContract, padiContract } from "@kolu/contract/padi.ts";
import { refuse } from "@kolu/contract/refusals.ts";
import type { Handlers } from "@kolu/contract/rpc.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { type Hello, PADI_PROTOCOL } from "@kolu/contract/version.ts";
import { serveUnixSocket } from "@kolu/wire/serve.ts";
import type { Environment } from "./endpoint.ts";
import { judgeError } from "./exit.ts";
import { kolu } from "./main.ts";
import { brandLines, type Output } from "./output.ts";

export interface TestPadi extends AsyncDisposable {
  socketPath: string;
  /** Runs one command line against it, in this process. */
  run(
    argv: string[],
    options?: { signal?: AbortSignal; widthCols?: number; colour?: boolean },
  ): Promise<{ code: number; stdout: string; stderr: string }>;
}

export async function startTestPadi(
  handlers: Partial<Handlers<PadiContract>>,
  hello: Partial<Hello> = {},
): Promise<TestPadi> {
  const directory = await mkdtemp(join(tmpdir(), "kp-"));
  const socketPath = join(directory, "padi.sock");
  const all: Record<string, unknown> = {
    hello: () => ({
      name: "padi",
      protocol: PADI_PROTOCOL,
      buildId: "0.1.0",
      pid: process.pid,
      bootId: "boot",
      stateRoot: join(directory, "root"),
      startedAtMs: 0,
      ...hello,
    }),
    ...handlers,
  };
  for (const method of Object.keys(padiContract))
    all[method] ??= () => {
      throw refuse("unknown-method", { method }, `The test says nothing about ${method}.`);
    };
  const served = await serveUnixSocket({
    socketPath,
    contract: padiContract,
    handlers: all as Handlers<PadiContract>,
    onAttach: (socket) => socket.terminate(),
    onBug: () => {},
  });
  return {
    socketPath,
    run: (argv, options = {}) => runInProcess(argv, { PADI_SOCKET: socketPath }, options),
    async [Symbol.asyncDispose]() {
      await served.close();
      await rm(directory, { recursive: true });
    },
  };
}

async function runInProcess(
  argv: string[],
  env: Environment,
  {
    signal = new AbortController().signal,
    widthCols,
    colour = false,
  }: { signal?: AbortSignal; widthCols?: number; colour?: boolean },
): Promise<{ code: number; stdout: string; stderr: string }> {
  let stdout = "";
  let stderr = "";
  const print = (text: string): void => {
    stdout += text;
  };
  const out: Output = {
    data: print,
    bytes: (data) => print(Buffer.from(data).toString("latin1")),
    line: (text) => print(`${text}\n`),
    json: (value) => print(`${JSON.stringify(value)}\n`),
    ndjson: (value) => print(`${JSON.stringify(value)}\n`),
    row: (cells) => print(`${cells.join("  ")}\n`),
    say: (text) => {
      stderr += brandLines(text);
    },
    sayPlain: (text) => {
      stderr += text;
    },
    widthCols: widthCols ?? null,
    colour,
  };
  const context = { out, env, cwd: "/", signal, entry: "/nowhere/kolu.js" };
  const code = await kolu(argv, context).catch((error: unknown) => {
    const judged = judgeError(error);
    if (judged.sentence !== null) out.say(judged.sentence);
    return judged.code;
  });
  return { code, stdout, stderr };
}

/** A record with nothing remarkable about it. */
export function testRecord(id: string, more: Partial<TerminalRecord> = {}): TerminalRecord {
  return {
    id: id as TerminalRecord["id"],
    parentId: null,
    createdAtMs: 0,
    life: "active",
    lifeSinceMs: 0,
    exit: null,
    pid: 1,
    cwd: "/",
    title: null,
    intent: null,
    rootCommand: null,
    command: null,
    foreground: { pid: 1, name: "bash" },
    grid: { cols: 80, rows: 24 },
    themeName: null,
    fontPx: null,
    git: null,
    pr: null,
    ports: { status: "unknown" },
    agent: null,
    program: null,
    progress: null,
    busy: false,
    lastActivityAtMs: null,
    unread: 0,
    layout: null,
    ...more,
  };
}
