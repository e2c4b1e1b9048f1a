// The files of one conversation: its transcript, the title beside it, its tasks, the journals of its workflows.
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { createTail, linesBackward, type Tail, type TailRead } from "@kolu/anyagent/tail.ts";
import { type ClaudePlaces, projectDirName } from "./find.ts";
import {
  backfill,
  type Conversation,
  FACT_MARKS,
  fold,
  foldJournal,
  lacksFacts,
  NO_CONVERSATION,
} from "./fold.ts";
import {
  parseJournalLine,
  parseTaskStatus,
  parseTitleFile,
  parseTranscriptLine,
  type StatusFile,
  timeOfLine,
} from "./records.ts";

/** How far back a long transcript is searched for a title, a model and a token count that its end does not hold. */
const BACKFILL_MAX_BYTES = 16 * 1024 * 1024;
/** The first entry with a time lies within so much of a transcript's start. */
const HEAD_BYTES = 64 * 1024;

export interface ConversationFacts {
  transcriptPath: string | null;
  transcriptFound: boolean;
  conversation: Conversation;
  /** Time of the transcript's first entry. */
  firstEntryAtMs: number | null;
  /** Name that a person gave, from its own file. */
  titleFromFile: string | null;
  taskTodos: { completed: number; total: number } | null;
  /** Live sub-agents by a workflow's run id. */
  workflowAgents: ReadonlyMap<string, number>;
  malformedRecords: number;
}

export const NO_FACTS: ConversationFacts = {
  transcriptPath: null,
  transcriptFound: false,
  conversation: NO_CONVERSATION,
  firstEntryAtMs: null,
  titleFromFile: null,
  taskTodos: null,
  workflowAgents: new Map(),
  malformedRecords: 0,
};

interface Transcript {
  path: string;
  tail: Tail;
}

interface Journal {
  tail: Tail;
  live: ReadonlySet<string>;
}

/** Reads the files of one session id. Reads must not overlap. */
export class ConversationFiles {
  readonly #sessionId: string;
  readonly #cwd: string;
  readonly #places: ClaudePlaces;
  #transcript: Transcript | null = null;
  #facts = NO_FACTS;
  readonly #journals = new Map<string, Journal>();

  constructor(status: StatusFile, places: ClaudePlaces) {
    this.#sessionId = status.sessionId;
    this.#cwd = status.cwd;
    this.#places = places;
  }

  isOf(status: StatusFile): boolean {
    return this.#sessionId === status.sessionId && this.#cwd === status.cwd;
  }

  /** The same object while nothing changed. */
  get facts(): ConversationFacts {
    return this.#facts;
  }

  async read(): Promise<void> {
    const { path, tail } = this.#locate();
    this.#readTitle(path);
    this.#readTasks();
    await this.#readTranscript(path, tail);
    await this.#readJournals(path);
  }

  #learn(news: Partial<ConversationFacts>): void {
    const keys = Object.keys(news) as (keyof ConversationFacts)[];
    if (keys.some((key) => this.#facts[key] !== news[key])) this.#facts = { ...this.#facts, ...news };
  }

  // ---- the transcript

  /** Where the status file's directory says; a conversation resumed from elsewhere stays in its first project's. */
  #locate(): Transcript {
    const located = this.#transcript;
    if (located !== null && this.#facts.transcriptFound) return located;
    const name = `${this.#sessionId}.jsonl`;
    const expected = join(this.#places.projectsDir, projectDirName(this.#cwd), name);
    const path = existsSync(expected) ? expected : (this.#search(name) ?? expected);
    if (located?.path === path) return located;
    const transcript = { path, tail: createTail(path) };
    this.#transcript = transcript;
    this.#learn({ transcriptPath: path });
    return transcript;
  }

  #search(name: string): string | null {
    const { projectsDir } = this.#places;
    const project = listOrEmpty(projectsDir).find((one) => existsSync(join(projectsDir, one, name)));
    return project === undefined ? null : join(projectsDir, project, name);
  }

  async #readTranscript(path: string, tail: Tail): Promise<void> {
    const read = await tail.read();
    const isFirst = !this.#facts.transcriptFound || read.reset;
    let conversation = read.reset ? NO_CONVERSATION : this.#facts.conversation;
    let malformedRecords = read.reset ? 0 : this.#facts.malformedRecords;
    for (const line of read.lines) {
      const record = parseTranscriptLine(line);
      if (record === "malformed") malformedRecords += 1;
      else if (record !== "no-news") conversation = fold(conversation, record);
    }
    if (isFirst && read.startOffset !== null)
      conversation = await this.#backfill(path, read.startOffset, conversation);
    this.#learn({ transcriptFound: !read.missing, conversation, malformedRecords });
    if (read.reset) this.#learn({ firstEntryAtMs: null });
    // A file that was met empty gets its first entry later; the head of a long one is read once.
    const isHeadNew = read.startOffset === null ? read.lines.length > 0 : isFirst;
    if (this.#facts.firstEntryAtMs === null && isHeadNew) {
      this.#learn({ firstEntryAtMs: firstEntryAtMs(path, read) });
    }
  }

  async #backfill(path: string, from: number, conversation: Conversation): Promise<Conversation> {
    let filled: Conversation = { ...conversation, prompted: true };
    for await (const line of linesBackward(path, from, BACKFILL_MAX_BYTES)) {
      if (!lacksFacts(filled)) break;
      if (!FACT_MARKS.some((mark) => line.includes(mark))) continue;
      const record = parseTranscriptLine(line.toString("utf8"));
      if (typeof record !== "string") filled = backfill(filled, record);
    }
    return filled;
  }

