// From an agent's own write on disk to a client's view of it. The agent is a copy of `sleep` named claude, with the files
// that Claude Code writes: what is measured is kolu, not a model.

import { randomUUID } from "node:crypto";
import { appendFileSync, chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import type { BenchKolu } from "./bench-kolu.ts";
import { type Figure, summarize } from "./figures.ts";
import { processorShare } from "./processes.ts";

const ROUNDS = 30;
const TALKATIVE_MS = 60;
const AGENTS = 100;
const CALM_MS = 20_000;
const REST_MS = 10_000;

export async function benchState(kolu: BenchKolu): Promise<Figure[]> {
  const program = join(kolu.kolu.home, "claude");
  copyFileSync("/bin/sleep", program);
  chmodSync(program, 0o755);
  const id = await kolu.create([program, "100000"]);
  const pid = (await recordOf(kolu, id)).pid!;
  const session = openSessionFiles(kolu.kolu.home, pid);
  const views = followRecord(kolu, id);
  session.status("idle");
  await views.when((record) => record.agent?.state === "waiting");

  const quiet: number[] = [];
  for (let round = 0; round < ROUNDS; round++) quiet.push(...(await oneTurn(session, views)));
  const noise = setInterval(() => session.bookkeeping(), TALKATIVE_MS);
  const talkative: number[] = [];
  for (let round = 0; round < ROUNDS; round++) talkative.push(...(await oneTurn(session, views)));
  clearInterval(noise);
  views.close();
  const rest = await benchAgentsAtRest(kolu, program, id);

  const calm = summarize(quiet);
  const busy = summarize(talkative);
  return [
    { name: "agent's write to client's view, p50", value: calm.p50, unit: "ms", aim: { atMost: 50 } },
    { name: "agent's write to client's view, p99", value: calm.p99, unit: "ms", aim: { atMost: 150 } },
    { name: "the same from a talkative agent, p50", value: busy.p50, unit: "ms", aim: { atMost: 50 } },
    { name: "the same from a talkative agent, p99", value: busy.p99, unit: "ms", aim: { atMost: 150 } },
    rest,
  ];
}

/** Agents that wait for a person cost next to nothing: their files are watched, their processes looked at once a second. */
async function benchAgentsAtRest(kolu: BenchKolu, program: string, first: string): Promise<Figure> {
  const ids = [first];
  while (ids.length < AGENTS) {
    const id = await kolu.create([program, "100000"]);
    openSessionFiles(kolu.kolu.home, (await recordOf(kolu, id)).pid!).status("idle");
    ids.push(id);
  }
  const last = followRecord(kolu, ids.at(-1)!);
  await last.when((record) => record.agent?.state === "waiting");
  last.close();
  await new Promise((resolve) => setTimeout(resolve, CALM_MS));
  const { kaval, padi } = kolu.pids;
  const shares = await Promise.all([kaval, padi].map((pid) => processorShare([pid], REST_MS)));
  await kolu.kill(ids);
  return {
    name: `processor at rest, ${AGENTS} agents that wait`,
    value: shares.reduce((sum, share) => sum + share, 0) * 100,
    unit: "% of a core",
    aim: { atMost: 1 },
    note: `kaval, padi: ${shares.map((share) => (share * 100).toFixed(1)).join(", ")}`,
  };
}

async function oneTurn(session: SessionFiles, views: RecordViews): Promise<number[]> {
  const times: number[] = [];
  const step = async (write: () => void, state: string): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 40 + Math.random() * 80));
    const startedAt = performance.now();
    write();
    await views.when((record) => record.agent?.state === state);
    times.push(performance.now() - startedAt);
  };
  const tool = randomUUID();
  await step(() => {
    session.prompt();
    session.status("busy");
  }, "thinking");
  await step(() => session.toolUse(tool), "tool_use");
  await step(() => session.toolResult(tool), "thinking");
  await step(() => session.status("waiting", "permission prompt"), "awaiting");
  await step(() => session.status("busy"), "thinking");
  await step(() => {
    session.status("idle");
    session.turnEnd();
  }, "waiting");
  return times;
}

type SessionFiles = ReturnType<typeof openSessionFiles>;

function openSessionFiles(home: string, pid: number) {
  const sessionId = randomUUID();
  const cwd = home;
  const project = join(home, ".claude", "projects", cwd.replaceAll(/[/.]/g, "-"));
  mkdirSync(project, { recursive: true });
  mkdirSync(join(home, ".claude", "sessions"), { recursive: true });
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const procStart = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]!;
  const statusPath = join(home, ".claude", "sessions", `${pid}.json`);
  const transcript = join(project, `${sessionId}.jsonl`);
  const base = { sessionId, cwd, version: "2.1.332", isSidechain: false };
  const append = (entry: object): void => {
    const line = { ...base, uuid: randomUUID(), timestamp: new Date().toISOString(), ...entry };
    appendFileSync(transcript, `${JSON.stringify(line)}\n`);
  };
  const assistant = (stop: string, content: object[]): void =>
    append({
      type: "assistant",
      message: {
        id: `msg_${randomUUID()}`,
        role: "assistant",
        model: "claude-opus-5-5",
        content,
        stop_reason: stop,
        usage: {
          input_tokens: 10,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 0,
          output_tokens: 5,
        },
      },
    });
  return {
    status(status: string, waitingFor?: string) {
      const file = {
        pid,
        sessionId,
        cwd,
        startedAt: Date.now(),
        procStart,
        version: "2.1.332",
        kind: "interactive",
        status,
        waitingFor,
        updatedAt: Date.now(),
      };
      writeFileSync(statusPath, JSON.stringify(file));
    },
    prompt: () =>
      append({
        type: "user",
        origin: { kind: "human" },
        promptSource: "typed",
        message: { role: "user", content: "go" },
      }),
    toolUse: (id: string) =>
      assistant("tool_use", [{ type: "tool_use", id, name: "Bash", input: { command: "true" } }]),
    toolResult: (id: string) =>
      append({
        type: "user",
        message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "ok" }] },
      }),
    turnEnd: () => assistant("end_turn", [{ type: "text", text: "done" }]),
    bookkeeping: () => append({ type: "file-history-snapshot" }),
  };
}

interface RecordViews {
  when(holds: (record: TerminalRecord) => boolean): Promise<void>;
  close(): void;
}

function followRecord(kolu: BenchKolu, id: string): RecordViews {
  let current: TerminalRecord | null = null;
  let check = (): void => {};
  const abort = new AbortController();
  void (async () => {
    for await (const frame of kolu.padi.client.subscribe("terminals.watch", {}, { signal: abort.signal })) {
      const rows = frame.kind === "snapshot" ? frame.rows : frame.upserts;
      const row = rows.find((record) => record.id === id);
      if (row) current = row;
      check();
    }
  })().catch((error: unknown) => {
    if (!abort.signal.aborted) throw error;
  });
  return {
    when: (holds) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`not seen within 10 s; last: ${JSON.stringify(current?.agent)}`)),
          10_000,
        );
        check = () => {
          if (!current || !holds(current)) return;
          clearTimeout(timer);
          resolve();
        };
        check();
      }),
    close: () => abort.abort(),
  };
}

async function recordOf(kolu: BenchKolu, id: string): Promise<TerminalRecord> {
  const { terminals } = await kolu.padi.client.call("terminals.list", {});
  return terminals.find((terminal) => terminal.id === id)!;
}
