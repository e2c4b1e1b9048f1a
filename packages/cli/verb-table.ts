// Every verb of `kolu`: what it takes and what it is for. Light on purpose: a run loads this and the one verb it needs.
import { TIMER_MAX_MS } from "@kolu/contract/limits.ts";
import type { FlagSpecs } from "./arguments.ts";
import { after, json, timeout, type VerbSpec } from "./verb-spec.ts";
import { promptSpec, searchSpec, watchSpec } from "./verb-table-driving.ts";
import { completionSpec, doctorSpec, statusSpec, stopSpec } from "./verb-table-house.ts";

export type { Context, VerbSpec } from "./verb-spec.ts";

export const lsFlags = { json } as const satisfies FlagSpecs;
export const lsSpec = {
  summary: "list the terminals",
  operands: "",
  minOperands: 0,
  maxOperands: 0,
  takesCommand: false,
  flags: lsFlags,
  notes: [],
  load: () => import("./verbs/ls.ts"),
} as const satisfies VerbSpec<typeof lsFlags>;

export const createFlags = {
  toplevel: { kind: "switch", help: "a tile of its own on the canvas" },
  parent: { kind: "text", value: "id", help: "a split inside that terminal" },
  cwd: {
    kind: "text",
    value: "dir",
    help: "working directory; without it, the caller's, or over --host the home there",
  },
  intent: { kind: "text", value: "text", help: "label on the canvas; stays for the terminal's life" },
  worktree: { kind: "text", value: "name", help: "cut a fresh git worktree and open the terminal in it" },
  repo: {
    kind: "text",
    value: "dir",
    help: "repository of the worktree; without it, the working directory's",
  },
  json,
} as const satisfies FlagSpecs;
export const createSpec = {
  summary: "open a terminal and print its id",
  operands: "",
  minOperands: 0,
  maxOperands: 0,
  takesCommand: true,
  flags: createFlags,
  notes: [
    "Exactly one of --toplevel and --parent is needed. Words after -- are typed at the first shell prompt, then Enter.",
    "Starts kolu's daemons when none run, over --host those of that machine. --cwd and --repo are paths there then.",
  ],
  load: () => import("./verbs/create.ts"),
} as const satisfies VerbSpec<typeof createFlags>;

export const sendFlags = {
  key: {
    kind: "texts",
    value: "key",
    help: "press a key instead: Enter, Escape, C-c, Up ...; may be repeated",
  },
  file: { kind: "text", value: "path", help: "take the text from a file; - is stdin" },
  paste: { kind: "switch", help: "as one bracketed paste, also when it is a single line" },
  "no-paste": { kind: "switch", help: "as typed characters, also when there are several lines" },
  json,
} as const satisfies FlagSpecs;
export const sendSpec = {
  summary: "type text or press keys in a terminal",
  operands: "<id> [text...]",
  minOperands: 1,
  maxOperands: Number.POSITIVE_INFINITY,
  takesCommand: false,
  flags: sendFlags,
  notes: [
    "Text comes from the words (joined by blanks), from --file, or from stdin when it is a pipe or a file and nothing else",
    "is given. Text never carries the Enter that submits it: send text, wait for the screen to settle, then --key Enter.",
    "The newline that ends a file is left out.",
  ],
  load: () => import("./verbs/send.ts"),
} as const satisfies VerbSpec<typeof sendFlags>;

export const waitFlags = {
  until: {
    kind: "text",
    value: "what",
    help: "idle:<ms>, match:<regex>, or buckets: working,awaiting,waiting",
  },
  timeout,
  settled: {
    kind: "integer",
    value: "ms",
    min: 1,
    max: TIMER_MAX_MS,
    help: "and no output for this long at the same moment",
  },
  snapshot: {
    kind: "integer",
    value: "lines",
    min: 1,
    help: "print the last lines of the screen, read inside the wait",
  },
  after,
  json,
} as const satisfies FlagSpecs;
export const waitSpec = {
  summary: "wait for silence, for text, or for the agent's state",
  operands: "<id>",
  minOperands: 1,
  maxOperands: 1,
  takesCommand: false,
  flags: waitFlags,
  notes: [
    "Exit 0 when met, 2 when the time is up, 3 when the terminal is gone. A state that already holds is met at once.",
  ],
  load: () => import("./verbs/wait.ts"),
} as const satisfies VerbSpec<typeof waitFlags>;

