// What was typed after `padi-tui`, parsed once. Pure.
import { parseArgs } from "node:util";
import { Bucket } from "@kolu/contract/agent.ts";
import { TIMER_MAX_MS } from "@kolu/contract/limits.ts";

/** The command line asks for what cannot be. */
export class UsageError extends Error {
  override name = "UsageError";
}

export const USAGE = `padi-tui, the older client of the workspace (kolu is the one to use)

  padi-tui status [--json]
  padi-tui watch [id] [--json]
  padi-tui wait <id> --until <working,awaiting,waiting> [--timeout <ms>] [--json]
  padi-tui create (--toplevel | --parent <id>) [--worktree <name> --repo <path>] [--json] -- <command…>

Which padi, after the verb: --socket <path> or --state-root <dir>; else KOLU_STATE_ROOT, PADI_SOCKET, or the one running.`;

export type Verb =
  | { kind: "help" }
  | { kind: "status" }
  | { kind: "watch"; id: string | null }
  | { kind: "wait"; id: string; buckets: Bucket[]; timeoutMs: number | null }
  | {
      kind: "create";
      parent: string | null;
      worktree: string | undefined;
      repo: string | undefined;
      argv: string[];
    };

export interface Command {
  verb: Verb;
  json: boolean;
  socket: string | undefined;
  stateRoot: string | undefined;
}

const OPTIONS = {
  json: { type: "boolean", default: false },
  socket: { type: "string" },
  "state-root": { type: "string" },
  host: { type: "string" },
  until: { type: "string" },
  timeout: { type: "string" },
  toplevel: { type: "boolean", default: false },
  parent: { type: "string" },
  worktree: { type: "string" },
  repo: { type: "string" },
  help: { type: "boolean", short: "h", default: false },
} as const;

/** Flags that belong to one verb alone. */
const OF_VERB: Record<string, readonly string[]> = {
  status: [],
  watch: [],
  wait: ["until", "timeout"],
  create: ["toplevel", "parent", "worktree", "repo"],
};
const OF_EVERY_VERB = ["json", "socket", "state-root", "host", "help"];

/** Throws UsageError. */
export function parseCommand(argv: readonly string[]): Command {
  const [name, ...rest] = argv;
  if (name === "--help" || name === "-h") return { verb: { kind: "help" }, ...noEndpoint };
  if (name === undefined || !Object.hasOwn(OF_VERB, name))
    throw new UsageError(name === undefined ? USAGE : `There is no verb ${JSON.stringify(name)}.\n${USAGE}`);
  const dashes = rest.indexOf("--");
  const { values, positionals } = parseWords(dashes === -1 ? rest : rest.slice(0, dashes));
  if (values.help) return { verb: { kind: "help" }, ...noEndpoint };
  for (const [flag, value] of Object.entries(values)) {
    if (value === false) continue;
    if (![...OF_EVERY_VERB, ...OF_VERB[name]!].includes(flag))
      throw new UsageError(`--${flag} is no flag of padi-tui ${name}.`);
    if (typeof value === "string" && value.trim() === "")
      throw new UsageError(`--${flag} is blank. Is a shell variable unset?`);
  }
  if (values.host !== undefined)
    throw new UsageError(
      "--host: padi-tui reaches terminals on this machine only. Use kolu instead, which takes --host.",
    );
  if (values.socket !== undefined && values["state-root"] !== undefined)
    throw new UsageError("Give --socket or --state-root, not both.");
  const command = dashes === -1 ? [] : rest.slice(dashes + 1);
  return {
    verb: parseVerb(name, { values, positionals, command }),
    json: values.json,
    socket: values.socket,
    stateRoot: values["state-root"],
  };
}

const noEndpoint = { json: false, socket: undefined, stateRoot: undefined };

function parseWords(words: string[]) {
  try {
    return parseArgs({ args: words, options: OPTIONS, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

type Words = ReturnType<typeof parseWords> & { command: string[] };

function parseVerb(name: string, { values, positionals, command }: Words): Verb {
  const [id, tooMany] = positionals;
  if (tooMany !== undefined || ((name === "status" || name === "create") && id !== undefined))
    throw new UsageError(`padi-tui ${name} takes no ${JSON.stringify(tooMany ?? id)}.`);
  if (name !== "create" && command.length > 0)
    throw new UsageError(`Only padi-tui create takes a command after --.`);
  switch (name) {
    case "status":
      return { kind: "status" };
    case "watch":
      return { kind: "watch", id: id ?? null };
    case "wait":
      if (id === undefined) throw new UsageError("padi-tui wait needs the id of a terminal.");
      return {
        kind: "wait",
        id,
        buckets: parseBuckets(values.until),
        timeoutMs: parseTimeout(values.timeout),
      };
    default:
      return parseCreate(values, command);
  }
}

function parseCreate(values: Words["values"], argv: string[]): Verb {
  if (values.toplevel === (values.parent !== undefined))
    throw new UsageError("padi-tui create needs --toplevel or --parent <id>, one of them.");
  if (argv.length === 0) throw new UsageError("padi-tui create needs a command after --.");
  const { parent, worktree, repo } = values;
  return { kind: "create", parent: parent ?? null, worktree, repo, argv };
}

function parseBuckets(word: string | undefined): Bucket[] {
  const names = (word ?? "").split(",").map((name) => name.trim().toLowerCase());
  return names.map((name) => {
    const bucket = Bucket.safeParse(name);
    if (!bucket.success) throw new UsageError("--until takes one or more of working,awaiting,waiting.");
    return bucket.data;
  });
}

function parseTimeout(word: string | undefined): number | null {
  if (word === undefined) return null;
  const ms = /^\d+$/.test(word) ? Number(word) : Number.NaN;
  if (!(ms >= 1 && ms <= TIMER_MAX_MS))
    throw new UsageError(`--timeout takes whole milliseconds, 1 to ${TIMER_MAX_MS}.`);
  return ms;
}
