// One terminal under the detector's eye: who is in its foreground, which session that is, what both say. Looking is
// asynchronous and one at a time; judging is immediate, so that an in-band word is published in the call that brings it.
import type { Explanation } from "@kolu/contract/agent.ts";
import type { TerminalClaims } from "./arbiter.ts";
import { believe, type Claim } from "./believe.ts";
import { announces, foregroundDiffers, reports, sameAgent } from "./changes.ts";
import type { DetectionOutcome, DetectorHost, TerminalSignals } from "./detector.ts";
import { inBandClaim } from "./in-band.ts";
import { LookLoop } from "./look-loop.ts";
import { ownRecords, programOf, readingOf, sameOutcome, unboundReport } from "./outcome.ts";
import type { AgentPlugin, AgentSession, LiveSignals, ScreenFinding, SessionReport } from "./plugin.ts";
import type { ProcessEntry, ProcessFacts } from "./process-tree.ts";
import { type Recognised, recognise, runningCommandWords } from "./recognise.ts";
import { ScreenReading } from "./screen-reading.ts";
import { type Bound, isFinal, movesBy, SessionOffers } from "./session-offers.ts";
import { type AgentVocab, isProgramName } from "./vocab.ts";
import type { FileWatch } from "./watch.ts";

/** After the foreground changed: a program is still the shell's fork, a wrapper has yet to start the agent, a Node program
 * has yet to give itself its name (3 s with slow ones). Later starts are noticed by the title that an agent sets. */
const LOOK_AGAIN_AFTER_MS = [75, 300, 1_000, 3_000];
/** Titles may change ten times a second; for an unknown program that is no reason to walk its processes as often. */
const TITLE_LOOK_GAP_MS = 500;

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

interface Binding extends Bound {
  session: AgentSession;
  /** The agent's process: while it lives the binding is kept, whatever is in the foreground. */
  process: ProcessEntry;
  /** Only the command names the agent; this is whatever runs, until a process of the agent's name is found. */
  presumed: boolean;
  /** Its files were read once. Nothing is said before that: an unknown that lasts a moment is no news. */
  read: boolean;
}

export class TerminalWatch {
  readonly id: string;
  readonly #options: TerminalWatchOptions;
  readonly #vocabs: readonly AgentVocab[];
  #closed = false;

  #signals: TerminalSignals | null = null;
  /** The foreground group's tree at the last look. */
  #chain: ProcessEntry[] = [];
  #recognised: Recognised | null = null;
  #binding: Binding | null = null;
  readonly #offers: SessionOffers;
  #screen: ScreenFinding | null = null;
  /** Null until something was said. */
  #published: DetectionOutcome | null = null;
  /** The first look has ended: before that nothing is known, not even that there is no agent. */
  #looked = false;
  /** Per app, when an agent of that name was last seen to end here. */
  readonly #leftAtMs = new Map<string, number>();

  readonly #looks: LookLoop;
  /** The next look also searches the agent's store: costs a query or a listing, so not at every tick. */
  #searchOwed = false;
  /** The title that stood when the foreground changed: left by whoever was there before, until another is set. */
  #leftTitle: string | null = null;
  /** In this foreground, the process that had an agent's name (a script has its own name until its interpreter runs). */
  #named: ProcessEntry | null = null;
  #opening: Promise<void> | null = null;
  #againTimer: NodeJS.Timeout | null = null;
  readonly #screenReading: ScreenReading;

