// What each verb of kaval-tui does, given a connection. Each resolves with its exit code.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { shortId } from "@kolu/contract/ids.ts";
import type { KavalTerminal, kavalContract } from "@kolu/contract/kaval.ts";
import type { ResultOf } from "@kolu/contract/rpc.ts";
import { type Invocation, UsageError } from "./arguments.ts";
import { attach } from "./attach.ts";
import { Failure, findTerminal, type KavalLink } from "./endpoint.ts";
import { readInput } from "./input.ts";
import { Exit, formatTable, type Io, neutralise } from "./io.ts";
import { parseUntil, waitFor } from "./wait.ts";

export async function list(link: KavalLink, invocation: Invocation, io: Io): Promise<number> {
  const { terminals } = await link.client.call("terminal.list", {});
  terminals.sort((a, b) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1));
  if (invocation.switches.has("json")) io.json(terminals);
  else if (terminals.length === 0) io.data("no terminals.\n");
  else io.data(formatTable([["ID", "PID", "IDLE", "CMD", "CWD"], ...terminals.map(cellsOf)]));
  return Exit.done;
}

function cellsOf(terminal: KavalTerminal): string[] {
  const idleMs = terminal.lastOutputAtMs === null ? null : Date.now() - terminal.lastOutputAtMs;
  const running = terminal.command?.running ? terminal.command.line : "";
  const command = running || terminal.argv.join(" ");
  return [
    shortId(terminal.id),
    terminal.life === "live" ? String(terminal.pid) : terminal.life,
    idleMs === null ? "-" : formatAge(idleMs),
    neutralise(command.length > 40 ? `${command.slice(0, 39)}…` : command || "-"),
    neutralise(terminal.cwd),
  ];
}

function formatAge(ms: number): string {
  if (ms < 60_000) return `${Math.max(0, Math.floor(ms / 1_000))}s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)}m`;
  return ms < 86_400_000 ? `${Math.floor(ms / 3_600_000)}h` : `${Math.floor(ms / 86_400_000)}d`;
}

export async function create(link: KavalLink, invocation: Invocation, io: Io): Promise<number> {
  const env: Record<string, string> = {};
  for (const pair of invocation.texts.get("env") ?? []) {
    const at = pair.indexOf("=");
    if (at < 1) throw new UsageError(`--env takes KEY=VALUE, not ${JSON.stringify(pair)}.`);
    env[pair.slice(0, at)] = pair.slice(at + 1);
  }
  const launchers = join(dirname(link.socketPath), "bin");
  const spawned = await link.client.call("terminal.spawn", {
    cwd: invocation.texts.get("cwd")?.[0] ?? process.cwd(),
    env,
    ...(invocation.command ? { argv: invocation.command } : {}),
    ...(existsSync(launchers) ? { pathEntries: [launchers] } : {}),
  });
  if (invocation.switches.has("json")) io.json(spawned);
  else io.data(`${spawned.id}\n`);
  const { terminals } = await link.client.call("terminal.list", {});
  const command = terminals.find((terminal) => terminal.id === spawned.id)?.argv.join(" ") ?? "";
  io.say(`spawned ${shortId(spawned.id)} · ${command} · ${spawned.cwd} (pid ${spawned.pid})`);
  return Exit.done;
}

export async function attachTo(link: KavalLink, invocation: Invocation, io: Io): Promise<number> {
  const escapeCharacter = escapeOf(invocation);
  return attach(link, await findTerminal(link, invocation.operands[0]!), escapeCharacter, io);
}

function escapeOf(invocation: Invocation): string | null {
  const word = invocation.texts.get("escape")?.[0] ?? "~";
  if (word === "none") return null;
  if (!/^[!-~]$/.test(word)) throw new UsageError("--escape takes one printable ASCII character, or none.");
  return word;
}

export async function snapshot(link: KavalLink, invocation: Invocation, io: Io): Promise<number> {
  const tail = invocation.counts.get("tail");
  const above = invocation.counts.get("lines");
  const viewport = invocation.switches.has("viewport");
  if (Number(viewport) + Number(tail !== undefined) + Number(above !== undefined) > 1)
    throw new UsageError("--viewport, --tail and --lines exclude each other.");
  const { id } = await findTerminal(link, invocation.operands[0]!);
  const extent =
    tail !== undefined
      ? ({ kind: "tail", lines: tail } as const)
      : viewport || above !== undefined
        ? ({ kind: "screen" } as const)
        : ({ kind: "all" } as const);
  const before = above === undefined ? [] : await readHistory(link, id, above);
  const { text } = await link.client.call("screen.text", { id, extent });
  const whole = [...before, text].join("\n");
  io.data(whole.endsWith("\n") || whole === "" ? whole : `${whole}\n`);
  io.say(`${shortId(id)} · ${whole.split("\n").length} lines`);
  return Exit.done;
}

