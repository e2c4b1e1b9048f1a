// Where one process of Pi keeps its sessions: its own order of precedence, resolved from that process's environment and its
// command. Pure, except that settings files are read through the given function.
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { nonBlank, parseObject } from "@kolu/anyagent/lenient.ts";

export const DIR_KEY = "KOLU_PI_DIR";

type Environment = Readonly<Record<string, string | undefined>>;

export interface StoreQuestion {
  /** Of the process itself; empty where the system hides it. */
  environ: Environment;
  /** The agent's own words, as the shell marked them: a running Pi overwrites its argv. */
  argv: readonly string[];
  /** Physical, as the process sees it. */
  cwd: string;
  /** kolu's own environment. */
  overrides: Environment;
  /** Null when the file is not there or not for us. */
  readText(path: string): string | null;
}

export interface Store {
  /** The directory that holds the logs. */
  dir: string;
  /** Logs of all directories lie side by side, told apart by their headers alone. */
  flat: boolean;
}

/** Flag, environment, project's settings, settings, agent directory (observed on 1.6.0): the first three are flat. */
export function storeOf(question: StoreQuestion): Store {
  const { environ, argv, cwd, readText } = question;
  const agentDir = agentDirOf(question);
  const chosen =
    flagValue(argv, "--session-dir") ??
    nonBlank(environ.PI_CODING_AGENT_SESSION_DIR) ??
    sessionDirIn(readText(join(cwd, ".pi", "settings.json"))) ??
    sessionDirIn(readText(join(agentDir, "settings.json")));
  if (chosen !== null) return { dir: resolve(cwd, expandHome(chosen, environ)), flat: true };
  return { dir: join(agentDir, "sessions", dirNameOf(cwd)), flat: false };
}

/** kolu's override stands for the default and replaces nothing that the process was told. */
export function agentDirOf({ environ, overrides, cwd }: Omit<StoreQuestion, "readText" | "argv">): string {
  const told = nonBlank(environ.PI_CODING_AGENT_DIR);
  if (told !== null) return resolve(cwd, expandHome(told, environ));
  return nonBlank(overrides[DIR_KEY]) ?? join(homeOf(environ), ".pi", "agent");
}

/** Of the directory that holds one working directory's logs: no leading separator; `/`, `\` and `:` become dashes. */
export function dirNameOf(cwd: string): string {
  return `--${cwd.replace(/^[/\\]/, "").replaceAll(/[/\\:]/g, "-")}--`;
}

/** The word after a flag, or behind its equals sign; null when the flag is not given. */
export function flagValue(argv: readonly string[], flag: string): string | null {
  const at = argv.findLastIndex((word) => word === flag || word.startsWith(`${flag}=`));
  if (at < 0) return null;
  return nonBlank(argv[at] === flag ? argv[at + 1] : argv[at]!.slice(flag.length + 1));
}

function sessionDirIn(settings: string | null): string | null {
  return settings === null ? null : nonBlank(parseObject(settings)?.sessionDir);
}

function expandHome(path: string, environ: Environment): string {
  if (path === "~") return homeOf(environ);
  return path.startsWith("~/") && !isAbsolute(path) ? join(homeOf(environ), path.slice(2)) : path;
}

function homeOf(environ: Environment): string {
  return nonBlank(environ.HOME) ?? homedir();
}
