// What `kolu doctor` makes of what it found. Pure: looking is look.ts.
import { agentVocabs } from "@kolu/agents/vocabs.ts";

export type Grade = "well" | "note" | "wrong";

export interface Finding {
  grade: Grade;
  what: string;
  /** What was found, in a few words. */
  found: string;
  /** What to do; null: nothing. */
  fix: string | null;
}

/** What a daemon answered; `state` tells why there is no hello. */
export type DaemonSeen =
  | { state: "answers"; buildId: string; pid: number; protocol: string; older: boolean }
  | { state: "absent" }
  | { state: "mute"; pid: number | null };

export interface Seen {
  nodeVersion: string;
  platform: NodeJS.Platform;
  stateRoot: string;
  namedBy: string;
  stateRootMode: number | null;
  runtime: string;
  runtimeMode: number | null;
  padi: DaemonSeen;
  kaval: DaemonSeen;
  ourBuild: string;
  ourProtocol: string;
  webServers: { url: string; pid: number }[];
  /** Whether gh can speak for the user; null where it is not installed or did not say in time. */
  ghSignedIn: boolean | null;
  /** Absolute path of each program that was looked for; null: not on PATH. */
  programs: Readonly<Record<string, string | null>>;
  shell: string | null;
  locale: string;
  /** Other kolus of this user that run. */
  others: string[];
}

/** Its libuv keeps the last output of a PTY; older ones lose it. */
const NODE_NEEDED: readonly [major: number, minor: number] = [24, 21];
const KNOWN_SHELLS = ["bash", "zsh", "fish"];

/** Programs that doctor looks for. */
export const WANTED_PROGRAMS: readonly string[] = [
  "git",
  "ssh",
  "gh",
  ...agentVocabs.flatMap((vocab) => vocab.grammar.programs.slice(0, 1)),
];

export function findings(seen: Seen): Finding[] {
  return [
    nodeFinding(seen.nodeVersion),
    privacyFinding("state root", `${seen.stateRoot} (${seen.namedBy})`, seen.stateRoot, seen.stateRootMode),
    privacyFinding("runtime directory", seen.runtime, seen.runtime, seen.runtimeMode),
    daemonFinding("padi", seen.padi, seen),
    daemonFinding("kaval", seen.kaval, seen),
    webFinding(seen.webServers),
    ...(seen.others.length === 0 ? [] : [othersFinding(seen.others)]),
    programFinding(seen.programs, "git", "Install git: without it terminals show no repository or branch."),
    programFinding(seen.programs, "ssh", "Install OpenSSH: other machines are reached through it."),
    ghFinding(seen),
    agentsFinding(seen.programs),
    shellFinding(seen.shell),
    localeFinding(seen.locale),
  ];
}

function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [neededMajor, neededMinor] = NODE_NEEDED;
  const fits = major > neededMajor || (major === neededMajor && minor >= neededMinor);
  return {
    grade: fits ? "well" : "wrong",
    what: "Node",
    found: version,
    fix: fits
      ? null
      : `Run kolu with Node ${NODE_NEEDED.join(".")} or newer: older ones lose the last output of programs.`,
  };
}

function privacyFinding(what: string, found: string, path: string, mode: number | null): Finding {
  if (mode === null) return { grade: "note", what, found: `${found}: not there yet`, fix: null };
  const isPrivate = (mode & 0o077) === 0;
  return {
    grade: isPrivate ? "well" : "wrong",
    what,
    found: isPrivate ? found : `${found}: open to others (${(mode & 0o777).toString(8)})`,
    fix: isPrivate ? null : `chmod 700 ${path}`,
  };
}

function daemonFinding(name: "padi" | "kaval", daemon: DaemonSeen, { ourBuild, ourProtocol }: Seen): Finding {
  switch (daemon.state) {
    case "absent":
      return {
        grade: "note",
        what: name,
        found: "does not run",
        fix: name === "padi" ? "kolu web or kolu create starts it." : null,
      };
    case "mute":
      return {
        grade: "wrong",
        what: name,
        found: daemon.pid === null ? "its socket does not answer" : `pid ${daemon.pid} does not answer`,
        fix:
          daemon.pid === null
            ? "Look into its log in the state root."
            : `Look into its log in the state root. If it hangs: kill ${daemon.pid}${name === "padi" ? " (terminals keep running)" : " (this ends every terminal)"}.`,
      };
    case "answers": {
      const otherProtocol = name === "padi" && daemon.protocol !== ourProtocol;
      return {
        grade: otherProtocol ? "wrong" : daemon.older ? "note" : "well",
        what: name,
        found: `answers, ${daemon.buildId}, pid ${daemon.pid}`,
        fix:
          name === "padi" && (daemon.older || otherProtocol)
            ? `This kolu is ${ourBuild}: kolu web replaces an older padi; terminals keep running.`
            : null,
      };
    }
    default:
      return daemon satisfies never;
  }
}

function webFinding(servers: Seen["webServers"]): Finding {
  if (servers.length === 0)
    return { grade: "note", what: "web", found: "no page is served", fix: "kolu web serves it." };
  return {
    grade: "well",
    what: "web",
    found: servers.map(({ url, pid }) => `${url} (pid ${pid})`).join(", "),
    fix: null,
  };
}

function othersFinding(others: string[]): Finding {
  return {
    grade: "note",
    what: "other kolus",
    found: others.join(", "),
    fix: "Name one with --state-root.",
  };
}

function programFinding(programs: Seen["programs"], name: string, fix: string): Finding {
  const path = programs[name] ?? null;
  return path === null
    ? { grade: "note", what: name, found: "not on PATH", fix }
    : { grade: "well", what: name, found: path, fix: null };
}

function ghFinding({ programs, ghSignedIn }: Seen): Finding {
  const finding = programFinding(programs, "gh", "Install gh and run gh auth login to see pull requests.");
  if (ghSignedIn !== false) return finding;
  return {
    ...finding,
    grade: "note",
    found: `${finding.found}: not signed in`,
    fix: "gh auth login: until then terminals show no pull request.",
  };
}

function agentsFinding(programs: Seen["programs"]): Finding {
  const there = agentVocabs.filter(({ grammar }) => programs[grammar.programs[0] ?? ""]);
  if (there.length === 0)
    return {
      grade: "note",
      what: "agents",
      found: "none on PATH",
      fix: "Install a coding agent, and start it in a terminal.",
    };
  return {
    grade: "well",
    what: "agents",
    found: there.map(({ displayName }) => displayName).join(", "),
    fix: null,
  };
}

function shellFinding(shell: string | null): Finding {
  const name = shell?.split("/").at(-1) ?? "";
  if (KNOWN_SHELLS.includes(name)) return { grade: "well", what: "shell", found: shell!, fix: null };
  return {
    grade: "note",
    what: "shell",
    found: shell ?? "SHELL is not set",
    fix: `Directories and commands are told exactly by ${KNOWN_SHELLS.join(", ")}; other shells work without that.`,
  };
}

function localeFinding(locale: string): Finding {
  const isUtf8 = /utf-?8/i.test(locale);
  return {
    grade: isUtf8 ? "well" : "wrong",
    what: "locale",
    found: locale === "" ? "none is set" : locale,
    fix: isUtf8 ? null : "Set a UTF-8 locale, such as: export LANG=C.UTF-8",
  };
}
