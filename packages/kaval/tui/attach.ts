// `kaval-tui attach`: this terminal becomes a viewer of that one, until it is left with the escape character or ends.
import { randomUUID } from "node:crypto";
import { constants } from "node:os";
import { shortId } from "@kolu/contract/ids.ts";
import type { KavalTerminal } from "@kolu/contract/kaval.ts";
import { GRID_MAX_COLS, GRID_MAX_ROWS, GRID_MIN } from "@kolu/contract/limits.ts";
import { type AttachLink, dialAttach } from "@kolu/wire/dial.ts";
import { Failure, type KavalLink } from "./endpoint.ts";
import { EscapeReader } from "./escape.ts";
import { Exit, type Io } from "./io.ts";
import { leaveModes, OuterFilter } from "./outer-screen.ts";
import { isGone } from "./wait.ts";

type Ending = { kind: "detached" } | { kind: "exit"; code: number; signal: number } | { kind: "closed" };

/** Resolves with the exit code: the program's own, 0 after a detach. Rejects with Failure when this is no terminal. */
export async function attach(
  link: KavalLink,
  terminal: KavalTerminal,
  escapeCharacter: string | null,
  io: Io,
): Promise<number> {
  const { stdin, stdout } = process;
  if (!stdin.isTTY || !stdout.isTTY)
    throw new Failure("attach needs a terminal: stdin and stdout must both be one. Try snapshot, or send.");
  // Being attached by a person is as good as a focus: the screen is drawn for this terminal from the first frame on.
  if (terminal.life === "live") await link.client.call("terminal.resize", { id: terminal.id, ...ownGrid() });

  const filter = new OuterFilter();
  const ending = await new Promise<Ending>((resolve, reject) => {
    const onAbort = (): void => resolve({ kind: "detached" });
    io.signal.addEventListener("abort", onAbort, { once: true });
    stdin.setRawMode(true);
    view(link, terminal, escapeCharacter, filter, resolve).catch(reject);
  }).finally(() => {
    stdin.setRawMode(false);
    stdin.pause();
    stdin.removeAllListeners("data");
    stdout.removeAllListeners("resize");
    stdout.write(`${leaveModes(filter.showsAlternateScreen)}\r\n`);
  });

  io.signal.throwIfAborted();
  return judge(link, terminal, ending, io);
}

async function judge(link: KavalLink, terminal: KavalTerminal, ending: Ending, io: Io): Promise<number> {
  const name = shortId(terminal.id);
  switch (ending.kind) {
    case "detached":
      io.say(`detached from ${name}, which goes on`);
      return Exit.done;
    case "exit":
      io.say(ending.signal > 0 ? `${name} ended by ${signalName(ending.signal)}` : `${name} ended`);
      return ending.signal > 0 ? 128 + ending.signal : ending.code;
    case "closed": {
      if (await isGone(link, terminal.id)) {
        io.say(`${name} is gone`);
        return Exit.gone;
      }
      throw new Failure(`the connection to ${name} was lost; the terminal lives on: attach again`);
    }
    default:
      return ending satisfies never;
  }
}

async function view(
  link: KavalLink,
  terminal: KavalTerminal,
  escapeCharacter: string | null,
  filter: OuterFilter,
  end: (ending: Ending) => void,
): Promise<void> {
  const { stdin, stdout } = process;
  let attached: AttachLink | null = null;
  const show = (bytes: Uint8Array, offset: number): void => {
    // Acknowledged once our own terminal has taken it: a slow one slows nobody else.
    stdout.write(filter.filter(bytes), () => attached?.send({ kind: "ack", offset }));
  };
  attached = await dialAttach(
    { socketPath: link.socketPath },
    terminal.id,
    { viewer: randomUUID(), scrollback: 0 },
    (frame) => {
      switch (frame.kind) {
        case "snapshot":
          stdout.write("\x1b[0m\x1b[H\x1b[2J");
          show(frame.vt, frame.offset);
          return;
        case "output":
          show(frame.bytes, frame.offset + frame.bytes.length);
          return;
        case "exit":
          end({ kind: "exit", code: frame.code, signal: frame.signal });
          return;
        case "input-refused":
          stdout.write("\x07");
          return;
      }
    },
  );
  void attached.closed.then(() => end({ kind: "closed" }));
  const ours = attached;
  ours.send({ kind: "resize", ...ownGrid() });
  ours.send({ kind: "focus", focused: true });
  stdout.on("resize", () => ours.send({ kind: "resize", ...ownGrid() }));

  const reader = new EscapeReader(escapeCharacter);
  let seq = 1;
  stdin.on("data", (typed: Buffer) => {
    const { send, actions } = reader.read(typed);
    if (send.length > 0) ours.send({ kind: "input", seq: seq++, bytes: send });
    for (const action of actions) {
      if (action === "detach") end({ kind: "detached" });
      else stdout.write(escapeHelp(escapeCharacter!));
    }
  });
  stdin.resume();
}

function ownGrid(): { cols: number; rows: number } {
  const { columns, rows } = process.stdout;
  return {
    cols: Math.max(GRID_MIN, Math.min(GRID_MAX_COLS, columns)),
    rows: Math.max(GRID_MIN, Math.min(GRID_MAX_ROWS, rows)),
  };
}

function escapeHelp(escapeCharacter: string): string {
  return [
    "",
    `${escapeCharacter}.  detach; the terminal goes on`,
    `${escapeCharacter}${escapeCharacter}  type ${escapeCharacter}`,
    `${escapeCharacter}?  this list`,
    "Each counts at the beginning of a line.",
    "",
  ].join("\r\n");
}

function signalName(signal: number): string {
  const entry = Object.entries(constants.signals).find(([, number]) => number === signal);
  return entry ? entry[0] : `signal ${signal}`;
}