  constructor(id: string, options: TerminalWatchOptions) {
    this.id = id;
    this.#options = options;
    this.#vocabs = options.plugins.map((plugin) => plugin.vocab);
    const { host, now } = options;
    this.#offers = new SessionOffers(options.files, this.#look);
    this.#looks = new LookLoop({
      look: async () => {
        if (this.#signals !== null) await this.#lookOnce(this.#signals);
      },
      onFault: (cause) => host.log(`looking at terminal ${id} failed`, cause),
      now,
    });
    this.#screenReading = new ScreenReading({
      render: () => host.readScreen(id),
      wantedBy: () => {
        const said = this.#report();
        return said?.report.wantsScreen === true ? this.#pluginOf(said.vocab) : null;
      },
      onFinding: (finding) => {
        this.#screen = finding;
        this.#judge();
      },
      onFault: (cause) => host.log(`reading the screen of terminal ${id} failed`, cause),
    });
  }

  observe(next: TerminalSignals): void {
    const before = this.#signals;
    this.#signals = next;
    if (before !== null && before.title !== next.title) this.#leftTitle = null;
    else if (before !== null && foregroundDiffers(before, next)) this.#leftTitle = next.title;
    if (before === null || foregroundDiffers(before, next)) this.#onForegroundChange(next);
    else if (this.#recognised === null && !next.atPrompt && announces(before, next))
      this.#looks.atMostEvery(TITLE_LOOK_GAP_MS, this.#look);
    else if ((this.#isUnsure() || movesBy(this.#binding, "in-band")) && reports(before, next)) this.#look();
    else if (movesBy(this.#binding, "title") && before.title !== next.title)
      this.#looks.atMostEvery(TITLE_LOOK_GAP_MS, this.#look);
    this.#judge();
    if (before?.lastOutputAtMs !== next.lastOutputAtMs) this.#screenReading.soon();
  }

  /** Once a second while `needsTick`: the end of a process makes no sound. Changes of a store do, and are watched for; only
   * an agent whose session was not found yet is searched for all the same. */
  tick(): void {
    const bound = this.#binding;
    if (bound === null) this.#look();
    else void this.#lookIfEnded(bound);
  }

  async #lookIfEnded(bound: Binding): Promise<void> {
    if (!(await this.#isAlive(bound.process))) this.#looks.soon();
  }

  needsTick(): boolean {
    return this.#recognised !== null || this.#binding !== null;
  }

  /** What it would like to be bound to; null when no agent is there. */
  claims(): { kind: string; claims: TerminalClaims } | null {
    const kind = this.#binding?.plugin.vocab.kind ?? this.#recognised?.vocab.kind;
    if (kind === undefined) return null;
    const heldKey = this.#binding?.candidate.key ?? null;
    return { kind, claims: { terminalId: this.id, heldKey, claims: this.#offers.claims(this.#binding) } };
  }

  /** Takes the candidate with this key, or stays with it; null lets go. */
  bind(key: string | null): void {
    if ((this.#binding?.candidate.key ?? null) === key) return;
    this.#letGo();
    const candidate = this.#offers.find(key);
    const known = candidate?.process ?? this.#recognised?.process ?? null;
    const process = known ?? this.#startedChain()[0] ?? null;
    if (candidate === undefined || process === null || this.#recognised === null) {
      // Whoever took the session shows it from now on: two must not show it until the next look.
      this.#judge();
      return;
    }
    const { files, host } = this.#options;
    const plugin = this.#pluginOf(this.#recognised.vocab);
    const session = plugin.open(candidate, { files, changed: () => this.#judge(), log: host.log });
    const binding: Binding = { plugin, candidate, session, process, presumed: known === null, read: false };
    this.#binding = binding;
    this.#opening = session.refresh().then(() => {
      binding.read = true;
      this.#judge();
    });
  }

  explain(): Explanation {
    const said = this.#report();
    return {
      kind: said?.vocab.kind ?? null,
      recognition: {
        foregroundPid: this.#signals?.foregroundPid ?? null,
        chain: this.#chain.map(({ pid, name, startTime }) => ({ pid, name, startTime })),
        matchedBy: this.#matchedBy(),
      },
      signals: said?.report.signals ?? believe(this.#programClaims())?.signals ?? [],
      missing: said?.report.missing ?? [],
      malformedRecords: said?.report.malformedRecords ?? 0,
    };
  }

  /** Of a program that reports in band and is no agent of ours. */
  #programClaims(): Claim[] {
    const claim = this.#signals === null ? null : inBandClaim(this.#signals.program);
    return claim === null ? [] : [claim];
  }

  /** Resolves when no look, no first reading and no reading of the screen is under way. */
  async settled(): Promise<void> {
    await this.#looks.settled();
    await this.#opening;
    await this.#screenReading.settled();
  }

  close(): void {
    this.#closed = true;
    this.#looks.close();
    this.#screenReading.close();
    if (this.#againTimer !== null) clearTimeout(this.#againTimer);
    this.#offers.forget();
    this.#letGo();
  }

  // ---- looking: who is there

  #onForegroundChange(next: TerminalSignals): void {
    this.#looks.cancelLater();
    this.#named = null;
    this.#look();
    // Nothing to wait for at a prompt: a bound agent's end is what the look above finds out.
    if (!next.atPrompt) for (const delayMs of LOOK_AGAIN_AFTER_MS) this.#looks.later(delayMs, this.#look);
  }

  /** Who is there, and which session is theirs. */
  readonly #look = (): void => {
    this.#searchOwed = true;
    this.#looks.soon();
  };

  async #lookOnce(at: TerminalSignals): Promise<void> {
    const bound = this.#binding;
    this.#chain = await this.#foregroundTree(at);
    const ended = bound !== null && !(await this.#isAlive(bound.process));
    if (this.#closed) return;
    const commandWords = runningCommandWords(at.rootArgv, at.command);
    const before = this.#recognised;
    this.#recognised = recognise({ chain: this.#chain, commandWords }, this.#vocabs);
    this.#named = this.#recognised?.process ?? this.#named;
    if (ended && this.#binding === bound) this.#end(bound);
    if (this.#binding !== null) this.#correctProcess(this.#binding);
    if (this.#binding !== null && this.#isAnotherAgent(this.#binding)) this.#leave();
    if (this.#searchOwed || this.#binding !== bound || !sameAgent(before, this.#recognised)) {
      this.#searchOwed = false;
      await this.#findSessions(at);
    }
    if (this.#closed) return;
    if (this.#recognised?.process || this.#binding?.presumed === false) this.#looks.cancelLater();
    this.#looked = true;
    this.#options.keepTime();
    this.#judge();
    this.#screenReading.soon();
  }

  async #foregroundTree(at: TerminalSignals): Promise<ProcessEntry[]> {
    const { rootPid, foregroundPid, atPrompt } = at;
    // The shell itself is in the foreground. While it runs a command all the same, that command may have taken its place
    // (`exec agent`): then the process is looked at, but not its children, which are jobs in the background.
    if (foregroundPid === null || (atPrompt && at.command?.running !== true)) return [];
    const programs = this.#vocabs.flatMap((vocab) => vocab.grammar.programs);
    const stopAt = (entry: ProcessEntry) => atPrompt || isProgramName(entry.name, programs);
    return this.#options.processes.foregroundTree({ rootPid, foregroundPid, stopAt });
  }

  /** What a command that names the agent has started: never the shell, which marks a command before it forks. */
  #startedChain(): ProcessEntry[] {
    // Once it has been seen under its own name, what is left when that process is gone is not it.
    const named = this.#named;
    if (named !== null && !this.#chain.some((entry) => entry.pid === named.pid)) return [];
    const signals = this.#signals;
    const shellPid = signals?.rootArgv == null ? signals?.rootPid : null;
    return this.#chain.filter((entry) => entry.pid !== shellPid);
  }

  /** The agent has given itself its name, or a wrapper has started it. */
  #correctProcess(bound: Binding): void {
    const found = this.#recognised;
    if (!bound.presumed || found?.process == null || found.vocab !== bound.plugin.vocab) return;
    bound.process = found.process;
    bound.presumed = false;
  }

  async #isAlive(process: ProcessEntry): Promise<boolean> {
    return (await this.#options.processes.entry(process.pid))?.startTime === process.startTime;
  }

  /** An agent is in the foreground and it is not the bound one, which may well be suspended beneath it. */
  #isAnotherAgent(bound: Binding): boolean {
    return this.#recognised !== null && !this.#chain.some((entry) => entry.pid === bound.process.pid);
  }

  async #findSessions(at: TerminalSignals): Promise<void> {
    const who = this.#recognised;
    if (who === null) {
      if (this.#binding === null) this.#offers.forget();
      return;
    }
    const plugin = this.#pluginOf(who.vocab);
    if (this.#binding !== null && isFinal(this.#binding)) return;
    const { processes, deal } = this.#options;
    const { process: agent, invocation } = who;
    const chain = agent === null ? this.#startedChain() : this.#chain;
    // Only marked yet: by the shell's own start every session of the directory would seem to be of this agent's time.
    if (chain.length === 0) return;
    const bound = this.#binding?.plugin === plugin ? this.#binding.candidate : null;
    const { inBand, title } = this.#live(who.vocab, agent);
    const ownTitle = title === this.#leftTitle ? null : title;
    const readScreen = () => this.#screenReading.find(plugin);
    const worksIn = await processes.cwd((agent ?? chain[0]!).pid);
    const found = await plugin.find({
      chain,
      agent,
      invocation,
      cwd: at.cwd,
      processCwd: worksIn.kind === "known" ? worksIn.value : null,
      processes,
      inBand,
      title: ownTitle,
      readScreen,
      bound,
    });
    if (this.#closed) return;
    this.#offers.take(found, this.#binding);
    deal(who.vocab.kind);
    this.#offers.watch(found, this.#binding);
  }

  /** An agent is there, and which session is its own is not known or a guess. */
  #isUnsure(): boolean {
    return this.#recognised !== null && this.#binding?.candidate.evidence !== "exact";
  }

  // ---- binding: which session it is

  #letGo(): void {
    this.#binding?.session.close();
    this.#binding = null;
    this.#screen = null;
  }

  /** Lets go and forgets what else was on offer, which was found for another process. */
  #leave(): void {
    if (this.#binding !== null) this.#letGo();
    this.#offers.forget();
  }

  #end(ended: Binding): void {
    for (const app of ended.plugin.vocab.apps) this.#leftAtMs.set(app, this.#options.now());
    this.#leave();
  }

  #pluginOf(vocab: AgentVocab): AgentPlugin {
    return this.#options.plugins.find((plugin) => plugin.vocab === vocab)!;
  }

  // ---- judging: what it says

  #judge(): void {
    const signals = this.#signals;
    if (this.#closed || signals === null || !this.#looked || this.#binding?.read === false) return;
    const said = this.#report();
    this.#judgeAgainIn(said?.report.holdsForMs ?? null);
    if (said?.report.wantsScreen !== true) this.#screen = null;
    const before = this.#published;
    const outcome: DetectionOutcome = {
      agent: said === null ? null : readingOf(said.report, said, before?.agent ?? null, this.#options.now()),
      program: programOf(signals, said?.vocab ?? null, this.#vocabs, this.#leftAtMs),
    };
    if (before !== null && sameOutcome(outcome, before)) return;
    this.#published = outcome;
    this.#options.host.publish(this.id, outcome);
  }

  #judgeAgainIn(delayMs: number | null): void {
    if (this.#againTimer !== null) clearTimeout(this.#againTimer);
    this.#againTimer = delayMs === null ? null : setTimeout(() => this.#judge(), delayMs);
  }

  #report(): { report: SessionReport; vocab: AgentVocab; pid: number | null } | null {
    const bound = this.#binding;
    if (bound !== null) {
      const { vocab } = bound.plugin;
      const report = bound.session.report(this.#live(vocab, bound.process));
      return { report, vocab, pid: bound.process.pid };
    }
    const who = this.#recognised;
    if (who === null) return null;
    const report = unboundReport(who, this.#live(who.vocab, who.process), [...this.#offers.missing]);
    return { report, vocab: who.vocab, pid: who.process?.pid ?? null };
  }

  /** A suspended agent, or one beneath another program, is not what the terminal shows and hears. */
  #live(vocab: AgentVocab, process: ProcessEntry | null): LiveSignals {
    const inForeground = process === null || this.#chain.some((entry) => entry.pid === process.pid);
    const nowMs = this.#options.now();
    if (!inForeground || this.#signals === null) return { inBand: [], title: null, screen: null, nowMs };
    const { program, title } = this.#signals;
    return {
      inBand: ownRecords(program, vocab, process, this.#leftAtMs),
      title,
      screen: this.#screen,
      nowMs,
    };
  }

  #matchedBy(): string | null {
    if (this.#recognised !== null) return this.#recognised.matchedBy;
    const process = this.#binding?.process;
    if (process === undefined) return null;
    return `process ${process.pid} (${process.name}) still lives, suspended or beneath another program`;
  }
}
