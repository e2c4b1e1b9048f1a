// A link to the padi of another machine: a connection, a question, a forwarded socket, a dial.
import { DialFailed } from "@kolu/wire/dial.ts";
import type { Endpoint } from "../endpoint.ts";
import { dialPadi, Incompatible, judgePadi, type PadiLink } from "../padi-dial.ts";
import type { Context } from "../verb-spec.ts";
import { HostFailure } from "./host-failure.ts";
import { readHostName } from "./host-name.ts";
import { judgeAnswer, parseAnswer, questionScript } from "./question.ts";
import { type Tunnel, tunnelTo } from "./tunnel.ts";

export interface WantedHost {
  host: string;
  /** A path over there; null: the kolu that a client over there would find. */
  stateRoot: string | null;
  /** Start the daemons over there when none run. */
  start: boolean;
}

/** A kolu that is there, on a slow machine with a slow login shell. */
const ANSWER_TIMEOUT_MS = 20_000;
/** The same with daemons to start. */
const START_TIMEOUT_MS = 45_000;

/** Rejects with UsageError for a word that is no host, with HostFailure or Incompatible. */
export async function openHost(wanted: WantedHost, context: Context): Promise<PadiLink> {
  const host = readHostName(wanted.host);
  const tunnel = await tunnelTo(host, context.env);
  // A padi may leave between its answer and the dial: then the next answer says where another serves.
  const link = (await dialThere(tunnel, wanted, context)) ?? (await dialThere(tunnel, wanted, context));
  if (link === null) throw tunnel.isOpen() ? forbidsForwarding(host) : tunnel.failure();
  const verdict = judgePadi(link.hello);
  if (verdict.kind === "fine") return link;
  link.close();
  throw new HostIncompatible(host, verdict.kind, link.hello.buildId);
}

/** Null when nobody answers at the place that the host has named. */
async function dialThere(tunnel: Tunnel, wanted: WantedHost, context: Context): Promise<PadiLink | null> {
  const { host } = tunnel;
  const timeoutMs = wanted.start ? START_TIMEOUT_MS : ANSWER_TIMEOUT_MS;
  const { printed } = await tunnel.runScript(questionScript(wanted), timeoutMs);
  const { socketPath, stateRoot, started, buildId } = judgeAnswer(host, parseAnswer(printed));
  if (started) context.out.say(`no kolu ran on ${host}: started it there (${buildId})`);
  const forwarded = await tunnel.forward(socketPath);
  const endpoint: Endpoint = { socketPath: forwarded, stateRoot, namedBy: `--host ${host}`, host };
  return dialPadi(endpoint).catch((error: unknown) => {
    if (error instanceof DialFailed) return null;
    throw error;
  });
}

/** padi answered over there, twice, and not over ssh. OpenSSH 9.2 gives no reason: "connect failed" also where it refuses. */
function forbidsForwarding(host: string): HostFailure {
  return new HostFailure(
    "host-forbids-forwarding",
    host,
    `kolu runs on ${host}, but its ssh server does not let us through to it. Its sshd_config needs AllowStreamLocalForwarding yes, and the key no \`restrict\` in authorized_keys.`,
  );
}

/** A padi of another protocol: nobody goes on against it, at the start or later. */
export class HostIncompatible extends Incompatible {
  override name = "HostIncompatible";
  readonly kind: "host-too-old" | "host-too-new";
  constructor(host: string, fit: "too-old" | "too-new", buildId: string) {
    const kind = `host-${fit}` as const;
    const advice =
      fit === "too-old"
        ? `is too old for this one. Update it there: the next \`kolu create --host ${host}\` replaces the one that runs, and terminals keep running`
        : "is newer than this one: update kolu here";
    super(`kolu ${buildId} on ${host} ${advice}. [${kind}]`);
    this.kind = kind;
  }
}
