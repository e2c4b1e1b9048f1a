// What would be lost if a terminal were put to sleep now. Pure.
import type { SleepHold } from "@kolu/contract/sessions.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import type { WayBack } from "../detect/resume.ts";

export interface Hold {
  why: SleepHold;
  sentence: string;
}

/** Null: nothing is lost, it can be woken as it is. `wayBack` is that of its agent. */
export function sleepHold(record: TerminalRecord, wayBack: WayBack | null): Hold | null {
  if (record.life === "exited")
    return { why: "ended", sentence: "Its shell has ended: there is nothing to wake. Close it instead." };
  if (record.life !== "active") return null;
  return record.agent ? holdOfAgent(record.agent, wayBack) : holdOfShell(record);
}

function holdOfAgent(agent: NonNullable<TerminalRecord["agent"]>, wayBack: WayBack | null): Hold | null {
  if (agent.bucket === "awaiting")
    return { why: "asks", sentence: "Its agent asks you something. Asleep, the question is gone." };
  if (agent.bucket === "working")
    return { why: "working", sentence: "Its agent is at work. Sleep cuts this turn off." };
  if (agent.bucket === null)
    return { why: "working", sentence: "Nobody knows whether its agent is at work. Sleep would cut it off." };
  const { shells } = agent.background;
  if (shells > 0)
    return {
      why: "runs",
      sentence: `Its agent left ${shells === 1 ? "a shell" : `${shells} shells`} running, which would end.`,
    };
  if (wayBack === null || wayBack.on === "newest")
    return {
      why: "no-way-back",
      sentence: "Nobody knows which conversation its agent is on: waking could not bring it back.",
    };
  return null;
}

function holdOfShell(record: TerminalRecord): Hold | null {
  const running = runningIn(record);
  if (running === null) return null;
  return { why: "runs", sentence: `${running} runs in it, and is not started again when it wakes.` };
}

/** What runs in a terminal without an agent; null: its shell is at a prompt. */
function runningIn({ rootCommand, command, foreground, pid, program }: TerminalRecord): string | null {
  if (rootCommand !== null) return rootCommand.join(" ");
  if (command?.running === true) return command.line === "" ? "A command" : command.line;
  // A shell without our marks does not say what it runs.
  if (foreground !== null && pid !== null && foreground.pid !== pid) return foreground.name;
  return program?.state === "working" || program?.state === "blocked" ? program.app : null;
}
