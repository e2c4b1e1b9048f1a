// Command lines as people and shells write them: words, wrappers, and what is kept of an agent's invocation. Pure.
import { type AgentVocab, isProgramName } from "./vocab.ts";

/** Splits a command line into words by the shell's quoting. Substitutions stay as they are written; an unclosed quote
 * ends with the line. Everything from the first `;`, `|`, `&` or newline outside quotes is another command. */
export function shellWords(line: string): string[] {
  const words: string[] = [];
  let word = "";
  let started = false;
  let quote: "'" | '"' | null = null;
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at]!;
    if (quote === "'") {
      if (char === "'") quote = null;
      else word += char;
    } else if (char === "\\" && at + 1 < line.length) {
      at += 1;
      word += line[at]!;
      started = true;
    } else if (quote === '"') {
      if (char === '"') quote = null;
      else word += char;
    } else if (char === "'" || char === '"') {
      quote = char;
      started = true;
    } else if (/\s/.test(char) && char !== "\n") {
      if (started) words.push(word);
      word = "";
      started = false;
    } else if (";|&\n".includes(char)) {
      break;
    } else {
      word += char;
      started = true;
    }
  }
  if (started) words.push(word);
  return words;
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Programs that start another program named later on their line, with their flags that take a word. */
const WRAPPERS: Readonly<Record<string, readonly string[]>> = {
  env: ["-u", "--unset", "-C", "--chdir"],
  nice: ["-n", "--adjustment"],
  ionice: ["-c", "-n"],
  nohup: [],
  time: ["-f", "-o"],
  exec: ["-a"],
  command: [],
  builtin: [],
  noglob: [],
  setsid: [],
  stdbuf: ["-i", "-o", "-e"],
  sudo: ["-u", "-g", "-h", "-p", "-C", "-D", "-R", "-T"],
  doas: ["-u", "-C"],
  npx: ["-p", "--package", "-c", "--call", "-w", "--workspace"],
  npm: [],
  bunx: [],
  bun: [],
  pnpm: [],
  yarn: [],
  node: [],
  mise: [],
  direnv: [],
  uv: [],
  caffeinate: ["-t", "-w"],
  script: ["-c", "--command", "-o", "--output-limit", "-E", "-B", "-I", "-O", "-T", "-m"],
  unbuffer: [],
  timeout: ["-s", "--signal", "-k", "--kill-after"],
  firejail: [],
  "systemd-run": ["-p", "-u", "--unit"],
};
/** Words between a runner and the program that are its own verbs. */
const RUNNER_VERBS = new Set(["exec", "x", "dlx", "run", "--"]);
const COMMAND_FLAGS = new Set(["-c", "--command", "--call"]);

export interface Invocation {
  vocab: AgentVocab;
  /** Everything before the agent's own words, its program as it was written included: `FOO=1 npx @scope/agent`. Empty when
   * the words were inside a quoted command of a wrapper. */
  prefix: string[];
  /** The agent's own words, its program's name first. */
  argv: string[];
}

/** Finds which agent a command starts, looking through wrappers (`env X=1 nice script -c "claude -c" out`). */
export function findInvocation(words: readonly string[], vocabs: readonly AgentVocab[]): Invocation | null {
  let at = 0;
  let wrapper: string | null = null;
  while (at < words.length) {
    const word = words[at]!;
    if (/^[A-Za-z_]\w*=/.test(word)) {
      at += 1;
      continue;
    }
    const vocab = vocabs.find((one) => namesAgent(word, one.grammar));
    if (vocab !== undefined) {
      return { vocab, prefix: words.slice(0, at + 1), argv: [baseName(word), ...words.slice(at + 1)] };
    }
    const name = baseName(word);
    if (name in WRAPPERS) {
      wrapper = name;
      at += 1;
      continue;
    }
    if (wrapper === null) return null;
    if (COMMAND_FLAGS.has(word) && words[at + 1] !== undefined) {
      const inner = findInvocation(shellWords(words[at + 1]!), vocabs);
      if (inner !== null) return { ...inner, prefix: [] };
    }
    const takesWord = WRAPPERS[wrapper]!.includes(word);
    // A plain word that is neither a wrapper's verb nor a number ("nice -n 5", "timeout 30s") is another program, except
    // after script, whose log file may come before its command's words.
    const plain = !word.startsWith("-") && !RUNNER_VERBS.has(word) && !/^\d+[smhd]?$/.test(word);
    if (plain && wrapper !== "script") return null;
    at += takesWord ? 2 : 1;
  }
  return null;
}

