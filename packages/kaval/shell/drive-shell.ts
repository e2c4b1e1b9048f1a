// Test driver: a real shell on a real PTY, started the way kaval starts one, and the marks that it wrote. For tests only.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { spawn } from "node-pty";
import { terminalEnvironment } from "../environment.ts";
import { launchShell, removeInitFiles, writeInitFiles } from "./integration.ts";

/** One mark, in the order of the output: `A`, `B`, `C`, `D <status>`, `E <line>`, `cwd <url>`, `title <text>`. */
export type Mark = string;

export interface DrivenShell extends AsyncDisposable {
  readonly home: string;
  /** Everything that the shell wrote so far. */
  output(): string;
  /** All marks so far. */
  marks(): Mark[];
  type(text: string): void;
  /**
   * Presses a key until `answered` holds. An interrupt discards what is on its way through the terminal, so one that meets a
   * prompt being drawn takes the prompt with it; plain shells do the same.
   */
  press(key: string, answered: () => boolean): Promise<void>;
  /** Types a line and Enter, waits for the next prompt, and answers the marks of the command: E, C, D and titles. */
  run(line: string): Promise<Mark[]>;
  /** Waits until `found` holds of the output since the last `type` or `run`. */
  until(found: (output: string) => boolean): Promise<void>;
}

export const NONCE = "nonce-0123456789";
const HOST = "test-host";
/** Far above what a shell needs on a busy machine; at it the test fails with what the shell said. */
const GIVE_UP_MS = 20_000;
const PRESS_AGAIN_MS = 300;

export async function driveShell(options: {
  shell: string;
  /** Dotfiles by their path below the home directory. */
  files?: Record<string, string>;
  /** Added to what the daemon hands on, from its home directory. */
  env?: (home: string) => Record<string, string>;
  pathEntries?: string[];
}): Promise<DrivenShell> {
  const home = await mkdtemp(join(tmpdir(), "kolu-shell-"));
  for (const [name, content] of Object.entries(options.files ?? {})) {
    await mkdir(dirname(join(home, name)), { recursive: true });
    await writeFile(join(home, name), content);
  }
  const pathEntries = options.pathEntries ?? [];
  const id = crypto.randomUUID();
  const initDir = join(home, ".init");
  const launch = launchShell({
    shell: options.shell,
    initDir,
    id,
    nonce: NONCE,
    host: HOST,
    home,
    pathEntries,
    env: terminalEnvironment({
      daemonEnv: { HOME: home, PATH: process.env.PATH, ...options.env?.(home) },
      id,
      kavalSocket: "/nowhere",
      pathEntries,
      version: "0",
    }),
  });
  await writeInitFiles(launch.initFiles);
  const pty = spawn(launch.file, launch.args, { cols: 200, rows: 50, cwd: home, env: launch.env });

  let output = "";
  let from = 0;
  let check = () => {};
  const ended = new Promise<void>((resolve) => pty.onExit(() => resolve()));
  pty.onData((chunk) => {
    output += chunk;
    check();
  });

  function until(found: (output: string) => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        check = () => {};
        reject(new Error(`the shell never said it; it said:\n${JSON.stringify(output.slice(from))}`));
      }, GIVE_UP_MS);
      check = () => {
        if (!found(output.slice(from))) return;
        clearTimeout(timer);
        check = () => {};
        resolve();
      };
      check();
    });
  }
  function type(text: string): void {
    from = output.length;
    pty.write(text);
  }

  const driven: DrivenShell = {
    home,
    output: () => output,
    marks: () => marksIn(output),
    type,
    until,
    async press(key, answered) {
      const again = setInterval(() => pty.write(key), PRESS_AGAIN_MS);
      type(key);
      try {
        await until(answered);
      } finally {
        clearInterval(again);
      }
    },
    async run(line) {
      type(`${line}\r`);
      await until(hasPrompt);
      return marksIn(output.slice(from)).filter((mark) => !/^(A|B|cwd .*|title ~.*)$/.test(mark));
    },
    async [Symbol.asyncDispose]() {
      pty.kill("SIGKILL");
      await ended;
      await removeInitFiles(initDir, id);
      await rm(home, { recursive: true, force: true });
    },
  };
  try {
    await until(hasPrompt);
  } catch (error) {
    await driven[Symbol.asyncDispose]();
    throw error;
  }
  return driven;
}

/** A whole prompt: its start, then its end. */
function hasPrompt(output: string): boolean {
  const start = output.indexOf(`\x1b]133;A;kolu=${NONCE}\x07`);
  return start >= 0 && output.indexOf(`\x1b]133;B;kolu=${NONCE}\x07`, start) >= 0;
}

function marksIn(output: string): Mark[] {
  const marks: Mark[] = [];
  for (const [, payload] of output.matchAll(/\x1b\]([^\x07\x1b]*)(?:\x07|\x1b\\)/g)) {
    const mark = markOf(payload ?? "");
    if (mark !== null) marks.push(mark);
  }
  return marks;
}

function markOf(payload: string): Mark | null {
  const shown = payload.match(/^133;([ABC]|D;\d+);kolu=(.*)$/);
  if (shown) return shown[2] === NONCE ? shown[1]!.replace(";", " ") : null;
  const line = payload.match(/^633;E;([^;]*);(.*)$/);
  if (line) return line[2] === NONCE ? `E ${line[1]}` : null;
  if (payload.startsWith("7;")) return `cwd ${payload.slice(2)}`;
  if (payload.startsWith("2;")) return `title ${payload.slice(2)}`;
  return null;
}
