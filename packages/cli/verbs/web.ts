import { resolve } from "node:path";
import { createLog } from "@kolu/daemon/log.ts";
import { runWeb, type Web } from "@kolu/web/server.ts";
import type { Invocation } from "../arguments.ts";
import { type ExitCode, Failure, UsageError } from "../exit.ts";
import { openEndpoint, openPadi } from "../padi-link.ts";
import { findPage } from "../page-files.ts";
import type { Context, webFlags } from "../verb-table.ts";

const DEFAULT_PORT = 7681;

/** Serves until a signal comes. */
export async function run(invocation: Invocation<typeof webFlags>, context: Context): Promise<ExitCode> {
  if (invocation.endpoint.socket !== undefined)
    throw new UsageError(
      "web takes no --socket: it starts and keeps a padi of its own. Name a --state-root instead.",
    );
  if (invocation.endpoint.host !== undefined)
    throw new UsageError(
      `web serves the kolu of the machine that it runs on. For ${invocation.endpoint.host}: ssh -L ${DEFAULT_PORT}:127.0.0.1:${DEFAULT_PORT} ${invocation.endpoint.host} kolu web, and open the link that it prints.`,
    );
  const tls = decideTls(invocation.flags, context.cwd);
  const staticDir = await findPage();
  const first = await openPadi(invocation, context, { start: true });
  first.close();
  const { endpoint, hello } = first;
  const ensurePadi = async (): Promise<string> => {
    const link = await openEndpoint(endpoint, context, { start: true });
    link.close();
    return link.endpoint.socketPath;
  };
  const web = await runWeb({
    stateRoot: hello.stateRoot,
    port: invocation.flags.port ?? DEFAULT_PORT,
    bind: invocation.flags.bind ?? "127.0.0.1",
    tls,
    behindProxy: invocation.flags["behind-proxy"] ?? null,
    ensurePadi,
    staticDir,
    log: createLog("web"),
  }).catch((cause: Error) => {
    throw new Failure(cause.message, { cause });
  });
  return serveUntilSignal(web, context);
}

async function serveUntilSignal(web: Web, { out, signal }: Context): Promise<ExitCode> {
  out.say(`serving on ${web.url}. Open it once with the link below; kolu open --link prints another.`);
  out.line(web.link);
  try {
    await new Promise<never>((_resolve, reject) => {
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    throw new Error("unreachable");
  } finally {
    await web.close();
  }
}

/** Pure. */
export function decideTls(
  flags: { "tls-cert": string | undefined; "tls-key": string | undefined },
  cwd: string,
): { certPath: string; keyPath: string } | null {
  const { "tls-cert": cert, "tls-key": key } = flags;
  if (cert === undefined && key === undefined) return null;
  if (cert === undefined || key === undefined)
    throw new UsageError(
      "--tls-cert and --tls-key come together: the certificate chain and its private key.",
    );
  return { certPath: resolve(cwd, cert), keyPath: resolve(cwd, key) };
}
