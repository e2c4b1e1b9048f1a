// Plain JavaScript that old versions of Node read too: makes sure that Node 24 runs us, or says what to do.
import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import module from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

// The first one that hands over a PTY's last output, runs TypeScript as it is and has SQLite built in.
const NEEDED_MAJOR = 24;
const KEEP_COMPILED_AFTER_MS = 3_000;

/**
 * Calls `start` with the script's absolute path and the words after it, under a Node that is new enough: this one, or the
 * one that npm installed next to us.
 */
export function onOurRuntime(entryUrl, start) {
  const entry = fileURLToPath(entryUrl);
  const argv = process.argv.slice(2);
  if (majorOf(process.version) >= NEEDED_MAJOR) {
    enableCompileCache();
    start(entry, argv);
    return;
  }
  const runtime = findRuntime(dirname(entry));
  if (runtime === null) {
    process.stderr.write(
      `kolu: needs Node ${NEEDED_MAJOR} or newer; this is ${process.version} (${process.execPath}).\n` +
        `kolu: install it from https://nodejs.org or with your version manager, then run the same command again.\n`,
    );
    process.exitCode = 1;
    return;
  }
  handOver(runtime, [entry, ...argv]);
}

function majorOf(version) {
  return Number(/^v(\d+)\./.exec(version)?.[1] ?? 0);
}

/** Compiled code is kept, which halves the time to the first output. In the user's own cache: a shared one could be planted. */
function enableCompileCache() {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  module.enableCompileCache(join(cache, "kolu", "code"));
  // Node keeps it when a process ends; a daemon does not end for weeks, and then perhaps by a power cut.
  setTimeout(() => module.flushCompileCache(), KEEP_COMPILED_AFTER_MS).unref();
}

/** node_modules/.bin/node of the package that we are in, or of one above, when it is new enough. */
function findRuntime(directory) {
  for (let at = directory; ; at = dirname(at)) {
    const candidate = join(at, "node_modules", ".bin", "node");
    if (existsSync(candidate) && majorOf(versionOf(candidate)) >= NEEDED_MAJOR) return candidate;
    if (dirname(at) === at) return null;
  }
}

function versionOf(runtime) {
  try {
    return execFileSync(runtime, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch {
    return "";
  }
}

function handOver(runtime, args) {
  const child = spawn(runtime, args, { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.once("error", (error) => {
    process.stderr.write(`kolu: cannot start ${runtime}: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.once("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
