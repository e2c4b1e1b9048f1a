// The environment of a terminal: what a login session needs of the daemon's own, our stamps, and nothing that leaks how
// the daemon was started (npm, a runtime of ours, another kolu).
import { delimiter } from "node:path";

export interface TerminalEnvironmentOptions {
  daemonEnv: Record<string, string | undefined>;
  /** This terminal. */
  id: string;
  /** Path of this kaval's socket. */
  kavalSocket: string;
  /** What the caller of the spawn adds, PADI_SOCKET among it. Wins over everything but who this terminal is. */
  extra?: Record<string, string>;
  /** Put first on PATH, in this order. */
  pathEntries: string[];
  /** Ours, for TERM_PROGRAM_VERSION. */
  version: string;
  /** The user, for a daemon that was started with next to no environment. */
  user?: { home: string; name: string; shell: string };
  platform?: NodeJS.Platform;
}

/** Variables that pass from the daemon's environment into a terminal. All others do not: a shell's own files set them. */
const passed: ReadonlySet<string> = new Set([
  // Who and where.
  ...["HOME", "USER", "LOGNAME", "SHELL", "PATH", "TMPDIR", "TZ", "MAIL", "ZDOTDIR"],
  // Language.
  ...["LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "LC_TIME", "LC_NUMERIC", "LC_COLLATE"],
  ...["LC_MONETARY", "LC_PAPER", "LC_NAME", "LC_ADDRESS", "LC_TELEPHONE", "LC_MEASUREMENT"],
  ...["LC_IDENTIFICATION", "LOCALE_ARCHIVE", "__CF_USER_TEXT_ENCODING"],
  // The session: directories, agents, display.
  ...["XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"],
  ...["XDG_CONFIG_DIRS", "XDG_DATA_DIRS", "XDG_SESSION_ID", "XDG_SESSION_TYPE", "XDG_SESSION_CLASS"],
  ...["XDG_CURRENT_DESKTOP", "XDG_SEAT", "XDG_VTNR", "SSH_AUTH_SOCK", "SSH_AGENT_PID", "KRB5CCNAME"],
  ...["DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS"],
  ...["WSL_DISTRO_NAME", "WSL_INTEROP", "WSLENV"],
  // How to reach the network. Set by the login session (PAM), so no shell file would bring them back.
  ...["http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "ALL_PROXY", "NO_PROXY"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "NIX_SSL_CERT_FILE", "NIX_PROFILES"],
]);

const DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** From this on programs take the terminal for one with links, true colour and directory reports (OSC 7). */
const VTE_VERSION = "7603";

/** The whole environment that the root process of a terminal starts with. Pure. */
export function terminalEnvironment(options: TerminalEnvironmentOptions): Record<string, string> {
  const { daemonEnv, id, kavalSocket, extra = {}, pathEntries, version } = options;
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(daemonEnv)) {
    if (value !== undefined && passed.has(name)) env[name] = value;
  }
  fillIdentity(env, options.user);
  fillLocale(env, options.platform ?? process.platform);
  Object.assign(
    env,
    {
      PATH: withoutOurRuntime(env.PATH ?? ""),
      TERM: "xterm-256color",
      COLORTERM: "truecolor",
      TERM_PROGRAM: "kolu",
      TERM_PROGRAM_VERSION: version,
      VTE_VERSION,
    },
    extra,
    { KAVAL_TERMINAL_ID: id, KAVAL_SOCKET: kavalSocket },
  );
  env.PATH = pathWithFirst(pathEntries, env.PATH || DEFAULT_PATH);
  return env;
}

/** `entries` first on a PATH, each once. */
export function pathWithFirst(entries: string[], path: string): string {
  const rest = path.split(delimiter).filter((entry) => !entries.includes(entry));
  return [...new Set(entries), ...rest].join(delimiter);
}

/**
 * npm and npx put `node_modules/.bin` and helper directories on the PATH of what they run, and the Node that runs us comes
 * out of node_modules as well. A Node that the user installed lies elsewhere and stays.
 */
function withoutOurRuntime(path: string): string {
  return path
    .split(delimiter)
    .filter((entry) => entry !== "" && !entry.split("/").includes("node_modules"))
    .join(delimiter);
}

function fillIdentity(env: Record<string, string>, user: TerminalEnvironmentOptions["user"]): void {
  if (user === undefined) return;
  env.HOME ||= user.home;
  env.USER ||= user.name;
  env.LOGNAME ||= user.name;
  env.SHELL ||= user.shell;
}

/** Our screens speak UTF-8. A daemon without any locale (a container, launchd) would give shells that do not. */
function fillLocale(env: Record<string, string>, platform: NodeJS.Platform): void {
  if (env.LC_ALL || env.LC_CTYPE || env.LANG) return;
  env.LANG = platform === "darwin" ? "en_US.UTF-8" : "C.UTF-8";
}
