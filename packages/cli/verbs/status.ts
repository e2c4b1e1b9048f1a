import { bucketOf } from "@kolu/contract/agent.ts";
import type { DaemonStatus } from "@kolu/contract/padi.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { findServers } from "@kolu/web/link.ts";
import type { Invocation } from "../arguments.ts";
import { Exit, type ExitCode, Failure } from "../exit.ts";
import { openPadi, type PadiLink } from "../padi-link.ts";
import { formatTable } from "../table.ts";
import { formatDuration } from "../text.ts";
import type { Context } from "../verb-spec.ts";
import type { statusFlags } from "../verb-table-house.ts";

export async function run(invocation: Invocation<typeof statusFlags>, context: Context): Promise<ExitCode> {
  const { out, env, signal } = context;
  await using link = await openPadi(invocation, context);
  const [{ padi, kaval }, stats, { terminals }, servers] = await Promise.all([
    readStatus(link, signal),
    link.client.call("stats", {}, { signal }),
    link.client.call("terminals.list", {}, { signal }),
    // Web servers are found on this machine's disk.
    invocation.endpoint.host === undefined ? findServers(link.hello.stateRoot, env) : [],
  ]);
  const counts = countTerminals(terminals);
  if (invocation.flags.json) {
    out.json({ padi, kaval, ...stats, servers, terminals: counts });
    return Exit.done;
  }
  const rows = [
    [
      "padi",
      `running for ${age(padi.startedAtMs)}`,
      `pid ${padi.pid}`,
      padi.buildId,
      megabytes(stats.rssBytes),
    ],
    kavalRow(kaval, stats.kavalRssBytes),
    ...servers.map(({ url, pid }) => ["web", url, `pid ${pid}`, "", ""]),
    ["state", link.hello.stateRoot, "", "", ""],
  ];
  const columns = ["", "", "", "", ""].map((title) => ({ title }));
  for (const line of formatTable(columns, rows, out.widthCols).slice(1)) out.line(line);
  out.line(sentenceOf(counts));
  return Exit.done;
}

/** The first frame of the live view. */
async function readStatus({ client }: PadiLink, signal: AbortSignal): Promise<DaemonStatus> {
  for await (const status of client.subscribe("status.watch", {}, { signal })) return status;
  throw new Failure("padi said nothing about itself.");
}

function kavalRow(kaval: DaemonStatus["kaval"], rssBytes: number | null): string[] {
  switch (kaval.state) {
    case "connected":
      return [
        "kaval",
        `running for ${age(kaval.hello.startedAtMs)}`,
        `pid ${kaval.hello.pid}`,
        kaval.hello.buildId,
        rssBytes === null ? "" : megabytes(rssBytes),
      ];
    case "connecting":
      return ["kaval", "being found or started", "", "", ""];
    case "down":
      return ["kaval", `down: ${kaval.error}`, "", "", ""];
    case "incompatible":
      return ["kaval", `speaks ${kaval.daemonVersion}, this kolu needs ${kaval.requiredVersion}`, "", "", ""];
    default:
      return kaval satisfies never;
  }
}

interface Counts {
  active: number;
  parked: number;
  exited: number;
  sleeping: number;
  awaiting: number;
  working: number;
  waiting: number;
}

/** Pure. */
export function countTerminals(terminals: readonly TerminalRecord[]): Counts {
  const counts = { active: 0, parked: 0, exited: 0, sleeping: 0, awaiting: 0, working: 0, waiting: 0 };
  for (const { life, agent } of terminals) {
    counts[life] += 1;
    const bucket = life === "active" && agent !== null ? bucketOf(agent.state) : null;
    if (bucket !== null) counts[bucket] += 1;
  }
  return counts;
}

function sentenceOf({ active, parked, awaiting, working, waiting }: Counts): string {
  const agents = `${awaiting} need somebody, ${working} work, ${waiting} wait`;
  const away = parked === 0 ? "" : `; ${parked} parked (kolu restore brings them back)`;
  return `${active} ${active === 1 ? "terminal" : "terminals"} alive, of their agents ${agents}${away}`;
}

function age(startedAtMs: number): string {
  return formatDuration(Date.now() - startedAtMs);
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}
