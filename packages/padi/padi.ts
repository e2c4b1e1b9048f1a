// padi put together: database, records, kaval, detection, attention, and the socket that serves them. main.ts says with
// which parts; nothing here knows an agent or runs git.
import type { Composer } from "@kolu/anyagent/plugin.ts";
import type { AgentReading, Explanation } from "@kolu/contract/agent.ts";
import type { TerminalId } from "@kolu/contract/ids.ts";
import { TIMER_MAX_MS } from "@kolu/contract/limits.ts";
import { padiContract } from "@kolu/contract/padi.ts";
import type { ProgramRecord } from "@kolu/contract/program-status.ts";
import type { GitFacts, PortFacts, PullRequest } from "@kolu/contract/terminal.ts";
import type { Hello } from "@kolu/contract/version.ts";
import type { Log } from "@kolu/daemon/log.ts";
import type { Places } from "@kolu/daemon/places.ts";
import { createPictures } from "@kolu/picture/pictures.ts";
import { relaySocket } from "@kolu/wire/relay.ts";
import { type Served, serveUnixSocket } from "@kolu/wire/serve.ts";
import { watchAttention } from "./attention/watch.ts";
import { openPadiDb, type PadiDb } from "./db/db.ts";
import type { WayBack } from "./detect/resume.ts";
import type { ReadTranscriptOf } from "./detect/transcripts.ts";
import { type PadiWorld, padiHandlers } from "./handlers/handlers.ts";
import { createNotices } from "./handlers/notices.ts";
import { loadPreferences } from "./handlers/preferences.ts";
import { type KavalLink, openKavalLink } from "./kaval-link.ts";
import { openRecents } from "./launch/recents.ts";
import type { PromptWorld } from "./prompt/deliver.ts";
import { createPrompts } from "./prompt/prompts.ts";
import { restoreWhenPreferred } from "./terminals/auto-restore.ts";
import { keepColours } from "./terminals/colours.ts";
import type { CreateWorld } from "./terminals/create.ts";
import {
  createFollow,
  type DetectPort,
  type GitPort,
  type PortsPort,
  type PullRequestPort,
} from "./terminals/follow.ts";
import { createRestores } from "./terminals/restores.ts";
import { openStore } from "./terminals/store.ts";
import { createThemes } from "./terminals/themes.ts";
import { openUploads } from "./uploads/uploads.ts";
import { openWatches } from "./watch/watches.ts";

/** Between backups of a padi that runs on: one a day. */
const BACKUP_EVERY_MS = 24 * 60 * 60 * 1_000;

export interface DetectHost {
  /** The rendered screen, null when the terminal is gone. */
  readScreen(id: string): Promise<string | null>;
  publish(id: string, outcome: { agent: AgentReading | null; program: ProgramRecord | null }): void;
  log(message: string, cause?: unknown): void;
}

/** What padi is made with and knows nothing about. */
export interface PadiParts {
  startKaval(): Promise<unknown>;
  createDetect(host: DetectHost): DetectPort & {
    explain(id: string): Promise<Explanation>;
    dispose(): Promise<void>;
  };
  createGitWatch(options: {
    onFacts(id: string, facts: GitFacts | null): void;
    onFault(error: Error): void;
  }): GitPort & { onLook(root: string, looked: () => void): () => void; dispose(): void };
  createPullRequestWatch(options: {
    onPullRequest(id: string, pr: PullRequest | null): void;
    onFault(error: Error): void;
  }): PullRequestPort & { complaint(id: string): string | null; dispose(): void };
  createPortWatch(options: {
    onPorts(id: string, ports: PortFacts): void;
    onFault(error: Error): void;
  }): PortsPort & { dispose(): void };
  createWorktree: CreateWorld["createWorktree"];
  removeWorktree: CreateWorld["removeWorktree"];
  /** Every agent that there is, and the program that starts it. */
  agentPrograms: readonly { kind: string; program: string }[];
  /** False for an agent whose files say nothing about turns. */
  reportsTurns(agentKind: string): boolean;
  /** How this agent's composer is read off a screen; null: not at all. */
  composerOf(agentKind: string): ((screen: string) => Composer | null) | null;
  pasteKeyOf: PromptWorld["pasteKeyOf"];
  /** The whole conversation; null when it is not there (any more). Rejects when it cannot be read. */
  readTranscript: ReadTranscriptOf;
  /** How this agent's conversation is brought back; null when it cannot be. */
  wayBack(agent: AgentReading, startedBy: string | null): WayBack | null;
  /** The command that installs an agent; null where none is known. */
  installLine(agentKind: string): string | null;
  /** The line without what belongs to one conversation; null when it starts no session of this agent. */
  startOf(agentKind: string, line: string): { recent: string | null } | null;
  /** The line as it may leave this machine: without environment, prompts, conversations and secrets. */
  shareableCommand(agentKind: string, line: string): string | null;
}

export interface PadiOptions {
  places: Places;
  hello: Hello;
  log: Log;
  parts: PadiParts;
}

export interface RunningPadi {
  /** Resolves when padi was asked to leave, with the reason. */
  asked: Promise<string>;
  /** Flushes and lets go of everything; terminals stay in kaval. */
  close(): Promise<void>;
}

