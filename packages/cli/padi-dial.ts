// One connection to a padi at a known socket, and whether this face may talk to it.
import { type PadiContract, padiContract } from "@kolu/contract/padi.ts";
import { type Client, LinkLost } from "@kolu/contract/rpc.ts";
import { compareProtocol, type Hello, orderProtocol, PADI_PROTOCOL } from "@kolu/contract/version.ts";
import { DialFailed, dialRpc, type RpcLink } from "@kolu/wire/dial.ts";
import type { Endpoint } from "./endpoint.ts";
import { Failure } from "./exit.ts";

export interface PadiLink extends AsyncDisposable {
  client: Client<PadiContract>;
  hello: Hello;
  endpoint: Endpoint;
  /** Resolves when the connection is gone; never rejects. */
  closed: Promise<void>;
  close(): void;
}

/** padi and this face speak no common protocol. */
export class Incompatible extends Failure {
  override name = "Incompatible";
}

/** How long a padi that answers the dial may take to say who it is. */
const HELLO_TIMEOUT_MS = 10_000;

/** Rejects with DialFailed when nobody answers, with Failure when somebody else does. */
export async function dialPadi(endpoint: Endpoint): Promise<PadiLink> {
  const link: RpcLink<PadiContract> = await dialRpc(padiContract, { socketPath: endpoint.socketPath });
  try {
    const hello = await link.client.call("hello", {}, { signal: AbortSignal.timeout(HELLO_TIMEOUT_MS) });
    return { ...link, hello, endpoint: { ...endpoint, stateRoot: hello.stateRoot } };
  } catch (error) {
    link.close();
    // It went away between the dial and the first word: for the caller that is nobody.
    if (error instanceof LinkLost) throw new DialFailed(endpoint.socketPath, error);
    throw new Failure(
      `${endpoint.socketPath} (${endpoint.namedBy}) answers, but not as a padi does: ${(error as Error).message}`,
    );
  }
}

type Verdict = { kind: "fine" } | { kind: "too-old" | "too-new"; sentence: string };

/** Pure: may this face talk to that padi? */
export function judgePadi(hello: Hello, needed = PADI_PROTOCOL): Verdict {
  const fit = compareProtocol(hello.protocol, needed);
  if (fit === "same" || fit === "daemon-newer-minor") return { kind: "fine" };
  const versions = `padi ${hello.buildId} speaks ${hello.protocol}, this kolu needs ${needed}`;
  if (orderProtocol(hello.protocol, needed) < 0)
    return {
      kind: "too-old",
      sentence: `${versions}. \`kolu web\` or \`kolu create\` of this version replaces it; terminals keep running.`,
    };
  return { kind: "too-new", sentence: `${versions}. Use the kolu that it belongs to, or update this one.` };
}