  // ---- what lies beside it

  #readTitle(transcriptPath: string): void {
    const text = readText(titlePathOf(transcriptPath));
    this.#learn({ titleFromFile: text === null ? null : parseTitleFile(text) });
  }

  #readTasks(): void {
    const dir = join(this.#places.tasksDir, this.#sessionId);
    const names = listOrEmpty(dir).filter((name) => name.endsWith(".json"));
    const statuses: string[] = [];
    for (const name of names) {
      const text = readText(join(dir, name));
      const status = text === null ? null : parseTaskStatus(text);
      if (status !== null) statuses.push(status);
    }
    const completed = statuses.filter((status) => status === "completed").length;
    const before = this.#facts.taskTodos;
    if (before?.completed === completed && before.total === statuses.length) return;
    this.#learn({ taskTodos: statuses.length === 0 ? null : { completed, total: statuses.length } });
  }

  /** A workflow's journal is followed from its launch to its end. */
  async #readJournals(transcriptPath: string): Promise<void> {
    const runIds = this.#facts.conversation.launches.flatMap((launch) =>
      launch.kind === "workflow" && launch.runId !== null ? [launch.runId] : [],
    );
    for (const runId of this.#journals.keys()) if (!runIds.includes(runId)) this.#journals.delete(runId);
    for (const runId of runIds) await this.#readJournal(runId, transcriptPath);
    const counts = new Map([...this.#journals].map(([runId, journal]) => [runId, journal.live.size]));
    const before = this.#facts.workflowAgents;
    const same =
      counts.size === before.size && [...counts].every(([runId, count]) => before.get(runId) === count);
    if (!same) this.#learn({ workflowAgents: counts });
  }

  async #readJournal(runId: string, transcriptPath: string): Promise<void> {
    const known = this.#journals.get(runId);
    const journal = known ?? { tail: createTail(journalPathOf(transcriptPath, runId)), live: new Set() };
    this.#journals.set(runId, journal);
    const read = await journal.tail.read();
    if (read.reset) journal.live = new Set();
    for (const line of read.lines) {
      const entry = parseJournalLine(line);
      if (entry !== null) journal.live = foldJournal(journal.live, entry);
    }
  }
}

/** Everything whose change is news of the conversation that the status names. */
export function conversationPaths(
  status: StatusFile | null,
  { transcriptPath, workflowAgents }: ConversationFacts,
  places: ClaudePlaces,
): string[] {
  if (status === null) return [];
  const tasks = join(places.tasksDir, status.sessionId);
  if (transcriptPath === null) return [tasks];
  const journals = [...workflowAgents.keys()].map((runId) => journalPathOf(transcriptPath, runId));
  return [tasks, transcriptPath, titlePathOf(transcriptPath), ...journals];
}

function journalPathOf(transcriptPath: string, runId: string): string {
  return join(sideDirOf(transcriptPath), "subagents", "workflows", runId, "journal.jsonl");
}

/** The directory that carries a transcript's companions: its name without `.jsonl`. */
function sideDirOf(transcriptPath: string): string {
  return transcriptPath.slice(0, -".jsonl".length);
}

/** The file with the name that a person gave, of the transcript at this path. */
export function titlePathOf(transcriptPath: string): string {
  return join(sideDirOf(transcriptPath), "custom-title.json");
}

function firstEntryAtMs(path: string, read: TailRead): number | null {
  for (const line of read.startOffset === null ? read.lines : headLines(path)) {
    const atMs = timeOfLine(line);
    if (atMs !== null) return atMs;
  }
  return null;
}

/** Null when there is no such file. Other faults are the caller's to report. */
export function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new Error(`cannot read ${path}`, { cause });
  }
}

function listOrEmpty(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw new Error(`cannot list ${dir}`, { cause });
  }
}

function headLines(path: string): string[] {
  const file = openSync(path, "r");
  try {
    const buffer = Buffer.alloc(HEAD_BYTES);
    return buffer
      .toString("utf8", 0, readSync(file, buffer, 0, HEAD_BYTES, 0))
      .split("\n")
      .slice(0, -1);
  } finally {
    closeSync(file);
  }
}
