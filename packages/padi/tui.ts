// The command `padi-tui`: the older, smaller client of the workspace. It starts no daemon.
import { resolve } from "node:path";
import { quoteWords } from "@kolu/anyagent/command-line.ts";
import { matchPrefix, shortId, TerminalId } from "@kolu/contract/ids.ts";
import { applyFrame } from "@kolu/contract/live-view.ts";
import { type PadiContract, padiContract } from "@kolu/contract/padi.ts";
import { Refusal } from "@kolu/contract/refusals.ts";
import type { Client } from "@kolu/contract/rpc.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { compareProtocol, PADI_PROTOCOL } from "@kolu/contract/version.ts";
import { chooseDaemon, findDaemons } from "@kolu/daemon/discovery.ts";
import { type Environment, placesFor } from "@kolu/daemon/places.ts";
import { DialFailed, dialRpc } from "@kolu/wire/dial.ts";
import { type Command, parseCommand, USAGE, UsageError, type Verb } from "./tui-arguments.ts";

const Exit = { done: 0, failed: 1, timedOut: 2, gone: 3, interrupted: 130 } as const;

/** The world did not let us: a sentence for a person. */
class Failure extends Error {}
class Interrupted extends Error {}

interface Run {
  client: Client<PadiContract>;
  json: boolean;
  cwd: string;
  signal: AbortSignal;
}

/** Runs one command line to its exit code: data on stdout, talk on stderr. */
export async function padiTui(argv: readonly string[]): Promise<number> {
  const abort = new AbortController();
  const onSignal = (): void => abort.abort(new Interrupted());
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const name of signals) process.on(name, onSignal);
  // A reader that has seen enough is a clean end.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
  try {
    const command = parseCommand(argv);
    if (command.verb.kind === "help") {
      print(USAGE);
      return Exit.done;
    }
    await using link = await dial(await findSocket(command, process.env));
    return await run(command.verb, {
      client: link.client,
      json: command.json,
      cwd: process.cwd(),
      signal: abort.signal,
    });
  } catch (error) {
    return report(abort.signal.aborted ? abort.signal.reason : error);
  } finally {
    for (const name of signals) process.off(name, onSignal);
  }
}

function report(error: unknown): number {
  if (error instanceof Interrupted) return Exit.interrupted;
  const known = error instanceof Refusal || error instanceof UsageError || error instanceof Failure;
  const isOurs =
    error instanceof Error && (known || ["LinkLost", "DialFailed", "RpcFault"].includes(error.name));
  say(error instanceof Error ? (isOurs ? error.message : (error.stack ?? error.message)) : String(error));
  return error instanceof Refusal && error.kind === "terminal-gone" ? Exit.gone : Exit.failed;
}

async function findSocket({ socket, stateRoot }: Command, env: Environment): Promise<string> {
  if (socket !== undefined) return resolve(socket);
  const root = stateRoot ?? env.KOLU_STATE_ROOT;
  if (root) return placesFor(resolve(root), env).padiSocket;
  if (env.PADI_SOCKET) return env.PADI_SOCKET;
  const choice = chooseDaemon(await findDaemons("padi", env), env);
  if (choice.kind === "chosen") return choice.daemon.places.padiSocket;
  if (choice.kind === "none")
    throw new Failure("No padi is running. Start one with: kolu create or kolu web");
  const list = choice.found.map(({ places }) => `  PADI_SOCKET=${places.padiSocket} (${places.stateRoot})`);
  throw new Failure(
    [`Several padis are running and none is the everyday one (${choice.everyday}). Name one:`, ...list].join(
      "\n",
    ),
  );
}

async function dial(socketPath: string) {
  const link = await dialRpc(padiContract, { socketPath }).catch((error: unknown) => {
    if (error instanceof DialFailed)
      throw new Failure(`No padi answers at ${socketPath}. Start one with: kolu create or kolu web`);
    throw error;
  });
  const hello = await link.client.call("hello", {}, { signal: AbortSignal.timeout(10_000) });
  const fit = compareProtocol(hello.protocol, PADI_PROTOCOL);
  if (fit === "same" || fit === "daemon-newer-minor") return link;
  link.close();
  throw new Failure(
    `The padi at ${socketPath} speaks protocol ${hello.protocol}, this padi-tui ${PADI_PROTOCOL}: use the tools of its own kolu.`,
  );
}

function run(verb: Exclude<Verb, { kind: "help" }>, on: Run): Promise<number> {
  switch (verb.kind) {
    case "status":
      return status(on);
    case "watch":
      return watch(verb.id, on);
    case "wait":
      return wait(verb, on);
    case "create":
      return create(verb, on);
    default:
      return verb satisfies never;
  }
}

