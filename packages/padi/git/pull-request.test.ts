import type { GitFacts, PullRequest } from "@kolu/contract/terminal.ts";
import { expect, test } from "vitest";
import { complaintOf, mayHavePushed, parsePullRequest, readComplaint, restMs } from "./pull-request.ts";

const VIEWED = {
  number: 7,
  title: "Mend it",
  url: "https://github.com/o/r/pull/7",
  state: "OPEN",
  isDraft: false,
};
const run = (status: string, conclusion = "") => ({
  __typename: "CheckRun",
  name: "build",
  status,
  conclusion,
});
const context = (state: string) => ({ __typename: "StatusContext", context: "ci/legacy", state });

const rollups: Record<string, [rollup: unknown, checks: PullRequest["checks"]]> = {
  "no checks": [[], null],
  "nothing said of checks": [null, null],
  "all passed": [[run("COMPLETED", "SUCCESS"), context("SUCCESS")], "pass"],
  "what was skipped does not fail": [[run("COMPLETED", "SUCCESS"), run("COMPLETED", "SKIPPED")], "pass"],
  "one that runs": [[run("COMPLETED", "SUCCESS"), run("IN_PROGRESS")], "pending"],
  "one that waits, of the older kind": [[context("EXPECTED")], "pending"],
  "one that failed, while others run": [[run("QUEUED"), run("COMPLETED", "TIMED_OUT")], "fail"],
  "one in error, of the older kind": [[context("ERROR")], "fail"],
};
test.each(Object.entries(rollups))("checks: %s", (_title, [statusCheckRollup, checks]) => {
  const answer = parsePullRequest(JSON.stringify({ ...VIEWED, statusCheckRollup }));
  expect(answer).toMatchObject({ kind: "found", pr: { number: 7, title: "Mend it", state: "open", checks } });
});

test("an answer that is none, or whose link is no web address, is not shown", () => {
  for (const text of ["", "{}", JSON.stringify({ ...VIEWED, url: "javascript:alert(1)" })])
    expect(parsePullRequest(text)).toEqual({ kind: "unavailable", code: "unknown" });
});

const complaints: Record<string, [code: number, stderr: string, kind: string, sentence: RegExp | null]> = {
  "no pull request": [1, 'no pull requests found for branch "x"', "none", null],
  "another forge": [
    1,
    "none of the git remotes configured for this repository point to a known GitHub host. To tell gh about a new GitHub host, please use `gh auth login`",
    "unsupported",
    null,
  ],
  "no remote": [1, "no git remotes found", "unsupported", null],
  "not signed in": [
    4,
    "To get started with GitHub CLI, please run:  gh auth login",
    "unavailable",
    /not signed in/,
  ],
  "signed out over there": [1, "HTTP 401: Bad credentials", "unavailable", /not signed in/],
  "no network": [1, "error connecting to api.github.com", "unavailable", /gh failed/],
};
test.each(Object.entries(complaints))("gh complains: %s", (_title, [code, stderr, kind, sentence]) => {
  const answer = readComplaint(code, stderr);
  expect(answer.kind).toBe(kind);
  if (sentence === null) expect(complaintOf(answer)).toBeNull();
  else expect(complaintOf(answer)).toMatch(sentence);
});

test("looks come ever more seldom, sooner while checks run, and hardly where gh cannot tell", () => {
  const pending = parsePullRequest(JSON.stringify({ ...VIEWED, statusCheckRollup: [run("QUEUED")] }));
  expect([0, 1, 2, 9].map((count) => restMs(pending, count) / 1_000)).toEqual([20, 40, 80, 120]);
  expect([0, 1, 5].map((count) => restMs({ kind: "none" }, count) / 60_000)).toEqual([1, 2, 10]);
  expect(restMs({ kind: "unavailable", code: "not-installed" }, 9) / 60_000).toBe(15);
});

const BRANCH = { head: "a", upstream: "origin/x", ahead: 0, behind: 0 } as GitFacts;
const pushes: Record<string, [before: Partial<GitFacts>, now: Partial<GitFacts>, pushed: boolean]> = {
  "a commit stays here": [{}, { head: "b", ahead: 1 }, false],
  "what waited has gone": [{ ahead: 2 }, { ahead: 0 }, true],
  "the branch got its upstream": [{ upstream: null, ahead: null }, { ahead: null }, true],
  "others pushed and it was pulled": [{}, { head: "c" }, true],
  "only the index moved": [{}, { dirty: true }, false],
};
test.each(Object.entries(pushes))("pushed? %s", (_title, [before, now, pushed]) => {
  expect(mayHavePushed({ ...BRANCH, ...before }, { ...BRANCH, ...now })).toBe(pushed);
});
