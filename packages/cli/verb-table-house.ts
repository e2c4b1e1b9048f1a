// The verbs about kolu itself: what runs, whether it is well, ending it, and help for shells.
import type { FlagSpecs } from "./arguments.ts";
import { json, type VerbSpec } from "./verb-spec.ts";

export const statusFlags = { json } as const satisfies FlagSpecs;
export const statusSpec = {
  summary: "tell what runs: the daemons, the web server, and how many terminals need somebody",
  operands: "",
  minOperands: 0,
  maxOperands: 0,
  takesCommand: false,
  flags: statusFlags,
  notes: [],
  load: () => import("./verbs/status.ts"),
} as const satisfies VerbSpec<typeof statusFlags>;

export const doctorFlags = { json } as const satisfies FlagSpecs;
export const doctorSpec = {
  summary: "look for what is missing or wrong, and say how to mend it",
  operands: "",
  minOperands: 0,
  maxOperands: 0,
  takesCommand: false,
  flags: doctorFlags,
  notes: ["Changes nothing and starts nothing. Exit 1 when something has to be mended."],
  load: () => import("./verbs/doctor.ts"),
} as const satisfies VerbSpec<typeof doctorFlags>;

export const stopFlags = {
  all: { kind: "switch", help: "the PTY daemon too: that ends every terminal and everything in it" },
  yes: { kind: "switch", help: "with --all, when terminals are alive: end them" },
  json,
} as const satisfies FlagSpecs;
export const stopSpec = {
  summary: "ask the workspace daemon to leave; terminals keep running",
  operands: "",
  minOperands: 0,
  maxOperands: 0,
  takesCommand: false,
  flags: stopFlags,
  notes: [
    "Everything is saved first, and the next `kolu web` or `kolu create` goes on where it stopped. A running `kolu web`",
    "or `kolu mcp` would start it again at once, and is named: end that first.",
    "With --all terminals end like after a reboot: `kolu restore` brings their agents back.",
  ],
  load: () => import("./verbs/stop.ts"),
} as const satisfies VerbSpec<typeof stopFlags>;

export const completionSpec = {
  summary: "print the completion of kolu for a shell",
  operands: "<bash|zsh|fish>",
  minOperands: 1,
  maxOperands: 1,
  takesCommand: false,
  flags: {},
  notes: [
    "bash: source <(kolu completion bash)        in ~/.bashrc",
    "zsh:  source <(kolu completion zsh)         in ~/.zshrc, after compinit",
    "fish: kolu completion fish | source         in ~/.config/fish/config.fish",
  ],
  load: () => import("./verbs/completion.ts"),
} as const satisfies VerbSpec<Record<never, never>>;
