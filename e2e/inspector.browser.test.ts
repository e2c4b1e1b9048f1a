// The inspector: over a made-up workspace what it says of every fact, on a whole kolu what it does.
import type { AgentReading } from "@kolu/contract/agent.ts";
import type { PadiContract } from "@kolu/contract/padi.ts";
import { refuse } from "@kolu/contract/refusals.ts";
import type { Handlers } from "@kolu/contract/rpc.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import {
  agentForTest,
  gitForTest,
  idForTest,
  recordForTest,
} from "../packages/client/store/record-for-test.ts";
import { dockRow, openKolu, tile, type Visitor } from "./browser.ts";
import { CAPTURED_SESSION, startCapturedAgent } from "./captured-agent.ts";
import { startComposer, takenPrompts } from "./composer-agent.ts";
import { type Scene, startScene } from "./scene.ts";
import { browser, kolu, POLL, shareKolu, visit } from "./shared-kolu.ts";

shareKolu({ keepTerminals: true });

const panel = (page: Page): Locator => page.getByRole("complementary", { name: "Details" });
const fact = (page: Page, name: string): Locator =>
  page.locator(".fact", { has: page.locator("dt", { hasText: new RegExp(`^${name}$`) }) }).locator("dd");

async function visitScene(scene: Scene): Promise<Visitor> {
  const visitor = await browser.newVisitor();
  await openKolu(visitor.page, await scene.newLink());
  return visitor;
}

async function visitKolu(name: string): Promise<Visitor> {
  const visitor = await visit();
  await dockRow(visitor.page, name).first().click();
  await visitor.page.keyboard.press("Control+Shift+\\");
  await visitor.page.locator(".inspector").waitFor();
  return visitor;
}

const layoutOf = (n: number): TerminalRecord["layout"] => ({ x: n * 816, y: 0, w: 792, h: 528 });
const terminal = (n: number, intent: string, changed: Partial<TerminalRecord> = {}): TerminalRecord =>
  recordForTest(n, { intent, git: gitForTest("app"), layout: layoutOf(n), ...changed });
const withAgent = (n: number, intent: string, reading: Partial<AgentReading>): TerminalRecord =>
  terminal(n, intent, { agent: agentForTest({ sinceMs: Date.now(), ...reading }) });

const EXPLANATION = {
  kind: "claude-code",
  recognition: {
    foregroundPid: 7,
    chain: [{ pid: 7, name: "claude", startTime: null }],
    matchedBy: "process name claude",
  },
  signals: [
    {
      source: "in-band" as const,
      value: "state=blocked:kind=permission",
      state: "awaiting" as const,
      atMs: null,
      verdict: "won" as const,
      note: null,
    },
    {
      source: "transcript" as const,
      value: "newest entry: tool_use Bash",
      state: "tool_use" as const,
      atMs: null,
      verdict: "disagreed" as const,
      note: "older than what it says in band",
    },
  ],
  missing: ["No title at /nowhere."],
  malformedRecords: 2,
};

test("the panel is closed at first, opens by chord, button and palette, and is remembered with its width", async () => {
  await using scene = await startScene([terminal(1, "one"), terminal(2, "two")], {
    answers: { "terminal.explain": () => ({ ...EXPLANATION, kind: null, signals: [] }) },
  });
  await using visitor = await visitScene(scene);
  const { page, faults } = visitor;
  await dockRow(page, "one").click();
  expect(await panel(page).count()).toBe(0);
  await page.keyboard.press("Control+Shift+\\");
  await panel(page).waitFor();
  // It takes its place beside the canvas: no tile lies under it.
  const [left, right] = await Promise.all([
    page.locator(".canvas-slot").boundingBox(),
    panel(page).boundingBox(),
  ]);
  expect(left!.x + left!.width).toBeLessThanOrEqual(right!.x + 1);
  await page.keyboard.press("Control+Shift+\\");
  await expect.poll(() => panel(page).count(), POLL).toBe(0);
  await tile(page, idForTest(2)).getByRole("button", { name: "Details" }).click();
  await panel(page).locator(".panel-who", { hasText: "two" }).waitFor();
  const handle = page.getByRole("separator", { name: "Width of the panel" });
  await handle.focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  expect(await handle.getAttribute("aria-valuenow")).toBe("472");
  await page.reload();
  await expect.poll(async () => (await panel(page).boundingBox())?.width, POLL).toBe(472);
  await page.getByRole("button", { name: "Close the panel" }).click();
  await page.keyboard.press("Control+Shift+K");
  await page.keyboard.type("details of this");
  await page.locator("[cmdk-item][aria-selected=true]", { hasText: "Details of this terminal" }).waitFor();
  await page.keyboard.press("Enter");
  await panel(page).waitFor();
  expect(faults).toEqual([]);
});

