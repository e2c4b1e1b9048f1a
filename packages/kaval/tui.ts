// kaval-tui: kaval's terminals by hand, without a workspace around them. Works alone; knows nothing of padi.
import { Refusal } from "@kolu/contract/refusals.ts";
import { koluVersion } from "@kolu/daemon/build-id.ts";
import { type Invocation, parseInvocation, splitVerb, UsageError, type VerbShape } from "./tui/arguments.ts";
import { Failure, type KavalLink, openKaval, type StartKaval } from "./tui/endpoint.ts";
import { Exit, type Io, processIo } from "./tui/io.ts";
import { attachTo, create, history, kill, list, send, snapshot, wait } from "./tui/verbs.ts";

export interface KavalTuiOptions {
  /** How `create` starts a kaval where none runs: the composition root knows. Without it, create says that none runs. */
  startKaval?: StartKaval;
}

interface Verb extends VerbShape {
  startsKaval?: boolean;
  run(link: KavalLink, invocation: Invocation, io: Io): Promise<number>;
}

/** SIGINT, SIGTERM or SIGHUP came. */
class Interrupted extends Error {
  override name = "Interrupted";
}

const verbs: Record<string, Verb> = {
  list: {
    usage: "list [--json]",
    summary: "every terminal of this kaval",
    minOperands: 0,
    maxOperands: 0,
    flags: { json: "switch" },
    run: list,
  },
  create: {
    usage: "create [--json] [--cwd DIR] [--env KEY=VALUE]... [-- command...]",
    summary: "a new terminal: a shell, or this command; starts kaval when none runs",
    minOperands: 0,
    maxOperands: 0,
    flags: { json: "switch", cwd: "text", env: "texts" },
    startsKaval: true,
    run: create,
  },
  attach: {
    usage: "attach <id> [--escape C|none]",
    summary: "work in it from here; ~. at the beginning of a line leaves it",
    minOperands: 1,
    maxOperands: 1,
    flags: { escape: "text" },
    run: attachTo,
  },
  snapshot: {
    usage: "snapshot <id> [--viewport | --tail N | --lines N]",
    summary: "its text: all, the screen alone, the last N lines, or the screen and N lines above it",
    minOperands: 1,
    maxOperands: 1,
    flags: { viewport: "switch", tail: "count", lines: "count" },
    run: snapshot,
  },
  history: {
    usage: "history <id> [--lines N]",
    summary: "the scrollback above its screen, oldest first; with N the newest N lines of it",
    minOperands: 1,
    maxOperands: 1,
    flags: { lines: "count" },
    run: history,
  },
  send: {
    usage: "send <id> [text...] [--key K]... [--file P] [--paste|--no-paste] [--json]",
    summary: "type text or press keys; text never carries the Enter",
    minOperands: 1,
    maxOperands: Number.POSITIVE_INFINITY,
    flags: { key: "texts", file: "text", paste: "switch", "no-paste": "switch", json: "switch" },
    run: send,
  },
  wait: {
    usage: "wait <id> --until idle:<ms>|match:<regex> [--timeout MS] [--json]",
    summary: "until it is quiet, or until its output matches",
    minOperands: 1,
    maxOperands: 1,
    flags: { until: "text", timeout: "count", json: "switch" },
    run: wait,
  },
  kill: {
    usage: "kill <id>",
    summary: "end its processes, all of them, and forget it",
    minOperands: 1,
    maxOperands: 1,
    flags: {},
    run: kill,
  },
};

/** Runs one command line; resolves with the exit code: 0 done, 1 failed, 2 timed out, 3 gone, 130 interrupted. */
export async function kavalTui(argv: readonly string[], options: KavalTuiOptions = {}): Promise<number> {
  const abort = new AbortController();
  const onSignal = (): void => abort.abort(new Interrupted());
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onSignal);
  const io = processIo(abort.signal);
  try {
    return await Promise.race([route(argv, options, io), whenReaderLeaves(), whenAborted(abort.signal)]);
  } catch (error) {
    if (error instanceof Interrupted) return Exit.interrupted;
    const known = error instanceof UsageError || error instanceof Failure || error instanceof Refusal;
    io.say(known || !(error instanceof Error) ? messageOf(error) : (error.stack ?? error.message));
    return Exit.failed;
  } finally {
    await flushed();
  }
}

async function route(argv: readonly string[], options: KavalTuiOptions, io: Io): Promise<number> {
  const { verb: name, rest } = splitVerb(argv);
  const dashes = argv.indexOf("--");
  const words = dashes === -1 ? argv : argv.slice(0, dashes);
  if (words.includes("--help") || words.includes("-h")) {
    io.data(help());
    return Exit.done;
  }
  if (words.includes("--version") || words.includes("-v")) {
    io.data(`${koluVersion()}\n`);
    return Exit.done;
  }
  if (name === null) {
    process.stderr.write(help());
    return Exit.failed;
  }
  const verb = Object.hasOwn(verbs, name) ? verbs[name]! : null;
  if (!verb) throw new UsageError(`${name} is no verb. Verbs: ${Object.keys(verbs).join(", ")}`);
  const invocation = parseInvocation(verb, rest);
  const start = verb.startsKaval ? options.startKaval : undefined;
  await using link = await openKaval(invocation, process.env, start);
  return await verb.run(link, invocation, io);
}

function help(): string {
  const lines = Object.values(verbs).map((verb) => `  ${verb.usage}\n      ${verb.summary}\n`);
  return [
    "kaval-tui: terminals of a kaval, without a workspace.\n\n",
    ...lines,
    "\nAn id may be shortened to any prefix that only one has. Which kaval: --socket PATH, --state-root DIR,\n",
    "else $KOLU_STATE_ROOT, $KAVAL_SOCKET, else the one that runs.\n",
  ].join("");
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A reader that hangs up (`kaval-tui list | head -1`) is a clean end. */
function whenReaderLeaves(): Promise<number> {
  process.stderr.on("error", () => {});
  return new Promise((resolve, reject) => {
    process.stdout.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") resolve(Exit.done);
      else reject(error);
    });
  });
}

/** How long a verb may take to put things back after a signal. */
const INTERRUPT_GRACE_MS = 2_000;

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => setTimeout(reject, INTERRUPT_GRACE_MS, signal.reason).unref());
  });
}

async function flushed(): Promise<void> {
  for (const stream of [process.stdout, process.stderr])
    await new Promise<void>((resolve) => {
      if (stream.destroyed || stream.errored) resolve();
      else stream.write("", () => resolve());
    });
}
