// What a terminal's shell is started with so that it marks its prompts and commands for kaval. The user's dotfiles are
// never touched: files of ours are read around them, private to one terminal and gone with it.
// The shell halves are marks.bash, marks.zsh and marks.fish beside this file; each gets a generated head in front.
import { readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";

export interface InitFile {
  /** Absolute. */
  path: string;
  content: string;
}

export interface ShellLaunch {
  file: string;
  args: string[];
  env: Record<string, string>;
  initFiles: InitFile[];
  /** What a mark of this shell carries; null when the shell is one that we cannot make mark anything. */
  markNonce: string | null;
}

export interface LaunchShellOptions {
  /** Path of the shell. Its base name tells which one it is. */
  shell: string;
  /** A private directory for init files; each terminal's go into a subdirectory named by its id. */
  initDir: string;
  id: string;
  /** Letters, digits, `-` and `_` only; it must be hard to guess. */
  nonce: string;
  /** Put first on PATH again once the user's dotfiles have run (bash, zsh, fish). */
  pathEntries: string[];
  env: Record<string, string>;
  /** Stands in for HOME where the environment has none: dotfiles are looked for there. */
  home: string;
  /** The host that directory reports (OSC 7) name; this machine's by default. */
  host?: string;
}

type Integrate = (o: LaunchShellOptions & { host: string; dir: string }) => Omit<ShellLaunch, "file">;

const NONCE = /^[A-Za-z0-9_-]{8,}$/;
const ID = /^[A-Za-z0-9][A-Za-z0-9-]*$/;

/**
 * How to start `shell` with marks. Pure. Shells other than bash, zsh and fish start plainly, with the environment
 * alone.
 * Throws on a nonce or an id that could leave its quotes or its directory: both are made by us, so that is a bug.
 */
export function launchShell(options: LaunchShellOptions): ShellLaunch {
  const { shell, initDir, id, nonce } = options;
  const env = { HOME: options.home, ...options.env };
  if (!NONCE.test(nonce)) throw new Error("a mark nonce must be at least 8 of A-Z a-z 0-9 - _");
  if (!ID.test(id)) throw new Error(`not a terminal id: ${id}`);
  const integrate = integrations[basename(shell).replace(/^-/, "")];
  if (integrate === undefined) return { file: shell, args: [], env, initFiles: [], markNonce: null };
  const host = options.host ?? hostname();
  return { file: shell, ...integrate({ ...options, env, host, dir: join(initDir, id) }) };
}

/**
 * Writes a launch's init files, mode 0600 in a directory 0700 of their own. What an earlier kaval left under the same id
 * is removed first; then everything is created exclusively, so that nobody's symlink is followed. Rejects with the file
 * system's error, in which case the shell must not be started.
 */
export async function writeInitFiles(files: InitFile[]): Promise<void> {
  for (const dir of new Set(files.map((file) => dirname(file.path)))) {
    await rm(dir, { recursive: true, force: true });
    await mkdir(dirname(dir), { recursive: true, mode: 0o700 });
    await mkdir(dir, { mode: 0o700 });
  }
  for (const { path, content } of files) await writeFile(path, content, { flag: "wx", mode: 0o600 });
}

/** Removes the init files of one terminal; fine when there are none. */
export async function removeInitFiles(initDir: string, id: string): Promise<void> {
  await rm(join(initDir, id), { recursive: true, force: true });
}

const integrations: Record<string, Integrate> = {
  bash: ({ dir, nonce, host, pathEntries, env }) => {
    const path = join(dir, "bashrc");
    const head = [
      `__kolu_nonce=${posixQuoted(nonce)}`,
      `__kolu_host=${posixQuoted(encodeURIComponent(host))}`,
      `__kolu_path_entries=(${pathEntries.map(posixQuoted).join(" ")})`,
    ];
    return {
      args: ["--rcfile", path],
      env,
      initFiles: [{ path, content: fileOf(head, marks.bash) }],
      markNonce: nonce,
    };
  },

  zsh: ({ dir, nonce, host, pathEntries, env }) => {
    const head = [
      // The user's own value, or none: what their files and every program in the terminal must see.
      env.ZDOTDIR === undefined ? "unset ZDOTDIR" : `export ZDOTDIR=${posixQuoted(env.ZDOTDIR)}`,
      `typeset -g __kolu_nonce=${posixQuoted(nonce)} __kolu_host=${posixQuoted(encodeURIComponent(host))}`,
      `typeset -ga __kolu_path_entries=(${pathEntries.map(posixQuoted).join(" ")})`,
    ];
    return {
      args: ["-l"],
      env: { ...env, ZDOTDIR: dir },
      initFiles: [{ path: join(dir, ".zshenv"), content: fileOf(head, marks.zsh) }],
      markNonce: nonce,
    };
  },

  fish: ({ dir, nonce, host, pathEntries, env }) => {
    const path = join(dir, "init.fish");
    const head = [
      `set -g __kolu_nonce ${fishQuoted(nonce)}`,
      `set -g __kolu_host ${fishQuoted(encodeURIComponent(host))}`,
      `set -g __kolu_path_entries ${pathEntries.map(fishQuoted).join(" ")}`,
    ];
    return {
      // The nonce stays out of argv, which everybody on the machine can read.
      args: ["-l", "--init-command", `source ${fishQuoted(path)}`],
      env,
      initFiles: [{ path, content: fileOf(head, marks.fish) }],
      markNonce: nonce,
    };
  },
};

const marks = {
  bash: shellText("marks.bash"),
  zsh: shellText("marks.zsh"),
  fish: shellText("marks.fish"),
};

function shellText(name: string): string {
  return readFileSync(new URL(name, import.meta.url), "utf8");
}

function fileOf(head: string[], text: string): string {
  return `${head.join("\n")}\n\n${text}`;
}

function posixQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Inside fish's single quotes a backslash still escapes itself and the quote. */
function fishQuoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