export async function history(link: KavalLink, invocation: Invocation, io: Io): Promise<number> {
  const { id } = await findTerminal(link, invocation.operands[0]!);
  const lines = await readHistory(link, id, invocation.counts.get("lines") ?? null);
  io.data(lines.map((line) => `${line}\n`).join(""));
  io.say(`${shortId(id)} · ${lines.length} lines`);
  return Exit.done;
}

type HistoryPage = ResultOf<typeof kavalContract, "screen.history">;

const HISTORY_PAGE_LINES = 1_000;

/** The newest `maxLines` of the scrollback, oldest first; null means all. Rejects with Failure when it moved meanwhile. */
async function readHistory(
  link: KavalLink,
  id: KavalTerminal["id"],
  maxLines: number | null,
): Promise<string[]> {
  const pages: string[][] = [];
  let place: { before: number; epoch: number } | null = null;
  let wanted = maxLines ?? Number.POSITIVE_INFINITY;
  while (wanted > 0) {
    const page: HistoryPage = await link.client.call("screen.history", {
      id,
      maxLines: Math.min(HISTORY_PAGE_LINES, wanted),
      ...(place ?? {}),
    });
    if (page.kind === "stale")
      throw new Failure("the scrollback was rearranged by a resize while it was read: ask again");
    pages.unshift(page.lines);
    wanted -= page.lines.length;
    if (page.exhausted) break;
    place = { before: page.topLine, epoch: page.epoch };
  }
  return pages.flat();
}

/** A terminal that takes this long to accept input is stalled. */
const SEND_TIMEOUT_MS = 8_000;

export async function send(link: KavalLink, invocation: Invocation, io: Io): Promise<number> {
  const input = await readInput(invocation);
  const { id } = await findTerminal(link, invocation.operands[0]!);
  const deadline = AbortSignal.timeout(SEND_TIMEOUT_MS);
  const answer = await link.client
    .call("terminal.input", { id, text: input.text }, { signal: AbortSignal.any([io.signal, deadline]) })
    .catch((cause) => {
      if (!deadline.aborted) throw cause;
      throw new Failure(`stalled: ${shortId(id)} did not take the input. Look at its screen.`, { cause });
    });
  const { paste, keys } = input;
  if (invocation.switches.has("json"))
    io.json({ id, bytes: answer.bytes, paste, keys, cursor: answer.cursor });
  const how = [paste ? " · pasted" : "", keys.length > 0 ? ` · keys: ${keys.join(", ")}` : ""].join("");
  io.say(`sent ${answer.bytes} bytes to ${shortId(id)}${how}`);
  return Exit.done;
}

export async function wait(link: KavalLink, invocation: Invocation, io: Io): Promise<number> {
  const until = invocation.texts.get("until")?.[0];
  if (until === undefined) throw new UsageError("wait needs --until idle:<ms> or --until match:<regex>.");
  const condition = parseUntil(until);
  const terminal = await findTerminal(link, invocation.operands[0]!);
  const startedAt = performance.now();
  const outcome = await waitFor(link, terminal, condition, {
    timeoutMs: invocation.counts.get("timeout"),
    signal: io.signal,
  });
  const elapsedMs = Math.round(performance.now() - startedAt);
  if (invocation.switches.has("json")) io.json({ id: terminal.id, ...outcome, elapsedMs });
  const name = shortId(terminal.id);
  switch (outcome.result) {
    case "met":
      io.say(outcome.fired === "match" ? `${name} matched: ${outcome.matchedLine}` : `${name} is quiet`);
      return Exit.done;
    case "timeout":
      io.say(`timed out after ${elapsedMs} ms`);
      return Exit.timedOut;
    case "gone":
      io.say(`${name} is gone`);
      return Exit.gone;
    case "closed":
      throw new Failure(`the connection to ${name} was lost; the terminal may live on: wait again`);
    default:
      return outcome satisfies never;
  }
}

export async function kill(link: KavalLink, invocation: Invocation, io: Io): Promise<number> {
  const { id } = await findTerminal(link, invocation.operands[0]!);
  const { pid, survivors } = await link.client.call("terminal.kill", { id });
  io.say(pid === null ? `removed ${shortId(id)}` : `killed ${shortId(id)} (pid ${pid})`);
  if (survivors.length === 0) return Exit.done;
  throw new Failure(`these processes of it cannot be killed: ${survivors.join(" ")}`);
}
