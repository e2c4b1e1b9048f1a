import { NO_BACKGROUND } from "@kolu/contract/agent.ts";
import type { SleepHold } from "@kolu/contract/sessions.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { expect, test } from "vitest";
import type { WayBack } from "../detect/resume.ts";
import { testAgent, testRecord } from "../test-records.ts";
import { sleepHold } from "./sleep-holds.ts";

const EXACT: WayBack = { line: "claude --resume 1", on: "conversation" };
const running = { line: "npm run dev", running: true, exitStatus: null, startedAtMs: 1, endedAtMs: null };

const cases: Record<string, [record: Partial<TerminalRecord>, way: WayBack | null, why: SleepHold | null]> = {
  "a shell at its prompt loses nothing": [{}, null, null],
  "a command that ended loses nothing": [
    { command: { ...running, running: false, exitStatus: 0, endedAtMs: 2 } },
    null,
    null,
  ],
  "a command that runs would not run again": [{ command: running }, null, "runs"],
  "nor what an unmarked shell runs": [{ pid: 7, foreground: { pid: 9, name: "vim" } }, null, "runs"],
  "nor a terminal's own command": [{ rootCommand: ["top"] }, null, "runs"],
  "an agent that has finished comes back": [{ agent: testAgent("waiting") }, EXACT, null],
  "one that never had a prompt is started afresh": [
    { agent: testAgent("waiting") },
    { ...EXACT, on: "fresh" },
    null,
  ],
  "one at work would be cut off": [{ agent: testAgent("tool_use") }, EXACT, "working"],
  "one in the background is at work": [{ agent: testAgent("background") }, EXACT, "working"],
  "one of which nothing is known may be": [{ agent: testAgent("unknown") }, EXACT, "working"],
  "one that asks would ask no more": [{ agent: testAgent("awaiting") }, EXACT, "asks"],
  "its shells would end": [
    { agent: testAgent("waiting", { background: { ...NO_BACKGROUND, shells: 2 } }) },
    EXACT,
    "runs",
  ],
  "one that cannot be resumed is not put away": [{ agent: testAgent("waiting") }, null, "no-way-back"],
  "nor one that would come back on another conversation": [
    { agent: testAgent("waiting") },
    { ...EXACT, on: "newest" },
    "no-way-back",
  ],
  "a parked terminal has nothing to lose": [{ life: "parked", agent: testAgent("unknown") }, null, null],
  "one whose shell has ended cannot wake": [{ life: "exited" }, null, "ended"],
};
test.each(Object.entries(cases))("%s", (_title, [record, way, why]) => {
  expect(sleepHold(testRecord(1, record), way)?.why ?? null).toBe(why);
});
