// An agent's host for a test: the official client over stdio to a real `kolu mcp`. Every answer is held against the schema
// that the tool announces, refusals too: clients of the protocol's first SDK reject what does not fit.
import { join } from "node:path";
import type { PassThrough } from "node:stream";
import { Client, type ClientOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import type { Kolu } from "./start-kolu.ts";

const ENTRY = join(import.meta.dirname, "..", "packages", "cli", "bin", "kolu.js");

export interface Answer {
  isError: boolean;
  /** Text of the answer; empty for a picture. */
  text: string;
  data: Record<string, unknown>;
  image: { data: string; mimeType: string } | null;
}

export interface McpHost extends AsyncDisposable {
  client: Client;
  /** Of the server's process; null once it has ended. */
  pid(): number | null;
  /** What `kolu mcp` has said on stderr so far. */
  said(): string;
  /** Rejects when the answer does not fit the tool's schema. */
  call(name: string, input?: Record<string, unknown>, options?: { signal?: AbortSignal }): Promise<Answer>;
  /** Names of the tools that were called. */
  called: ReadonlySet<string>;
  read(uri: string): Promise<unknown>;
  /** Resolves at the next notice for this resource, from now on. */
  whenUpdated(uri: string): Promise<void>;
}

export interface HostOptions {
  args?: string[];
  env?: Record<string, string | undefined>;
  client?: ClientOptions;
}

export async function startMcpHost(kolu: Kolu, options: HostOptions = {}): Promise<McpHost> {
  const env = Object.entries({ ...kolu.env, ...options.env }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [ENTRY, "mcp", ...(options.args ?? [])],
    env: Object.fromEntries(env),
    cwd: kolu.home,
    stderr: "pipe",
  });
  let said = "";
  (transport.stderr as PassThrough).on("data", (chunk: Buffer) => {
    said += chunk.toString("utf8");
  });
  const client = new Client({ name: "kolu-test", version: "1.0.0" }, options.client);
  const waiting = new Map<string, (() => void)[]>();
  client.setNotificationHandler("notifications/resources/updated", ({ params: { uri } }) => {
    const wake = waiting.get(uri) ?? [];
    waiting.delete(uri);
    for (const resolve of wake) resolve();
  });
  await client.connect(transport);
  const validator = new AjvJsonSchemaValidator();
  const { tools } = await client.listTools();
  const fits = new Map(tools.map((tool) => [tool.name, validator.getValidator(tool.outputSchema as never)]));

  const called = new Set<string>();
  return {
    client,
    pid: () => transport.pid,
    said: () => said,
    called,
    async call(name, input = {}, { signal } = {}) {
      called.add(name);
      const result = await client.callTool(
        { name, arguments: input },
        { timeout: 60_000, ...(signal ? { signal } : {}) },
      );
      const verdict = fits.get(name)?.(result.structuredContent);
      if (verdict && !verdict.valid)
        throw new Error(`${name} answers what it does not announce: ${verdict.errorMessage}`);
      const [block] = result.content;
      return {
        isError: result.isError === true,
        text: block?.type === "text" ? block.text : "",
        data: result.structuredContent as Record<string, unknown>,
        image: block?.type === "image" ? { data: block.data, mimeType: block.mimeType } : null,
      };
    },
    async read(uri) {
      const { contents } = await client.readResource({ uri });
      return JSON.parse((contents[0] as { text: string }).text);
    },
    whenUpdated: (uri) => new Promise((resolve) => waiting.set(uri, [...(waiting.get(uri) ?? []), resolve])),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** A terminal with a shell at rest, opened as an agent opens one. Throws when it is refused. */
export async function openTerminal(host: McpHost, more: Record<string, unknown> = {}): Promise<string> {
  const placement = { kind: "toplevel" };
  const { data, isError, text } = await host.call("lifecycle_create", { placement, ...more });
  if (isError) throw new Error(`no terminal was opened: ${text}`);
  const id = String(data.id);
  await host.call("wait_outputSettled", { id, idleMs: 300, timeoutMs: 15_000 });
  return id;
}