test("it follows the active terminal, and says all that is known of it and why", async () => {
  const asking = withAgent(1, "asks", {
    state: "awaiting",
    awaiting: { kind: "permission", message: "May it run rm -rf build?" },
    model: "opus-5",
    version: "2.1",
    contextTokens: 47_123,
    todos: { completed: 2, total: 5 },
    title: "Clean the build",
    sessionId: "abc-123",
    background: { workflows: [{ name: "review", agents: 3 }], agents: [{ name: "reader" }], shells: 1 },
  });
  const record: TerminalRecord = {
    ...asking,
    git: { ...gitForTest("app", "clean"), dirty: true, upstream: "origin/clean", ahead: 2, behind: 1 },
    pr: {
      number: 12,
      title: "Clean up",
      url: "https://example.org/pr/12",
      state: "open",
      isDraft: false,
      checks: "fail",
      checkRuns: [{ name: "lint", outcome: "fail" }],
    },
    ports: {
      status: "known",
      list: [
        { port: 5173, pid: 9, name: "vite", scope: "loopback", family: "v4" },
        { port: 5173, pid: 9, name: "vite", scope: "loopback", family: "v6" },
      ],
    },
  };
  await using scene = await startScene([record, terminal(2, "shell")], {
    answers: {
      "terminal.explain": ({ id }) =>
        id === record.id ? EXPLANATION : { ...EXPLANATION, kind: null, signals: [] },
    },
  });
  await using visitor = await visitScene(scene);
  const { page, faults } = visitor;
  await dockRow(page, "asks").click();
  await page.keyboard.press("Control+Shift+\\");
  await page.locator(".state-line", { hasText: "Needs you" }).waitFor();
  await page.locator(".why", { hasText: "May it run rm -rf build?" }).waitFor();
  await page
    .locator(".why-source", {
      hasText: "It says so itself in the terminal: state=blocked:kind=permission. Transcript disagrees.",
    })
    .waitFor();
  const facts: [name: string, text: string][] = [
    ["Title", "Clean the build"],
    ["Model", "opus-5 · 2.1"],
    ["Context", "47K tokens"],
    ["Todos", "2/5"],
    ["Background", "review: 3 agents\nreader\n1 shell"],
    ["Session", "abc-123"],
    ["Branch", "clean"],
    ["Tree", "uncommitted changes"],
    ["Upstream", "origin/clean, 2 ahead, 1 behind"],
    ["Pull request", "#12 Clean up\nopen, checks failed\nlint failed"],
  ];
  for (const [name, text] of facts)
    expect([name, ...(await fact(page, name).allInnerTexts())]).toEqual([name, text]);
  expect(await fact(page, "Ports").locator("li").allInnerTexts()).toEqual(["5173\nvite\nthis machine alone"]);
  await page.locator(".signals summary").click();
  await page.locator(".signals", { hasText: "older than what it says in band" }).waitFor();
  await page.locator(".signals .missing", { hasText: "No title at /nowhere." }).waitFor();
  await page.locator(".signals", { hasText: "Records that could not be read: 2" }).waitFor();

  // The agent goes on: nothing has to be asked for.
  scene.tell([
    { ...record, agent: { ...record.agent!, state: "thinking", bucket: "working", awaiting: null } },
  ]);
  await page.locator(".state-line", { hasText: "Thinking" }).waitFor();
  await dockRow(page, "shell").click();
  await page.locator(".state-line", { hasText: "Shell" }).waitFor();
  expect(await page.locator(".fact dt", { hasText: "Model" }).count()).toBe(0);
  expect(faults).toEqual([]);
});

const RECEIPT = { cursor: "c", elapsedMs: 1, textBytes: 1, agent: null };

