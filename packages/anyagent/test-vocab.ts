// An agent that does not exist, for the kernel's tests.
import { AgentReading } from "@kolu/contract/agent.ts";
import type { AgentVocab } from "./vocab.ts";

export function testVocab(program: string, changes: Partial<AgentVocab> = {}): AgentVocab {
  return {
    kind: program,
    displayName: program,
    mark: "M0 0h24v24z",
    apps: [program],
    grammar: {
      programs: [program],
      packages: [`@acme/${program}`],
      keptFlags: { "--model": 1, "--fast": 0, "-m": 1 },
      droppedFlags: { "--name": 1 },
      subcommands: ["update"],
      informationFlags: ["--version"],
      oneShotFlags: ["-p"],
      ephemeralFlags: ["--no-trace"],
    },
    resume: {
      reference: "sessionId",
      latest: ["-c"],
      exact: (reference) => (/^[a-f0-9]{4}$/.test(reference) ? ["--resume", reference] : null),
      chooserFlags: { "-c": 0, "--resume": 1 },
    },
    reportsTurns: true,
    states: ["thinking", "tool_use", "background", "awaiting", "waiting"],
    facts: {
      sessionId: "recorded",
      version: "recorded",
      model: "recorded",
      contextTokens: "recorded",
      title: "recorded",
      todos: "recorded",
      background: "recorded",
      startedAtMs: "recorded",
    },
    info: AgentReading,
    ...changes,
  };
}
