// Where one process of Oh My Pi keeps its breadcrumbs: its own order of precedence, from that process's environment and
// argv. Pure, except that directories are looked for through the given function. Every row observed on 18.2.3.
import { homedir } from "node:os";
import { join, resolve } from "node:path";

export const DIR_KEY = "KOLU_OMP_DIR";

type Environment = Readonly<Record<string, string | undefined>>;

export interface PlacesQuestion {
  environ: Environment;
  argv: readonly string[];
  cwd: string;
  /** kolu's own environment. */
  overrides: Environment;
  isDirectory(path: string): boolean;
}

/** @returns the directory that holds `terminal-sessions`, or why there is none */
export function stateDirOf(question: PlacesQuestion): { dir: string } | { fault: string } {
  const { environ, cwd, overrides, isDirectory } = question;
  const profile = profileOf(question);
  const xdg = environ.XDG_STATE_HOME ? join(environ.XDG_STATE_HOME, "omp") : null;
  const home = environ.HOME || homedir();
  const config = join(home, environ.PI_CONFIG_DIR || ".omp");
  if (profile !== null) {
    if (!isProfileName(profile)) return { fault: `omp takes no profile of the name "${profile}"` };
    const own = xdg === null ? null : join(xdg, "profiles", profile);
    return { dir: own !== null && isDirectory(own) ? own : join(config, "profiles", profile, "agent") };
  }
  const told = environ.PI_CODING_AGENT_DIR;
  if (told) return { dir: resolve(cwd, told.replace(/^~(?=\/|$)/, home)) };
  if (xdg !== null && isDirectory(xdg)) return { dir: xdg };
  if (environ.PI_CONFIG_DIR) return { dir: join(config, "agent") };
  return { dir: overrides[DIR_KEY] || join(config, "agent") };
}

/** Null: the default profile. A variable that is set wins over the next one even when it is empty. */
function profileOf({ environ, argv }: PlacesQuestion): string | null {
  const name = flagValue(argv, "--profile") ?? environ.OMP_PROFILE ?? environ.PI_PROFILE ?? "";
  return name === "" || name === "default" ? null : name;
}

/** Windows reserves these as names of devices, with whatever ending. */
const DEVICE_NAME = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/;

function isProfileName(name: string): boolean {
  return /^[a-z0-9][a-z0-9._-]{0,63}$/.test(name) && !name.endsWith(".") && !DEVICE_NAME.test(name);
}

/** The word after a flag, or behind its equals sign; null when the flag is not given. */
export function flagValue(argv: readonly string[], flag: string): string | null {
  const end = argv.indexOf("--");
  const words = end < 0 ? argv : argv.slice(0, end);
  const at = words.findLastIndex((word) => word === flag || word.startsWith(`${flag}=`));
  if (at < 0) return null;
  return words[at] === flag ? (words[at + 1] ?? null) : words[at]!.slice(flag.length + 1);
}

/** Of a terminal's breadcrumb: its device without `/dev/`, slashes as dashes. Null when standard input is no terminal: then
 * it may go by a multiplexer's id, which is not this terminal's alone. */
export function breadcrumbName(device: string): string | null {
  return device.startsWith("/dev/") ? device.slice("/dev/".length).replaceAll("/", "-") : null;
}