test("each receipt is told in words, and what was not taken stays in the box", async () => {
  const outcomes = [
    { ...RECEIPT, outcome: "staged" as const, draft: "x" },
    { ...RECEIPT, outcome: "blocked" as const, submitted: false, awaiting: { kind: "plan", message: null } },
    { ...RECEIPT, outcome: "timeout" as const, submitted: true },
    { ...RECEIPT, outcome: "accepted" as const, evidence: "state" as const },
  ];
  await using scene = await startScene([withAgent(1, "one", {})], {
    answers: {
      "terminal.explain": () => EXPLANATION,
      "terminal.prompt": ({ id }) => ({ id, ...outcomes.shift()! }),
    },
  });
  await using visitor = await visitScene(scene);
  const { page, faults } = visitor;
  await dockRow(page, "one").click();
  await page.keyboard.press("Control+Shift+\\");
  const box = page.getByRole("textbox", { name: "Text", exact: true });
  await box.fill("Do it.");
  for (const words of ["Staged:", "Blocked: Claude Code asks something first (plan)", "No answer:"]) {
    await box.press("Control+Enter");
    await page.locator('.receipt[data-outcome="attention"]', { hasText: words }).waitFor();
    expect(await box.inputValue()).toBe("Do it.");
  }
  await page.getByRole("button", { name: /^Send / }).click();
  await page.locator('.receipt[data-outcome="done"]', { hasText: "Accepted: Claude Code has it" }).waitFor();
  expect(await box.inputValue()).toBe("");
  expect(faults).toEqual([]);
});

/** A repository in which nothing is. */
const NO_FILES: Partial<Handlers<PadiContract>> = {
  "fs.list": () => ({ paths: [], truncated: false }),
  "git.status": () => ({
    mode: "local",
    files: [],
    branch: { name: "main", upstream: null, ahead: 0, behind: 0 },
    workingTree: { staged: 0, modified: 0, untracked: 0 },
  }),
  async *"project.watch"() {
    yield { revision: 0 };
  },
};

test("what is written to an agent that asks is its answer", async () => {
  await using scene = await startScene([withAgent(1, "one", { state: "awaiting", bucket: "awaiting" })], {
    answers: {
      "terminal.explain": () => EXPLANATION,
      "terminal.answer": ({ id }) => ({ id, outcome: "answered", entered: true }),
      "terminal.prompt": ({ id }) => {
        throw refuse("agent-awaiting", { id, awaiting: null }, "It asks something.");
      },
      ...NO_FILES,
    },
  });
  await using visitor = await visitScene(scene);
  const { page, faults } = visitor;
  await dockRow(page, "one").click();
  await page.keyboard.press("Control+Shift+\\");
  await page.getByRole("textbox", { name: "Text", exact: true }).fill("2");
  await page.getByRole("button", { name: /^Answer / }).click();
  await page.locator('.receipt[data-outcome="done"]', { hasText: "Answered." }).waitFor();
  const made = (name: string) => scene.calls.filter(({ method }) => method === name);
  expect(made("terminal.prompt")).toEqual([]);
  // Comments on code are a prompt and never an answer: padi refuses them while something is asked.
  const comment = { id: "1", path: "a.ts", side: "new", from: 1, to: 1, quote: "a", text: "Why?" };
  await page.evaluate(
    (kept) => localStorage.setItem("kolu.comments", kept),
    JSON.stringify({ "/home/me/app": [comment] }),
  );
  await page.reload();
  await page.getByRole("tab", { name: "Code" }).click();
  await page.getByRole("button", { name: "Send 1 comment" }).click();
  await page.locator('.receipt[data-outcome="attention"]', { hasText: "Not sent." }).waitFor();
  expect([made("terminal.answer").length, made("terminal.prompt").length]).toEqual([1, 1]);
  expect(faults).toEqual([]);
});

test("a prompt is inserted without being sent, or sent and accepted; a draft is kept for its terminal", async () => {
  const { id, log } = await startComposer(kolu, "composed");
  await kolu.ok(["create", "--toplevel", "--intent", "other"]);
  await using visitor = await visitKolu("composed");
  const { page, faults } = visitor;
  const box = page.getByRole("textbox", { name: "Text", exact: true });
  const screen = (): Promise<string> => kolu.ok(["snapshot", id]);
  await page.locator(".why-source", { hasText: "Its status file says so" }).waitFor();
  await box.fill("for the other one");
  await dockRow(page, "other").click();
  await expect.poll(() => box.inputValue(), POLL).toBe("");
  await dockRow(page, "composed").click();
  await expect.poll(() => box.inputValue(), POLL).toBe("for the other one");
  await page.reload();
  await expect.poll(() => box.inputValue(), POLL).toBe("for the other one");

  await box.fill("look first");
  await page.getByRole("button", { name: "Insert" }).click();
  await page.locator(".receipt", { hasText: "not submitted" }).waitFor();
  await expect.poll(screen, POLL).toContain("look first");
  expect(await takenPrompts(log)).toEqual([]);
  // Now a draft stands there: a prompt is not merged with it.
  await box.fill("second");
  await page.getByRole("button", { name: /^Send / }).click();
  await page.locator('.receipt[data-outcome="attention"]', { hasText: "Not sent." }).waitFor();
  await kolu.ok(["send", id, "--key", "C-u"]);
  await expect.poll(screen, POLL).not.toContain("look first");
  await box.press("Control+Enter");
  await page.locator('.receipt[data-outcome="done"]', { hasText: "Accepted" }).waitFor();
  expect(await takenPrompts(log)).toEqual(["second"]);
  expect(faults).toEqual([]);
});

