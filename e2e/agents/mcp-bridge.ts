// A door of HTTP before a server that speaks stdio, for suites that know only HTTP: every session of the protocol gets a
// `kolu mcp` of its own, and messages pass unread.

import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";

export interface Bridge extends AsyncDisposable {
  url: string;
}

export interface BridgedCommand {
  command: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
}

type Door = WebStandardStreamableHTTPServerTransport;

export async function openBridge(behind: BridgedCommand): Promise<Bridge> {
  const sessions = new Map<string, Door>();
  const programs = new Set<StdioClientTransport>();

  async function openSession(): Promise<Door> {
    const door: Door = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, door),
    });
    const program = new StdioClientTransport({ ...behind, stderr: "ignore" });
    programs.add(program);
    door.onmessage = (message) => void program.send(message);
    // A door that the suite has closed takes no more messages.
    program.onmessage = (message) => void door.send(message).catch(() => {});
    await program.start();
    await door.start();
    return door;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = await webRequest(request);
    const door = sessions.get(asked.headers.get("mcp-session-id") ?? "") ?? (await openSession());
    const answer = await door.handleRequest(asked);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.flushHeaders();
    for await (const chunk of answer.body ?? []) response.write(chunk);
    response.end();
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      for (const program of programs) await program.close();
    },
  };
}

async function webRequest(request: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, String(value));
  const method = request.method ?? "GET";
  const body = method === "POST" ? { body: Buffer.concat(chunks) } : {};
  return new Request(`http://${request.headers.host}${request.url}`, { method, headers, ...body });
}