async function status({ client, json, signal }: Run): Promise<number> {
  const { terminals } = await client.call("terminals.list", { settleMs: 3_000 }, { signal });
  for await (const daemons of client.subscribe("status.watch", {}, { signal })) {
    if (json) print(JSON.stringify({ ...daemons, terminals }));
    else {
      print(`padi ${daemons.padi.buildId} (pid ${daemons.padi.pid}) at ${daemons.padi.stateRoot}`);
      print(`kaval ${daemons.kaval.state}`);
      for (const record of terminals) print(line(record));
    }
    return Exit.done;
  }
  throw new Failure("padi ended the answer before it began.");
}

async function watch(typedId: string | null, { client, json, signal }: Run): Promise<number> {
  const only = typedId === null ? null : await resolveId(typedId, client, signal);
  let rows: ReadonlyMap<string, TerminalRecord> = new Map();
  for await (const frame of client.subscribe("terminals.watch", {}, { signal })) {
    const next = applyFrame(rows, frame);
    for (const [id, record] of next) {
      if (rows.get(id) !== record && (only === null || id === only))
        print(json ? JSON.stringify(record) : line(record));
    }
    for (const id of rows.keys()) {
      if (next.has(id) || (only !== null && id !== only)) continue;
      print(json ? JSON.stringify({ id, removed: true }) : `${shortId(id)}  (gone)`);
      if (only !== null) return Exit.gone;
    }
    rows = next;
  }
  throw new Failure("padi went away. Terminals live on in kaval.");
}

async function wait(
  { id: typedId, buckets, timeoutMs }: Extract<Verb, { kind: "wait" }>,
  { client, json, signal }: Run,
): Promise<number> {
  const id = await resolveId(typedId, client, signal);
  const until = { kind: "agent", buckets } as const;
  const timeout = timeoutMs === null ? {} : { timeoutMs };
  const frame = await client.call("terminal.wait", { id, until, ...timeout }, { signal });
  switch (frame.result) {
    case "met":
      print(
        json ? JSON.stringify({ id, agent: frame.met.agent ?? null }) : (frame.met.agent?.state ?? "met"),
      );
      return Exit.done;
    case "timeout":
      say(`${shortId(id)}: not there after ${frame.elapsedMs} ms`);
      return Exit.timedOut;
    case "gone":
      say(`${shortId(id)}: the terminal is gone`);
      return Exit.gone;
    case "closed":
      throw new Failure(`${shortId(id)}: ${frame.error ?? "padi lost sight of the terminal"}`);
    default:
      return frame satisfies never;
  }
}

async function create(
  { parent, worktree, repo, argv }: Extract<Verb, { kind: "create" }>,
  { client, json, cwd, signal }: Run,
): Promise<number> {
  const placement =
    parent === null
      ? ({ kind: "toplevel" } as const)
      : ({ kind: "child-of", parentId: await resolveId(parent, client, signal) } as const);
  if (repo !== undefined && worktree === undefined)
    throw new UsageError("--repo goes with --worktree <name>: it says where the worktree is cut.");
  const directory = worktree === undefined ? { cwd } : { worktree, repo: resolve(repo ?? cwd) };
  const run = quoteWords(argv);
  const { KAVAL_TERMINAL_ID: caller } = process.env;
  const from = caller ? { from: caller } : {};
  try {
    const created = await client.call(
      "terminal.create",
      { placement, run, ...directory, ...from },
      { signal },
    );
    const { id, worktree: cut, ran } = created;
    print(json ? JSON.stringify({ id, ...(cut ? { worktree: cut } : {}), ...(ran ? { ran } : {}) }) : id);
    return Exit.done;
  } catch (error) {
    // Whoever scripts this needs the survivors' names where the id would have been.
    if (error instanceof Refusal && error.kind === "stopped-partway") {
      const { landed } = error.data as { landed: { id?: string } };
      if (json) print(JSON.stringify(landed));
      else if (landed.id) print(landed.id);
    }
    throw error;
  }
}

async function resolveId(
  typed: string,
  client: Client<PadiContract>,
  signal: AbortSignal,
): Promise<TerminalId> {
  // A whole id needs no list: padi knows of one that is gone, too.
  const whole = TerminalId.safeParse(typed.trim().toLowerCase());
  if (whole.success) return whole.data;
  const { terminals } = await client.call("terminals.list", {}, { signal });
  const ids = terminals.map((record) => record.id);
  const match = matchPrefix(typed, ids);
  if (match.kind === "found") return match.id as TerminalId;
  throw new UsageError(
    match.kind === "none"
      ? `No terminal matching ${JSON.stringify(typed)}.`
      : `${JSON.stringify(typed)} fits several terminals: ${match.ids.map(shortId).join(" ")}`,
  );
}

function line(record: TerminalRecord): string {
  const state = record.agent ? `${record.agent.kind} ${record.agent.state}` : "-";
  const name = record.intent ?? record.title ?? record.cwd;
  return [shortId(record.id), record.life, state, oneLine(name)].join("  ");
}

/** Titles come from programs: on somebody's terminal they must not be able to steer it. */
function oneLine(text: string): string {
  return text.replaceAll(/[\x00-\x1f\x7f-\x9f]/g, " ");
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function say(text: string): void {
  process.stderr.write(`padi-tui: ${text}\n`);
}