test("a shell gets the text and Enter; Escape gives the keyboard back to it", async () => {
  await kolu.ok(["create", "--toplevel", "--intent", "typed"]);
  await using visitor = await visitKolu("typed");
  const { page, faults } = visitor;
  const box = page.getByRole("textbox", { name: "Text", exact: true });
  await box.fill("echo $((6 * 7))-ran");
  await box.press("Control+Enter");
  await page.locator(".receipt", { hasText: "Typed, and Enter pressed." }).waitFor();
  await page.locator(".tile[data-active] .xterm-rows", { hasText: "42-ran" }).waitFor();
  await box.focus();
  await page.keyboard.press("Escape");
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.className), POLL)
    .toContain("xterm-helper");
  await panel(page).waitFor();
  // The tabs are one stop for the keyboard.
  await page.getByRole("tab", { name: "Inspector" }).focus();
  await page.keyboard.press("ArrowRight");
  expect(await page.getByRole("tab", { name: "Code" }).getAttribute("aria-selected")).toBe("true");
  expect(faults).toEqual([]);
});

test("the commands that reach a terminal are copied, and they reach it", async () => {
  await kolu.ok(["create", "--toplevel", "--intent", "reached"]);
  await using visitor = await visitKolu("reached");
  const { page, context, faults } = visitor;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const row = page.locator(".reach li", { hasText: "See its last lines" });
  await row.getByRole("button").click();
  await row.getByRole("button", { name: "Copied" }).waitFor();
  const line = await page.evaluate(() => navigator.clipboard.readText());
  expect(line).toMatch(/^kolu snapshot [0-9a-f]{8} --tail 40$/);
  await kolu.ok(line.split(" ").slice(1));
  expect(faults).toEqual([]);
});

test("the conversation is read in the panel, and goes out as a file", async () => {
  const id = await startCapturedAgent(kolu);
  await using visitor = await visit();
  const { page, faults } = visitor;
  await page.evaluate((active) => localStorage.setItem("kolu.ui", JSON.stringify({ activeId: active })), id);
  await page.reload();
  await page.keyboard.press("Control+Shift+\\");
  await fact(page, "Session").filter({ hasText: CAPTURED_SESSION }).waitFor();
  await page.getByRole("button", { name: "Read it here" }).click();
  const text = page.locator(".transcript-text");
  await text.locator("section.prompt").first().waitFor();
  await text.locator("details").first().locator("summary").click();
  await text.locator(".fold-body").first().waitFor({ state: "visible" });
  expect(await text.locator("script").count()).toBe(0);
  await page.getByRole("button", { name: "Back to the inspector" }).click();
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export the chat" }).click();
  expect((await downloading).suggestedFilename()).toMatch(/-chat\.html$/);
  expect(faults).toEqual([]);
});

test("on a phone it fills the page and leaves the way back", async () => {
  await using scene = await startScene([withAgent(1, "one", {})], {
    answers: { "terminal.explain": () => EXPLANATION },
  });
  await using visitor = await browser.newVisitor({ width: 390, height: 844, touch: true });
  const { page, faults } = visitor;
  await openKolu(page, await scene.newLink());
  await dockRow(page, "one").click();
  await page.getByRole("button", { name: "Details of this terminal" }).click();
  await panel(page).waitFor();
  expect((await panel(page).boundingBox())!.width).toBe(390);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.getByRole("button", { name: "Close the panel" }).click();
  await expect.poll(() => panel(page).count(), POLL).toBe(0);
  expect(faults).toEqual([]);
});