export const debriefFlags = {
  quiet: {
    kind: "integer",
    value: "ms",
    min: 1,
    max: TIMER_MAX_MS,
    help: "silence that counts as over; 15000 without it",
  },
  tail: { kind: "integer", value: "lines", min: 1, help: "lines of the screen; 40 without it" },
  timeout,
  after,
  json,
} as const satisfies FlagSpecs;
export const debriefSpec = {
  summary: "wait until the agent's turn is really over, then print the screen",
  operands: "<id>",
  minOperands: 1,
  maxOperands: 1,
  takesCommand: false,
  flags: debriefFlags,
  notes: ["The same as: kolu wait <id> --until awaiting,waiting --settled 15000 --snapshot 40"],
  load: () => import("./verbs/debrief.ts"),
} as const satisfies VerbSpec<typeof debriefFlags>;

export const snapshotFlags = {
  tail: { kind: "integer", value: "lines", min: 1, help: "the last lines, blank ones at the end left out" },
  png: { kind: "text", value: "file", help: "write a picture of the screen there instead; - is stdout" },
} as const satisfies FlagSpecs;
export const snapshotSpec = {
  summary: "print a terminal's scrollback and screen as text",
  operands: "<id>",
  minOperands: 1,
  maxOperands: 1,
  takesCommand: false,
  flags: snapshotFlags,
  notes: ["A picture shows the visible screen, or with --tail that many last lines, 200 at most."],
  load: () => import("./verbs/snapshot.ts"),
} as const satisfies VerbSpec<typeof snapshotFlags>;

export const historyFlags = {
  lines: { kind: "integer", value: "lines", min: 1, help: "only so many, the newest ones" },
} as const satisfies FlagSpecs;
export const historySpec = {
  summary: "print the scrollback above the screen, oldest line first",
  operands: "<id>",
  minOperands: 1,
  maxOperands: 1,
  takesCommand: false,
  flags: historyFlags,
  notes: [],
  load: () => import("./verbs/history.ts"),
} as const satisfies VerbSpec<typeof historyFlags>;

export const killSpec = {
  summary: "end a terminal and everything that runs in it",
  operands: "<id>",
  minOperands: 1,
  maxOperands: 1,
  takesCommand: false,
  flags: {},
  notes: [],
  load: () => import("./verbs/kill.ts"),
} as const satisfies VerbSpec<Record<never, never>>;

export const restoreFlags = { json } as const satisfies FlagSpecs;
export const restoreSpec = {
  summary: "bring parked terminals back under their ids",
  operands: "[id...]",
  minOperands: 0,
  maxOperands: Number.POSITIVE_INFINITY,
  takesCommand: false,
  flags: restoreFlags,
  notes: ["Without ids: all of them. Starts kolu's daemons when none run."],
  load: () => import("./verbs/restore.ts"),
} as const satisfies VerbSpec<typeof restoreFlags>;

export const explainFlags = { json } as const satisfies FlagSpecs;
export const explainSpec = {
  summary: "say why a terminal's agent is thought to be in its state",
  operands: "<id>",
  minOperands: 1,
  maxOperands: 1,
  takesCommand: false,
  flags: explainFlags,
  notes: [],
  load: () => import("./verbs/explain.ts"),
} as const satisfies VerbSpec<typeof explainFlags>;

