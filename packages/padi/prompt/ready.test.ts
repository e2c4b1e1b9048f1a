import type { AgentReading } from "@kolu/contract/agent.ts";
import { expect, test } from "vitest";
import { testAgent } from "../test-records.ts";
import { noteAgent, readyAt, type Waiting } from "./ready.ts";

const START: Waiting = { sinceMs: 0, agent: null };
const at = (state: AgentReading["state"]): AgentReading => testAgent(state);

test("an agent that says that it waits is ready a moment later", () => {
  const waiting = noteAgent(START, at("waiting"), 1_000);
  expect(readyAt(waiting, 1_000)).toEqual({ kind: "ready", atMs: 1_300 });
});

test("one that asks a person first is waited for, however long that takes", () => {
  const asking = noteAgent(START, at("awaiting"), 1_000);
  expect(readyAt(asking, 900_000)).toMatchObject({ kind: "later" });
  const answered = noteAgent(asking, at("waiting"), 900_000);
  expect(readyAt(answered, 900_000)).toEqual({ kind: "ready", atMs: 900_300 });
});

test("one whose state nobody can tell is given its prompt once it has stood for a while", () => {
  const unknown = noteAgent(START, at("unknown"), 1_000);
  expect(readyAt(unknown, 1_000)).toEqual({ kind: "ready", atMs: 9_000 });
});

test("no agent, and one that is gone again, end the wait with a reason", () => {
  expect(readyAt(START, 59_000)).toMatchObject({ kind: "later" });
  expect(readyAt(START, 60_000)).toEqual({ kind: "never", reason: "no agent was seen to start" });
  const gone = noteAgent(noteAgent(START, at("waiting"), 1_000), null, 2_000);
  expect(readyAt(gone, 2_000)).toMatchObject({ kind: "later" });
  expect(readyAt(gone, 7_000)).toEqual({ kind: "never", reason: "the agent ended before that" });
});

test("what has not changed keeps its time", () => {
  const waiting = noteAgent(START, at("waiting"), 1_000);
  expect(noteAgent(waiting, at("waiting"), 1_200)).toBe(waiting);
});
