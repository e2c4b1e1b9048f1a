// The MCP project's own programs against `kolu mcp`: the inspector over stdio, the conformance suite through a bridge of HTTP.
// Scenarios that want a server with tools, prompts or resources of the suite's own are left out: kolu has only its own.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { verbs } from "@kolu/contract/verbs.ts";
import { type Kolu, startKolu } from "../start-kolu.ts";
import { installAgent } from "./install-agent.ts";
import { openBridge } from "./mcp-bridge.ts";
import type { Outcome } from "./situations.ts";

/** Of the conformance suite; the inspector has a version of its own. */
export const CONFORMANCE_VERSION = "0.1.16";
const INSPECTOR_VERSION = "2.12.0";
const SCENARIOS = [
  "server-initialize",
  "ping",
  "tools-list",
  "resources-list",
  "server-sse-multiple-streams",
];
const ENTRY = join(import.meta.dirname, "..", "..", "packages", "cli", "bin", "kolu.js");
const TIMEOUT_MS = 60_000;

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** @param report called after each scenario */
export async function runMcpSuites(version: string, report: (outcome: Outcome) => void): Promise<void> {
  const conformance = join(await installAgent("@modelcontextprotocol/conformance", version), "conformance");
  const inspector = join(
    await installAgent("@modelcontextprotocol/inspector", INSPECTOR_VERSION),
    "mcp-inspector",
  );
  await using kolu = await startKolu();
  const id = await kolu.ok(["create", "--toplevel"]);
  const tell = (title: string, expected: string, { ok, seen }: { ok: boolean; seen: string }): void =>
    report({ title, expected, seen, ok, delayMs: null, listedMs: null });

  // Hosts built on the official client hand on little of their environment: what names this kolu is said outright.
  const named = ["-e", `KOLU_STATE_ROOT=${kolu.places.stateRoot}`];
  const inspect = (...args: string[]): Promise<Ran> =>
    runScript([inspector, "--cli", ...named, process.execPath, ENTRY, "mcp", ...args], kolu);
  const listed = await inspect("--method", "tools/list");
  const names = verbs.map((verb) => verb.name);
  tell(
    "inspector: tools/list",
    `${names.length} tools`,
    judge(listed, ({ tools }) => {
      return JSON.stringify((tools as { name: string }[]).map((tool) => tool.name)) === JSON.stringify(names);
    }),
  );
  const viewed = await inspect("--method", "resources/list");
  tell(
    "inspector: resources/list",
    "5 views",
    judge(viewed, ({ resources }) => (resources as unknown[]).length === 5),
  );
  const called = await inspect(
    "--method",
    "tools/call",
    "--tool-name",
    "screen_text",
    "--tool-arg",
    `id=${id}`,
  );
  tell(
    "inspector: tools/call",
    "structured",
    judge(called, (answer) => typeof answer.structuredContent === "object"),
  );

  await using bridge = await openBridge({
    command: process.execPath,
    args: [ENTRY, "mcp"],
    env: kolu.env,
    cwd: kolu.home,
  });
  for (const scenario of SCENARIOS) {
    const { code, stdout, stderr } = await runScript(
      [conformance, "server", "--url", bridge.url, "--scenario", scenario],
      kolu,
    );
    const seen = code === 0 ? "passed" : `${stdout}${stderr}`;
    tell(`conformance: ${scenario}`, "passed", { ok: code === 0, seen });
  }
  await kolu.ok(["kill", id]);
}

function judge({ code, stdout, stderr }: Ran, holds: (answer: Record<string, unknown>) => boolean) {
  try {
    const ok = code === 0 && holds(JSON.parse(stdout) as Record<string, unknown>);
    return { ok, seen: ok ? "as expected" : `exit ${code}: ${stdout}${stderr}` };
  } catch {
    return { ok: false, seen: `exit ${code}: ${stdout}${stderr}` };
  }
}

function runScript(args: string[], { env, home }: Kolu): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env, cwd: home, timeout: TIMEOUT_MS }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
    });
  });
}
