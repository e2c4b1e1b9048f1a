// OpenCode: its name, its mark, how it is started and resumed. Flags from `opencode --help` of 1.18.33. Neutral.
import type { AgentVocab } from "@kolu/anyagent/vocab.ts";
import { AgentReading } from "@kolu/contract/agent.ts";
import { z } from "zod";

/** `ses_`, twelve hexadecimal digits of time, fourteen letters and digits (observed on 1.18.33). */
const SESSION_ID = /^ses_[0-9A-Za-z]{8,64}$/;

export const opencodeVocab: AgentVocab = {
  kind: "opencode",
  displayName: "OpenCode",
  // A block cursor inside an upright frame that is open at its top corner.
  mark: "M4 2h10v3H7v14h10v-8h3v11H4zM10 9h4v7h-4zM17 2h3v6h-3z",
  apps: ["opencode"],
  grammar: {
    programs: ["opencode"],
    packages: ["opencode-ai"],
    keptFlags: {
      "--model": 1,
      "-m": 1,
      "--agent": 1,
      "--auto": 0,
      "--pure": 0,
      "--mini": 0,
      "--no-replay": 0,
      "--replay-limit": 1,
    },
    droppedFlags: {
      "--prompt": 1,
      "--port": 1,
      "--hostname": 1,
      "--mdns": 0,
      "--mdns-domain": 1,
      "--cors": 1,
      "--print-logs": 0,
      "--log-level": 1,
    },
    subcommands: [
      "acp",
      "agent",
      "attach",
      "auth",
      "completion",
      "db",
      "debug",
      "export",
      "github",
      "import",
      "mcp",
      "models",
      "plug",
      "plugin",
      "pr",
      "providers",
      "run",
      "serve",
      "session",
      "stats",
      "uninstall",
      "upgrade",
      "web",
    ],
    informationFlags: ["--version", "-v", "--help", "-h"],
    oneShotFlags: [],
    ephemeralFlags: [],
  },
  resume: {
    reference: "sessionId",
    latest: ["-c"],
    exact: (reference) => (SESSION_ID.test(reference) ? ["-s", reference] : null),
    chooserFlags: { "-c": 0, "--continue": 0, "-s": 1, "--session": 1, "--fork": 0 },
  },
  reportsTurns: true,
  states: ["thinking", "tool_use", "awaiting", "waiting"],
  facts: {
    sessionId: "recorded",
    version: "recorded",
    model: "recorded",
    contextTokens: "recorded",
    title: "recorded",
    todos: "recorded",
    background: "never",
    startedAtMs: "recorded",
  },
  info: AgentReading.extend({ kind: z.literal("opencode") }),
};