export const exportFlags = {
  full: { kind: "switch", help: "everything, with reasoning, tool calls and edits folded; the usual" },
  chat: { kind: "switch", help: "only what was said, without the directory and the session's id" },
  output: {
    kind: "text",
    value: "file",
    help: "write there instead; a directory keeps the name, - is stdout",
  },
  force: { kind: "switch", help: "overwrite a file that is there" },
} as const satisfies FlagSpecs;
export const exportSpec = {
  summary: "write the conversation of a terminal's agent as one HTML file",
  operands: "<id>",
  minOperands: 1,
  maxOperands: 1,
  takesCommand: false,
  flags: exportFlags,
  notes: [
    "The file needs nothing else: no script, no request. Prints its path; without --output it is named by its day and title,",
    "in the working directory. A parked terminal's conversation can be exported too.",
    "Examples: kolu export 3f2a",
    "          kolu export 3f2a --chat --output ~/shared/",
    "          kolu export 3f2a --chat --output - | ssh host 'cat > talk.html'",
  ],
  load: () => import("./verbs/export.ts"),
} as const satisfies VerbSpec<typeof exportFlags>;

export const surfaceFlags = {
  schemas: { kind: "switch", help: "print every tool with its JSON schemas" },
} as const satisfies FlagSpecs;
export const surfaceSpec = {
  summary: "call what an agent's tools call, by name, with JSON out",
  operands: "[tool]",
  minOperands: 0,
  maxOperands: 1,
  takesCommand: false,
  flags: surfaceFlags,
  notes: [
    "Without a tool: lists them. Each field of the tool's input is a flag of that name; --json takes the whole input.",
    "A refusal prints its kind and data as JSON, and ends with 1.",
  ],
  hasOwnShapes: true,
  load: () => import("./verbs/surface.ts"),
} as const satisfies VerbSpec<typeof surfaceFlags>;

export const webFlags = {
  port: { kind: "integer", value: "port", min: 0, max: 65_535, help: "7681 without it; 0 takes a free one" },
  bind: {
    kind: "text",
    value: "address",
    help: "127.0.0.1 without it; beyond loopback TLS or --behind-proxy is needed",
  },
  "tls-cert": { kind: "text", value: "file", help: "certificate chain, PEM; with --tls-key" },
  "tls-key": { kind: "text", value: "file", help: "its private key, PEM" },
  "behind-proxy": { kind: "text", value: "host", help: "a proxy supplies TLS under this host name" },
} as const satisfies FlagSpecs;
export const webSpec = {
  summary: "serve the canvas to a browser",
  operands: "",
  minOperands: 0,
  maxOperands: 0,
  takesCommand: false,
  flags: webFlags,
  notes: ["Prints a link that opens it once. Starts kolu's daemons when none run."],
  load: () => import("./verbs/web.ts"),
} as const satisfies VerbSpec<typeof webFlags>;

export const openFlags = {
  link: { kind: "switch", help: "print a link that opens the canvas once, for another browser or device" },
} as const satisfies FlagSpecs;
export const openSpec = {
  summary: "print another one-time link to the canvas, or to a terminal on it",
  operands: "[id]",
  minOperands: 0,
  maxOperands: 1,
  takesCommand: false,
  flags: openFlags,
  notes: ["Needs a running `kolu web`. With an id the page opens at that terminal."],
  load: () => import("./verbs/open.ts"),
} as const satisfies VerbSpec<typeof openFlags>;

export const mcpSpec = {
  summary: "serve the tools to an agent, as an MCP server on stdin and stdout",
  operands: "",
  minOperands: 0,
  maxOperands: 0,
  takesCommand: false,
  flags: {},
  notes: [
    "For an agent's configuration: command kolu, argument mcp. Ends with 1 before it says a word when no padi answers.",
  ],
  load: () => import("./verbs/mcp.ts"),
} as const satisfies VerbSpec<Record<never, never>>;

/** In the order of `kolu --help`. */
export const verbs = {
  ls: lsSpec,
  create: createSpec,
  send: sendSpec,
  prompt: promptSpec,
  wait: waitSpec,
  debrief: debriefSpec,
  snapshot: snapshotSpec,
  history: historySpec,
  watch: watchSpec,
  search: searchSpec,
  explain: explainSpec,
  export: exportSpec,
  kill: killSpec,
  restore: restoreSpec,
  surface: surfaceSpec,
  mcp: mcpSpec,
  web: webSpec,
  open: openSpec,
  status: statusSpec,
  doctor: doctorSpec,
  stop: stopSpec,
  completion: completionSpec,
} as const;
