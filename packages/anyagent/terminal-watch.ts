// One terminal under the detector's eye: who is in its foreground, which session that is, what both say. All looking is
// asynchronous and one at a time; judging is immediate, so that an in-band word is published in the call that brings it.
import type { Explanation } from "@kolu/contract/agent.ts";
import type { TerminalClaims } from "./arbiter.ts";
import type { DetectionOutcome, DetectorHost, TerminalSignals } from "./detector.ts";
import { ownRecords, programOf, readingOf, sameOutcome, unboundReport } from "./outcome.ts";
import type {
  AgentPlugin,
  AgentSession,
  Candidate,
  LiveSignals,
  ScreenFinding,
  SessionReport,
} from "./plugin.ts";
import type { ProcessEntry, ProcessFacts } from "./process-tree.ts";
import { type Recognised, recognise, runningCommandWords } from "./recognise.ts";
import { isProgramName } from "./vocab.ts";
import type { FileWatch } from "./watch.ts";

/** After the foreground changed: a program is still the shell's fork, a wrapper has yet to start the agent, a Node program
 * has yet to give itself its name (3 s with slow ones). Later starts are noticed by the title that an agent sets. */
const LOOK_AGAIN_AFTER_MS = [75, 300, 1_000, 3_000];
/** Titles may change ten times a second; for an unknown program that is no reason to walk its processes as often. */
const TITLE_LOOK_GAP_MS = 500;
/** A screen is rendered in another process: at most this often while output flows. */
const SCREEN_READ_GAP_MS = 250;

export interface TerminalWatchOptions {
  plugins: readonly AgentPlugin[];
  processes: ProcessFacts;
  files: FileWatch;
  host: DetectorHost;
  now(): number;
  /** This terminal's claims changed: deal the sessions of that kind again. Calls `bind` before it returns. */
  deal(kind: string): void;
  /** Whether a tick is needed may have changed. */
  keepTime(): void;
}

export interface TerminalWatch {
  readonly id: string;
  observe(signals: TerminalSignals): void;
  /** Once a second while `needsTick`. */
  tick(): void;
  needsTick(): boolean;
  claims(): { kind: string; claims: TerminalClaims } | null;
  /** Takes the candidate with this key, keeps it when it is bound already; null lets go. */
  bind(key: string | null): void;
  explain(): Explanation;
  /** Resolves when no look and no first reading is under way. */
  settled(): Promise<void>;
  close(): void;
}

interface Binding {
  plugin: AgentPlugin;
  candidate: Candidate;
  session: AgentSession;
  /** The agent's process: while it lives the binding is kept, whatever is in the foreground. */
  process: ProcessEntry;
  /** Its files were read once. Nothing is said before that: an unknown that lasts a moment is no news. */
  read: boolean;
}

