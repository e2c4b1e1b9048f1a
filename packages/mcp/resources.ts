// The live views as MCP resources: five that are always there and the items of two collections. Read here; feeds.ts tells
// when they change.
import type { DaemonStatus, PadiContract, Urgency } from "@kolu/contract/padi.ts";
import type { ItemOf, StreamNames } from "@kolu/contract/rpc.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import {
  ProtocolError,
  ProtocolErrorCode,
  type Resource,
  ResourceNotFoundError,
} from "@modelcontextprotocol/server";
import type { Connection, Link } from "./connection.ts";

export const TERMINALS = "surface://collections/terminals";
export const URGENCY = "surface://cells/urgency";
export const DAEMON_STATUS = "surface://collections/daemonStatus";
export const STATUS = "surface://cells/status";
export const IDENTITY = "surface://cells/identity";

/** The one daemon of the collection: other machines have their own padi. */
const LOCAL = "local";
/** padi answers a read at once; a longer silence is a fault that the caller must hear of. */
const READ_TIMEOUT_MS = 5_000;

const JSON_TYPE = { mimeType: "application/json" } as const;

export const resources: Resource[] = [
  {
    uri: TERMINALS,
    name: "terminals",
    title: "Terminals",
    description:
      "The ids of all terminals. Each has a record at surface://collections/terminals/<id>: intent, cwd, git, agent and its state, parentId.",
    ...JSON_TYPE,
  },
  {
    uri: URGENCY,
    name: "urgency",
    title: "Urgency",
    description:
      "Which terminals wait for somebody (awaitingIds), have finished (finishedIds), work (workingIds) or linger.",
    ...JSON_TYPE,
  },
  {
    uri: DAEMON_STATUS,
    name: "daemonStatus",
    title: "Daemon status",
    description:
      "Whether the daemon that owns the terminals is connected; its item is surface://collections/daemonStatus/local.",
    ...JSON_TYPE,
  },
  {
    uri: STATUS,
    name: "status",
    title: "Status",
    description:
      "Builds of the daemons; `expectedKaval` is there when the one that owns the terminals is of another build.",
    ...JSON_TYPE,
  },
  {
    uri: IDENTITY,
    name: "identity",
    title: "Identity",
    description:
      "Which start of kolu's background service answers: another `bootId` means that it restarted.",
    ...JSON_TYPE,
  },
];

export const templates = [
  { uriTemplate: `${TERMINALS}/{id}`, name: "terminals item", title: "One terminal", ...JSON_TYPE },
  { uriTemplate: `${DAEMON_STATUS}/{id}`, name: "daemonStatus item", title: "One daemon", ...JSON_TYPE },
];

export type Place =
  | { kind: "terminals" | "urgency" | "daemon-status" | "status" | "identity" }
  | { kind: "terminal" | "daemon"; id: string };

const STATIC: Record<string, Place> = {
  [TERMINALS]: { kind: "terminals" },
  [URGENCY]: { kind: "urgency" },
  [DAEMON_STATUS]: { kind: "daemon-status" },
  [STATUS]: { kind: "status" },
  [IDENTITY]: { kind: "identity" },
};

/** Pure. Throws for what is no resource of ours. */
export function placeOf(uri: string): Place {
  const known = Object.hasOwn(STATIC, uri) ? STATIC[uri] : undefined;
  if (known) return known;
  for (const [base, kind] of [
    [TERMINALS, "terminal"],
    [DAEMON_STATUS, "daemon"],
  ] as const) {
    const id = uri.startsWith(`${base}/`) ? uri.slice(base.length + 1) : "";
    if (id !== "" && !/[/?#]/.test(id)) return { kind, id };
  }
  throw new ResourceNotFoundError(uri);
}

/** Rejects for an unknown URI, for an item that is not there, and when padi does not answer. */
export async function readResource(
  uri: string,
  connection: Connection,
  signal: AbortSignal,
): Promise<unknown> {
  const place = placeOf(uri);
  const bound = AbortSignal.any([signal, AbortSignal.timeout(READ_TIMEOUT_MS)]);
  return connection.use((link) => readPlace(place, uri, link, bound), signal);
}

async function readPlace(place: Place, uri: string, link: Link, signal: AbortSignal): Promise<unknown> {
  switch (place.kind) {
    case "terminals":
      return (await readTerminals(link, signal)).map(({ id }) => id);
    case "terminal": {
      const record = (await readTerminals(link, signal)).find(({ id }) => id === place.id);
      if (record) return record;
      throw absent(uri);
    }
    case "urgency":
      return firstOf(link, "urgency.watch", signal) satisfies Promise<Urgency>;
    case "daemon-status":
      return [LOCAL];
    case "daemon":
      if (place.id !== LOCAL) throw absent(uri);
      return daemonItem(await firstOf(link, "status.watch", signal));
    case "status":
      return statusOf(await firstOf(link, "status.watch", signal));
    case "identity":
      return identityOf(link);
    default:
      return place satisfies never;
  }
}

async function readTerminals({ client }: Link, signal: AbortSignal): Promise<TerminalRecord[]> {
  return (await client.call("terminals.list", {}, { signal })).terminals;
}

async function firstOf<M extends StreamNames<PadiContract>>(
  { client }: Link,
  method: M,
  signal: AbortSignal,
): Promise<ItemOf<PadiContract, M>> {
  for await (const item of client.subscribe(method, {} as never, { signal })) return item;
  throw new Error(`padi ended ${method} without a word.`);
}

function absent(uri: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `No value yet, or not present: ${uri}`);
}

/** Pure. The daemon that owns the terminals, as padi sees it. */
export function daemonItem({ kaval }: DaemonStatus): Record<string, unknown> {
  if (kaval.state !== "connected") return kaval;
  const { hello, adopted, sinceMs } = kaval;
  return {
    state: "connected",
    identity: { buildId: hello.buildId, pid: hello.pid, bootId: hello.bootId },
    contractVersion: hello.protocol,
    startedAt: hello.startedAtMs,
    adopted,
    ...(adopted ? { adoptedAt: sinceMs } : {}),
  };
}

/** Pure. */
export function statusOf({ padi, kaval }: DaemonStatus): Record<string, unknown> {
  const kavalBuildId = kaval.state === "connected" ? kaval.hello.buildId : null;
  const isOther = kavalBuildId !== null && kavalBuildId !== padi.buildId;
  return {
    padiBuildId: padi.buildId,
    kavalBuildId,
    ...(isOther ? { expectedKaval: { staleKey: kavalBuildId, navigableCommit: null } } : {}),
  };
}

function identityOf({ hello }: Link): Record<string, unknown> {
  const { protocol, startedAtMs, buildId, bootId, pid, stateRoot } = hello;
  return {
    commit: null,
    surfaceVersion: protocol,
    startedAt: startedAtMs,
    lifetime: { kind: "forever" },
    buildId,
    bootId,
    pid,
    stateRoot,
  };
}