/** Serves on the padi socket of `places`; the caller holds the pid file. Rejects with a fault when it cannot. */
export async function openPadi({ places, hello, log, parts }: PadiOptions): Promise<RunningPadi> {
  const now = (): number => Date.now();
  const db = openPadiDb(places.stateRoot);
  backUp(db, log);
  const backups = setInterval(() => backUp(db, log), BACKUP_EVERY_MS).unref();
  const store = openStore({ db, boot: hello.bootId, now, onFault: log.error });
  const attention = watchAttention({ store, reportsTurns: parts.reportsTurns, now });
  const notices = createNotices();
  const preferences = loadPreferences(db);
  const themes = createThemes({ store, preferences });
  const recents = openRecents(db);
  const pictures = createPictures();
  const uploads = openUploads({ stateRoot: places.stateRoot, onFault: log.error });
  const asked = Promise.withResolvers<string>();

  // These know each other: what kaval says leads to git, ports and the detector, and what they find leads back.
  const follow = createFollow({
    store,
    db,
    recents,
    kaval: () => kaval,
    git: () => git,
    pullRequests: () => pullRequests,
    ports: () => ports,
    detect: () => detect,
    attention,
    onNotice: notices.publish,
    startOf: parts.startOf,
    log,
    now,
  });
  const git = parts.createGitWatch({
    onFacts: follow.onGitFacts,
    onFault: (error) => log.error("git facts could not be read", error),
  });
  const pullRequests = parts.createPullRequestWatch({
    onPullRequest: follow.onPullRequest,
    onFault: (error) => log.error(error.message, error.cause),
  });
  const ports = parts.createPortWatch({
    onPorts: follow.onPorts,
    onFault: (error) => log.error(error.message, error.cause),
  });
  const detect = parts.createDetect({
    readScreen: (id) => readScreen(kaval, id),
    publish: follow.onDetection,
    log: (message, cause) => log.error(message, cause),
  });
  const kaval: KavalLink = openKavalLink({ places, startKaval: parts.startKaval, events: follow, log, now });
  const ending = new AbortController();
  const watches = openWatches({
    db,
    store,
    attention,
    reportsTurns: parts.reportsTurns,
    met: follow.whenMet(TIMER_MAX_MS, ending.signal),
    now,
    onFault: log.error,
  });

  const restores = createRestores({
    store,
    follow,
    kaval,
    attention,
    places,
    themes,
    wayBack: parts.wayBack,
    installLine: parts.installLine,
    log,
    now,
  });
  const { composerOf, pasteKeyOf, readTranscript } = parts;
  const promptWorld: PromptWorld = { store, follow, kaval, composerOf, pasteKeyOf, readTranscript, log, now };

  let served: Served | null = null;
  const world: PadiWorld = {
    hello,
    places,
    log,
    now,
    db,
    store,
    follow,
    kaval,
    attention,
    notices,
    pictures,
    uploads,
    themes,
    watches,
    preferences,
    clientCount: () => served?.clientCount() ?? 0,
    leave: asked.resolve,
    async explain(id) {
      const explanation = await detect.explain(id);
      const complaint = pullRequests.complaint(id);
      return complaint === null
        ? explanation
        : { ...explanation, missing: [...explanation.missing, complaint] };
    },
    recents,
    prompts: createPrompts(promptWorld),
    agentPrograms: parts.agentPrograms,
    onGitLook: git.onLook,
    createWorktree: parts.createWorktree,
    removeWorktree: parts.removeWorktree,
    readTranscript,
    wayBack: parts.wayBack,
    installLine: parts.installLine,
    restores,
    shareableCommand: parts.shareableCommand,
  };
  keepColours({
    store,
    preferences,
    themes,
    signal: ending.signal,
    tell: (call) => {
      kaval.call("terminal.setColors", call, { signal: ending.signal }).catch((cause: unknown) => {
        // Gone or not reachable at the moment: whoever brings it back spawns it with its colours.
        if (!ending.signal.aborted) log.info(`kaval was not told the colours of ${call.id}: ${cause}`);
      });
    },
  });
  restoreWhenPreferred(preferences, restores, world, ending.signal).catch((error: unknown) =>
    log.error("what is parked cannot be restored by itself", error),
  );

  const close = async (): Promise<void> => {
    clearInterval(backups);
    ending.abort();
    // New work is refused first: whatever was answered until now is in the store and goes to disk below.
    await served?.close();
    await pictures[Symbol.asyncDispose]();
    await uploads.close();
    await kaval.close();
    await detect.dispose();
    git.dispose();
    pullRequests.dispose();
    ports.dispose();
    follow.dispose();
    watches.dispose();
    attention.dispose();
    store.close();
    db.close();
  };
  try {
    served = await serveUnixSocket({
      socketPath: places.padiSocket,
      contract: padiContract,
      handlers: padiHandlers(world),
      onAttach: (socket, _attach, path) => relaySocket(socket, { socketPath: places.kavalSocket }, path),
      onBug: (method, error) => log.error(`${method} failed`, error),
    });
  } catch (error) {
    await close();
    throw error;
  }
  log.info(`serving ${places.stateRoot} at ${places.padiSocket}`);
  return { asked: asked.promise, close };
}

async function readScreen(kaval: KavalLink, id: string): Promise<string | null> {
  if (kaval.boot() === null) return null;
  const { text } = await kaval.call("screen.text", { id: id as TerminalId, extent: { kind: "screen" } });
  return text;
}

/** A backup that fails is said and costs nothing else: the workspace itself is well. */
function backUp(db: PadiDb, log: Log): void {
  try {
    const path = db.backUp(Date.now());
    if (path !== null) log.info(`backed up to ${path}`);
  } catch (error) {
    log.error("the workspace could not be backed up", error);
  }
}
