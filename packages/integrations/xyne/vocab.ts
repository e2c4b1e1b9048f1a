// Xyne: its name, its mark, how it is started and resumed. Not run by us: from its documentation. Neutral.
import type { AgentVocab } from "@kolu/anyagent/vocab.ts";
import { AgentReading } from "@kolu/contract/agent.ts";
import { z } from "zod";

const SESSION_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const xyneVocab: AgentVocab = {
  kind: "xyne",
  displayName: "Xyne",
  // An X of two strokes that do not touch.
  mark: "M3 3h4l4 6.2-2 3zM21 21h-4l-4-6.2 2-3zM17.5 3H21L7 21H3z",
  apps: [],
  grammar: {
    programs: ["xyne"],
    packages: [],
    // The list of its flags is not known to us: others are dropped rather than guessed to take a word or not.
    keptFlags: { "--debug": 0 },
    droppedFlags: {},
    subcommands: [],
    informationFlags: ["--version", "-v", "--help", "-h"],
    oneShotFlags: [],
    ephemeralFlags: [],
  },
  resume: {
    reference: "sessionId",
    latest: ["--continue"],
    exact: (reference) => (SESSION_ID.test(reference) ? ["--session", reference] : null),
    chooserFlags: { "--continue": 0, "--session": 1 },
  },
  // Nothing that it writes tells whether a turn runs.
  reportsTurns: false,
  states: ["waiting"],
  facts: {
    sessionId: "recorded",
    version: "never",
    model: "recorded",
    contextTokens: "never",
    title: "recorded",
    todos: "never",
    background: "never",
    startedAtMs: "recorded",
  },
  info: AgentReading.extend({ kind: z.literal("xyne") }),
};
