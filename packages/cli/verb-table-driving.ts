// The verbs of whoever supervises agents: watching many terminals, prompting one, finding text in all.
import { SEARCH_HITS_MAX, TIMER_MAX_MS } from "@kolu/contract/limits.ts";
import type { FlagSpecs } from "./arguments.ts";
import { json, type VerbSpec } from "./verb-spec.ts";

export const watchFlags = {
  json: { kind: "switch", help: "one JSON object a line" },
  states: {
    kind: "text",
    value: "states",
    help: "supervise: tell terminals in these states (working,awaiting,waiting); awaiting,waiting without it",
  },
  "held-for": {
    kind: "duration",
    value: "time",
    minMs: 0,
    help: "supervise: tell a state only when it has held this long",
  },
  nag: {
    kind: "duration",
    value: "time",
    minMs: 1,
    help: "supervise: tell again each time this long passes while it still holds",
  },
  ignore: { kind: "texts", value: "id", help: "leave this terminal out; may be repeated" },
  "ignore-self": { kind: "switch", help: "leave out the terminal that kolu runs in" },
  heartbeat: {
    kind: "duration",
    value: "time",
    minMs: 1,
    help: "tell that all is well at once, then each time this long passes",
  },
} as const satisfies FlagSpecs;
export const watchSpec = {
  summary: "tell what changes, as it happens; or which agents need somebody",
  operands: "[id]",
  minOperands: 0,
  maxOperands: 1,
  takesCommand: false,
  flags: watchFlags,
  notes: [
    "Without --states, --held-for and --nag: every change, beginning with what is there. With any of them: terminals whose",
    "agent is in one of the states, first those that are (snapshot), then those that come to be (transition), and again",
    "while nobody deals with them (nag). A time is 500ms, 60s, 5m, 2h or 1d; a plain number is milliseconds.",
    "With an id it ends when that terminal is gone: exit 3.",
  ],
  load: () => import("./verbs/watch.ts"),
} as const satisfies VerbSpec<typeof watchFlags>;

export const promptFlags = {
  file: { kind: "text", value: "path", help: "take the prompt from a file; - is stdin" },
  timeout: {
    kind: "integer",
    value: "ms",
    min: 1,
    max: TIMER_MAX_MS,
    help: "give up on a confirmation after this long: exit 2; 20000 without it",
  },
  json,
} as const satisfies FlagSpecs;
export const promptSpec = {
  summary: "give a prompt to the agent in a terminal, submit it and confirm it",
  operands: "<id> [text...]",
  minOperands: 1,
  maxOperands: Number.POSITIVE_INFINITY,
  takesCommand: false,
  flags: promptFlags,
  notes: [
    "Text comes from the words (joined by blanks), from --file, or from stdin when it is a pipe or a file and nothing else",
    "is given. Exit 0 only when the agent was seen to take it; 1 when it stands there unsubmitted, or the agent asks",
    "something; 2 when nothing told. It types nothing while the agent asks or a draft stands in the composer.",
    "--json prints the receipt; its cursor goes to `kolu wait --after`.",
  ],
  load: () => import("./verbs/prompt.ts"),
} as const satisfies VerbSpec<typeof promptFlags>;

export const searchFlags = {
  id: { kind: "texts", value: "id", help: "only in this terminal; may be repeated" },
  limit: {
    kind: "integer",
    value: "lines",
    min: 1,
    max: SEARCH_HITS_MAX,
    help: "so many at most; 100 without it",
  },
  json,
} as const satisfies FlagSpecs;
export const searchSpec = {
  summary: "find text on the screens, in the scrollback and in the conversations of all terminals",
  operands: "<text...>",
  minOperands: 1,
  maxOperands: Number.POSITIVE_INFINITY,
  takesCommand: false,
  flags: searchFlags,
  notes: [
    "Plain text, the words joined by blanks; without capitals it matches any case. The terminal with the newest output",
    "comes first, its newest line first, then the newest item of its agent's conversation. A number is how many lines it is",
    "above the last one: `kolu snapshot <id> --tail` takes one more. #12 is an item of the conversation: see it with",
    "`kolu surface transcript_read --id <id> --after 11 --before 13`.",
  ],
  load: () => import("./verbs/search.ts"),
} as const satisfies VerbSpec<typeof searchFlags>;