function namesAgent(word: string, grammar: AgentVocab["grammar"]): boolean {
  if (isProgramName(baseName(word), grammar.programs)) return true;
  const bare = word.replace(/(.)@[^@/]*$/, "$1");
  return grammar.packages.includes(bare);
}

export type InvocationUse = "session" | "ephemeral" | "one-shot" | "other";

/** What an invocation is for: a session, one that leaves nothing behind, one answer without a screen, or something that is no
 * session at all. */
export function useOf({ vocab, argv }: Invocation): InvocationUse {
  const { grammar } = vocab;
  const words = argv.slice(1);
  if (words.some((word) => grammar.informationFlags.includes(word))) return "other";
  if (words.some((word) => grammar.oneShotFlags.includes(word))) return "one-shot";
  if (words[0] !== undefined && grammar.subcommands.includes(words[0])) return "other";
  return words.some((word) => grammar.ephemeralFlags.includes(word)) ? "ephemeral" : "session";
}

/** The invocation without prompts, choosers of a conversation and unknown flags: what may be offered and run again.
 * Null when it is no session that lasts. `--flag=value` is understood. */
export function normalise(invocation: Invocation): string[] | null {
  if (useOf(invocation) !== "session") return null;
  const { grammar, resume } = invocation.vocab;
  const dropped = { ...grammar.droppedFlags, ...resume.chooserFlags };
  const kept: string[] = [grammar.programs[0]!];
  const words = invocation.argv.slice(1);
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!;
    if (word === "--") break;
    if (!word.startsWith("-")) continue;
    const [flag, inline] = splitFlag(word);
    const arity = grammar.keptFlags[flag] ?? dropped[flag];
    // A value may be optional (`--resume` alone opens a picker): the next flag is none.
    const next = words[at + 1]?.startsWith("-") === false ? words[at + 1] : undefined;
    const value = inline ?? (arity === 1 ? next : undefined);
    if (inline === undefined && value !== undefined) at += 1;
    if (!(flag in grammar.keptFlags)) continue;
    if (arity === 0) kept.push(flag);
    else if (value !== undefined) kept.push(flag, value);
  }
  return kept;
}

function splitFlag(word: string): [flag: string, value: string | undefined] {
  const at = word.startsWith("--") ? word.indexOf("=") : -1;
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

/**
 * The words that bring a conversation back, started the way it was started: exactly `reference` when it is given, else the
 * latest of the directory. Null when the agent cannot, or when the reference is one that it would not take: never another
 * conversation instead.
 */
export function resumeWords(invocation: Invocation, reference: string | null): string[] | null {
  const { resume } = invocation.vocab;
  const chooser = reference === null ? resume.latest : resume.exact(reference);
  return chooser === null ? null : startWords(invocation, chooser);
}

/** The words that start a fresh session in the same shape; null when the invocation was none that lasts. */
export function startWords(invocation: Invocation, chooser: readonly string[] = []): string[] | null {
  const kept = normalise(invocation);
  if (kept === null) return null;
  const program = invocation.prefix.length > 0 ? invocation.prefix : kept.slice(0, 1);
  return [...program, ...chooser, ...kept.slice(1)];
}

/** Words as one line that a POSIX shell splits into the same words. Assignments before a command stay assignments. */
export function quoteWords(words: readonly string[]): string {
  return words
    .map((word) => {
      const assignment = word.match(/^([A-Za-z_]\w*=)(.*)$/s);
      return assignment === null ? quoteWord(word) : `${assignment[1]}${quoteWord(assignment[2]!)}`;
    })
    .join(" ");
}

function quoteWord(word: string): string {
  return /^[\w@%+:,./=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
