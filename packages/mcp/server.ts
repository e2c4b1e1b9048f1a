// kolu as an MCP server: tools and live views over the official SDK. Read this first; what a tool does is in tools.ts, what
// a view holds in resources.ts. Nothing else of padi can be reached from here.
import type { Caller } from "@kolu/contract/verb.ts";
import { type McpRequestContext, Server } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Connection } from "./connection.ts";
import { createFeeds } from "./feeds.ts";
import { readResource, resources, templates } from "./resources.ts";
import { callTool, listTools } from "./tools.ts";

export interface McpOptions {
  connection: Connection;
  /** Who calls: the terminal that this server runs inside, if any. */
  caller: Caller;
  version: string;
  /** Something went wrong beside any one request: for stderr. */
  onFault(error: Error): void;
}

/** A server for one connection of a host, of either revision of the protocol. */
export function createMcpServer(
  { connection, caller, version }: McpOptions,
  { era }: Pick<McpRequestContext, "era">,
): Server {
  const server = new Server(
    { name: "kolu-mcp", title: "kolu", version },
    { capabilities: { tools: {}, resources: { subscribe: true } } },
  );
  const feeds = createFeeds(connection, (uri) => {
    // A host that has just left needs no notice.
    server.sendResourceUpdated({ uri }).catch(() => {});
  });
  server.onclose = () => feeds.close();
  server.setRequestHandler("tools/list", () => ({ tools: listTools() }));
  server.setRequestHandler("tools/call", ({ params }, { mcpReq }) =>
    callTool({ connection, caller }, { name: params.name, input: params.arguments }, mcpReq.signal),
  );
  server.setRequestHandler("resources/list", () => ({ resources }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: templates }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }, { mcpReq }) => {
    const value = await readResource(uri, connection, mcpReq.signal);
    return { contents: [{ uri, mimeType: "application/json", text: JSON.stringify(value, null, 2) }] };
  });
  // From 2026-07-28 on the transport itself keeps who asked for what, and lets through what was asked for.
  if (era === "modern") feeds.subscribeAll();
  else {
    server.setRequestHandler("resources/subscribe", ({ params: { uri } }) => {
      feeds.subscribe(uri);
      return {};
    });
    server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
      feeds.unsubscribe(uri);
      return {};
    });
  }
  return server;
}

/** Serves the host on stdin and stdout; resolves when it is gone, or when `signal` says to end. */
export async function serveHost(options: McpOptions, signal: AbortSignal): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const transport = new StdioServerTransport();
  const handle = serveStdio((context) => createMcpServer(options, context), {
    transport,
    onerror: options.onFault,
  });
  for (const event of ["end", "close"] as const) process.stdin.once(event, () => ended.resolve());
  signal.addEventListener("abort", () => ended.resolve(), { once: true });
  await ended.promise;
  await handle.close();
}
