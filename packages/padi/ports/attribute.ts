// Which terminal a listening socket belongs to, and how it is told. Pure.
import type { ListeningSocket } from "@kolu/anyagent/listening.ts";
import type { ListeningPort } from "@kolu/contract/terminal.ts";

/** A socket whose process is one of a terminal's. */
export interface OwnedSocket {
  socket: ListeningSocket;
  terminalId: string;
  pid: number;
  name: string;
}

export function scopeOf(address: string): ListeningPort["scope"] {
  if (address === "0.0.0.0" || address === "::" || address === "::ffff:0:0") return "any";
  // ::ffff:7f00:1 is 127.0.0.1 in the clothes of the newer family.
  return /^127\.|^::1$|^::ffff:7f/.test(address) ? "loopback" : "interface";
}

/** One terminal's ports, in order; a program that took the same port on several addresses of one scope is listed once. */
export function portsOf(owned: Iterable<OwnedSocket>, terminalId: string): ListeningPort[] {
  const ports = new Map<string, ListeningPort>();
  for (const { socket, pid, name, terminalId: owner } of owned) {
    if (owner !== terminalId) continue;
    const { port, family } = socket;
    const scope = scopeOf(socket.address);
    ports.set(`${port} ${family} ${scope}`, { port, pid, name, scope, family });
  }
  return [...ports.values()].sort((a, b) => a.port - b.port || a.family.localeCompare(b.family));
}

/**
 * The terminal of a process: the nearest of its ancestors that is a terminal's root. A server that its shell left behind
 * has no such ancestor any more; it still carries the terminal's id in its environment.
 */
export async function terminalOf(
  pid: number,
  world: {
    /** Terminal ids by the pid of their root processes. */
    roots: ReadonlyMap<number, string>;
    parentOf(pid: number): Promise<number | null>;
    /** The id that the process was started with, null when there is none or it is hidden. */
    markOf(pid: number): Promise<string | null>;
  },
): Promise<string | null> {
  for (let at: number | null = pid, steps = 0; at !== null && at > 1 && steps < ANCESTORS_MAX; steps++) {
    const id = world.roots.get(at);
    if (id !== undefined) return id;
    at = await world.parentOf(at);
  }
  const mark = await world.markOf(pid);
  return mark !== null && [...world.roots.values()].includes(mark) ? mark : null;
}

const ANCESTORS_MAX = 64;