export function createTerminalWatch(id: string, options: TerminalWatchOptions): TerminalWatch {
  const { plugins, processes, files, host, now } = options;
  const vocabs = plugins.map((plugin) => plugin.vocab);
  const programs = vocabs.flatMap((vocab) => vocab.grammar.programs);

  let signals: TerminalSignals | null = null;
  let chain: ProcessEntry[] = [];
  let recognised: Recognised | null = null;
  let binding: Binding | null = null;
  let candidates: Candidate[] = [];
  let missing: string[] = [];
  let unwatchers: (() => void)[] = [];
  let screen: ScreenFinding | null = null;
  let published: DetectionOutcome = { agent: null, program: null };
  const leftAtMs = new Map<string, number>();
  const lookTimers = new Set<NodeJS.Timeout>();
  let screenTimer: NodeJS.Timeout | null = null;
  let closed = false;
  let looking: Promise<void> | null = null;
  let opening: Promise<void> | null = null;
  let lookOwed = false;
  let lookedAtMs = 0;
  let readingScreen = false;
  let screenOwed = false;

  const lookLater = (delayMs: number) => {
    const timer = setTimeout(() => {
      lookTimers.delete(timer);
      look();
    }, delayMs);
    lookTimers.add(timer);
  };
  const cancelLooks = () => {
    for (const timer of lookTimers) clearTimeout(timer);
    lookTimers.clear();
  };

  // ---- looking: who is there

  /** Looks now, or once more after the look under way. */
  const look = () => {
    if (closed) return;
    lookOwed = true;
    looking ??= (async () => {
      while (lookOwed && !closed) {
        lookOwed = false;
        lookedAtMs = now();
        await lookOnce();
      }
    })()
      .catch((cause: unknown) => host.log(`looking at terminal ${id} failed`, cause))
      .finally(() => {
        looking = null;
      });
  };

  const lookOnce = async () => {
    const at = signals;
    if (at === null) return;
    const tree = await foregroundTree(at);
    const bound = binding;
    const stillBound = bound !== null && (await isAlive(bound.process));
    if (closed) return;
    chain = tree;
    recognised = recognise({ chain, commandWords: runningCommandWords(at.rootArgv, at.command) }, vocabs);
    // At a prompt nothing runs, whatever the last mark said.
    if (chain.length === 0) recognised = null;
    if (binding !== null && binding === bound && !stillBound) endBinding(binding);
    else if (binding !== null && isAnotherAgent(binding)) leave();
    if (recognised === null && binding === null) {
      leave();
      missing = [];
      unwatch();
    } else if (recognised !== null && (binding === null || binding.candidate.evidence !== "exact")) {
      await findSessions(recognised, at);
    }
    if (closed) return;
    if (recognised?.process || binding !== null) cancelLooks();
    options.keepTime();
    judge();
    readScreen();
  };

  const foregroundTree = async (at: TerminalSignals): Promise<ProcessEntry[]> => {
    if (at.atPrompt || at.foregroundPid === null) return [];
    return processes.foregroundTree({
      rootPid: at.rootPid,
      foregroundPid: at.foregroundPid,
      stopAt: (entry) => isProgramName(entry.name, programs),
    });
  };

  const isAlive = async (process: ProcessEntry): Promise<boolean> =>
    (await processes.entry(process.pid))?.startTime === process.startTime;

  /** An agent is in the foreground and it is not the bound one, which may well be suspended beneath it. */
  const isAnotherAgent = (bound: Binding): boolean =>
    recognised !== null && !chain.some((entry) => entry.pid === bound.process.pid);

  const findSessions = async (who: Recognised, at: TerminalSignals) => {
    const plugin = plugins.find((one) => one.vocab === who.vocab)!;
    const { process: agent, invocation } = who;
    const found = await plugin.find({ chain, agent, invocation, cwd: at.cwd, processes });
    if (closed) return;
    candidates = found.candidates;
    missing = found.missing;
    options.deal(who.vocab.kind);
    watchPaths(isBoundExactly() ? [] : found.watchPaths);
  };

  const isBoundExactly = () => binding?.candidate.evidence === "exact";

  const watchPaths = (paths: readonly string[]) => {
    unwatch();
    unwatchers = paths.map((path) => files.watch(path, look));
  };
  const unwatch = () => {
    for (const stop of unwatchers) stop();
    unwatchers = [];
  };

  // ---- binding: which session it is

  const bind = (key: string | null) => {
    if ((binding?.candidate.key ?? null) === key) return;
    if (key === null) {
      letGo();
      return;
    }
    const candidate = candidates.find((one) => one.key === key);
    const process = candidate?.process ?? recognised?.process ?? chain[0];
    if (candidate === undefined || process === undefined || recognised === null) return;
    letGo();
    const plugin = plugins.find((one) => one.vocab === recognised!.vocab)!;
    const session = plugin.open(candidate, { files, changed: judge, log: host.log });
    const made: Binding = { plugin, candidate, session, process, read: false };
    binding = made;
    opening = session.refresh().then(() => {
      made.read = true;
      judge();
    });
  };

  const letGo = () => {
    binding?.session.close();
    binding = null;
    screen = null;
  };

  /** Lets go and forgets what else was on offer, which was found for another process. */
  const leave = () => {
    candidates = [];
    if (binding !== null) letGo();
  };

  const endBinding = (ended: Binding) => {
    for (const app of ended.plugin.vocab.apps) leftAtMs.set(app, now());
    leave();
  };

  // ---- judging: what it says

  const isForeground = (process: ProcessEntry | null) =>
    process === null || chain.some((entry) => entry.pid === process.pid);

  const live = (
    at: TerminalSignals,
    who: { vocab: Recognised["vocab"]; process: ProcessEntry | null },
  ): LiveSignals => {
    const foreground = isForeground(who.process);
    return {
      inBand: foreground ? ownRecords(at.program, who.vocab, who.process) : [],
      title: foreground ? at.title : null,
      screen: foreground ? screen : null,
      nowMs: now(),
    };
  };

  const report = (
    at: TerminalSignals,
  ): { report: SessionReport; vocab: Recognised["vocab"]; pid: number | null } | null => {
    if (binding !== null) {
      const { plugin, process, session } = binding;
      const said = session.report(live(at, { vocab: plugin.vocab, process }));
      return { report: said, vocab: plugin.vocab, pid: process.pid };
    }
    if (recognised === null) return null;
    const said = unboundReport(recognised, live(at, recognised), missing);
    return { report: said, vocab: recognised.vocab, pid: recognised.process?.pid ?? null };
  };

  const judge = () => {
    if (closed || signals === null || binding?.read === false) return;
    const said = report(signals);
    const outcome: DetectionOutcome = {
      agent: said === null ? null : readingOf(said.report, said, published.agent, now()),
      program: programOf(signals, said?.vocab ?? null, vocabs, leftAtMs),
    };
    if (said?.report.wantsScreen !== true) screen = null;
    if (sameOutcome(outcome, published)) return;
    published = outcome;
    host.publish(id, outcome);
  };

  // ---- the screen, only where nothing else speaks

  const readScreen = () => {
    const said = signals === null ? null : report(signals);
    if (closed || said?.report.wantsScreen !== true) return;
    screenOwed = true;
    if (readingScreen) return;
    readingScreen = true;
    screenOwed = false;
    const plugin = plugins.find((one) => one.vocab === said.vocab)!;
    host
      .readScreen(id)
      .then((text) => {
        screen = text === null ? null : plugin.readScreen(text);
        judge();
      })
      .catch((cause: unknown) => host.log(`reading the screen of ${id} failed`, cause))
      .finally(() => {
        if (closed) return;
        screenTimer = setTimeout(() => {
          readingScreen = false;
          if (screenOwed) readScreen();
        }, SCREEN_READ_GAP_MS);
      });
  };

  // ---- signals

  const onForegroundChange = () => {
    cancelLooks();
    look();
    // Nothing to wait for at a prompt: a bound agent's end is what the look above finds out.
    if (signals?.atPrompt === false) for (const delayMs of LOOK_AGAIN_AFTER_MS) lookLater(delayMs);
  };

  const lookForTitle = () => {
    const gapMs = now() - lookedAtMs;
    if (gapMs >= TITLE_LOOK_GAP_MS) look();
    else if (lookTimers.size === 0) lookLater(TITLE_LOOK_GAP_MS - gapMs);
  };

  return {
    id,
    observe: (next) => {
      const before = signals;
      signals = next;
      if (before === null || foregroundDiffers(before, next)) onForegroundChange();
      else if (recognised === null && !next.atPrompt && announces(before, next)) lookForTitle();
      judge();
      if (before?.lastOutputAtMs !== next.lastOutputAtMs) readScreen();
    },
    tick: look,
    needsTick: () => recognised !== null || binding !== null,
    claims: () => {
      const kind = binding?.plugin.vocab.kind ?? recognised?.vocab.kind;
      if (kind === undefined) return null;
      const heldKey = binding?.candidate.key ?? null;
      const held =
        binding === null || candidates.some((one) => one.key === heldKey) ? [] : [binding.candidate];
      return { kind, claims: { terminalId: id, heldKey, claims: [...held, ...candidates] } };
    },
    bind,
    explain: () => {
      const said = signals === null ? null : report(signals);
      return {
        kind: said?.vocab.kind ?? null,
        recognition: {
          foregroundPid: signals?.foregroundPid ?? null,
          chain: chain.map(({ pid, name, startTime }) => ({ pid, name, startTime })),
          matchedBy: matchedBy(recognised, binding),
        },
        signals: said?.report.signals ?? [],
        missing: said?.report.missing ?? [],
        malformedRecords: said?.report.malformedRecords ?? 0,
      };
    },
    settled: async () => {
      await looking;
      await opening;
    },
    close: () => {
      closed = true;
      cancelLooks();
      if (screenTimer !== null) clearTimeout(screenTimer);
      unwatch();
      letGo();
    },
  };
}

function foregroundDiffers(before: TerminalSignals, next: TerminalSignals): boolean {
  return (
    before.foregroundPid !== next.foregroundPid ||
    before.rootPid !== next.rootPid ||
    before.atPrompt !== next.atPrompt ||
    before.command?.startedAtMs !== next.command?.startedAtMs ||
    before.command?.running !== next.command?.running
  );
}

/** A program made itself known: a new title, or its first in-band word. */
function announces(before: TerminalSignals, next: TerminalSignals): boolean {
  return before.title !== next.title || before.program.length !== next.program.length;
}

function matchedBy(recognised: Recognised | null, binding: Binding | null): string | null {
  if (recognised !== null) return recognised.matchedBy;
  if (binding === null) return null;
  return `process ${binding.process.pid} (${binding.process.name}) still runs, in the background or beneath another program`;
}
