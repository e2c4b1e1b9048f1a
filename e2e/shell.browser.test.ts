// What a person sees of the page's shell, over made-up workspaces: dock, marks, attention, banner, restore, keys, phone.
import type { AgentReading } from "@kolu/contract/agent.ts";
import type { RestoreRow } from "@kolu/contract/sessions.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  agentForTest,
  gitForTest,
  idForTest,
  recordForTest,
} from "../packages/client/store/record-for-test.ts";
import {
  dockNames,
  dockRow,
  isConnected,
  markOf,
  openKolu,
  startBrowser,
  type TestBrowser,
  tile,
} from "./browser.ts";
import { startScene } from "./scene.ts";

/** On a busy machine the page takes its time. */
const SOON = { timeout: 20_000 };

let browser: TestBrowser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser[Symbol.asyncDispose]());

const layoutOf = (n: number): TerminalRecord["layout"] => ({
  x: (n % 3) * 816,
  y: Math.floor(n / 3) * 552,
  w: 792,
  h: 528,
});

function terminal(n: number, intent: string, changed: Partial<TerminalRecord> = {}): TerminalRecord {
  return recordForTest(n, { intent, git: gitForTest("app"), layout: layoutOf(n), ...changed });
}
function agent(
  n: number,
  intent: string,
  reading: Partial<AgentReading>,
  changed: Partial<TerminalRecord> = {},
): TerminalRecord {
  return terminal(n, intent, { agent: agentForTest({ sinceMs: Date.now(), ...reading }), ...changed });
}

test("a link opens the page, leaves no token behind, and the page keeps to its own policy", async () => {
  await using scene = await startScene([terminal(1, "one")]);
  await using visitor = await browser.newVisitor();
  const { page, faults } = visitor;
  await openKolu(page, await scene.newLink());
  expect(page.url()).toBe(`${scene.url}/`);
  expect(await dockNames(page)).toEqual(["one"]);
  const [cookie] = await visitor.context.cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict" });
  expect(faults).toEqual([]);
});

test("a browser without a session sees the door, not the page", async () => {
  await using scene = await startScene([]);
  await using visitor = await browser.newVisitor();
  const { page } = visitor;
  const answer = await page.goto(scene.url);
  expect(answer!.status()).toBe(401);
  expect(await page.locator("code").textContent()).toBe("kolu open --link");
});

test("the dock's order is structural: nothing moves when agents work, ask and finish", async () => {
  const first = [
    agent(1, "api", { state: "thinking" }),
    agent(2, "web", { state: "thinking" }),
    terminal(3, "notes"),
  ];
  await using scene = await startScene(first);
  await using visitor = await browser.newVisitor();
  const { page } = visitor;
  await openKolu(page, await scene.newLink());
  expect(await dockNames(page)).toEqual(["api", "web", "notes"]);
  scene.tell([
    agent(3, "notes", { state: "awaiting" }, { lastActivityAtMs: Date.now() }),
    agent(2, "web", { state: "waiting" }, { unread: 1 }),
  ]);
  await dockRow(page, "notes").locator('[data-mark="awaiting"]').waitFor();
  await page.getByRole("status").filter({ hasText: "web finished" }).waitFor();
  expect(await dockNames(page)).toEqual(["api", "web", "notes"]);
});

const MARKS: [intent: string, mark: string, label: string, record: Partial<TerminalRecord>][] = [
  ["thinks", "thinking", "Thinking", { agent: agentForTest({ state: "thinking" }) }],
  ["works", "tool_use", "Running tools", { agent: agentForTest({ state: "tool_use" }) }],
  ["behind", "background", "In background", { agent: agentForTest({ state: "background" }) }],
  [
    "asks",
    "awaiting",
    "Needs you, Run it?, not seen",
    {
      unread: 1,
      agent: agentForTest({ state: "awaiting", awaiting: { kind: "permission", message: "Run it?" } }),
    },
  ],
  ["done", "waiting", "Finished, not seen", { unread: 1, agent: agentForTest({}) }],
  ["fresh", "waiting", "Ready", { agent: agentForTest({ prompted: false }) }],
  ["failed", "error", "Stopped with an error, rate limit", { agent: agentForTest({ error: "rate limit" }) }],
  [
    "riddle",
    "unknown",
    "Unknown, no session file",
    { agent: agentForTest({ state: "unknown", unknownReason: "no session file" }) },
  ],
  ["asleep", "sleeping", "Asleep", { life: "sleeping" }],
  ["parked", "parked", "Waiting for restore", { life: "parked" }],
  ["ended", "exited", "Ended with status 2", { life: "exited", exit: { code: 2, signal: 0 } }],
  ["plain", "shell", "Shell", {}],
];

test("every state has its silhouette and its words, and stillness loses nothing", async () => {
  await using scene = await startScene(
    MARKS.map(([intent, , , record], n) => terminal(n + 1, intent, record)),
  );
  await using visitor = await browser.newVisitor({ reducedMotion: true });
  const { page, faults } = visitor;
  await openKolu(page, await scene.newLink());
  for (const [intent, mark, label] of MARKS) {
    const drawn = markOf(dockRow(page, intent));
    expect([intent, await drawn.getAttribute("data-mark")]).toEqual([intent, mark]);
    expect([intent, await drawn.locator("svg").getAttribute("aria-label")]).toEqual([intent, label]);
  }
  const moving = await page.evaluate(
    () => document.getAnimations().filter((animation) => animation.playState === "running").length,
  );
  expect(moving).toBe(0);
  expect(await dockRow(page, "asks").getAttribute("data-attention")).toBe("needs-you");
  expect(await dockRow(page, "done").getAttribute("data-attention")).toBe("not-seen");
  expect(await page.title()).toBe("(1) kolu: needs you");
  expect(faults).toEqual([]);
});

test("a click goes to the terminal, and looking at it takes the badge away on every page", async () => {
  await using scene = await startScene([
    terminal(1, "one"),
    agent(2, "two", { state: "waiting" }, { unread: 3 }),
  ]);
  await using here = await browser.newVisitor();
  await using there = await browser.newVisitor();
  await openKolu(here.page, await scene.newLink());
  await openKolu(there.page, await scene.newLink());
  await dockRow(there.page, "two").locator("[data-unread]").waitFor();
  await dockRow(here.page, "two").click();
  expect(await dockRow(here.page, "two").getAttribute("aria-current")).toBe("true");
  await dockRow(there.page, "two").locator(".mark:not([data-unread])").waitFor();
  expect(scene.calls.filter(({ method }) => method === "terminal.markSeen")).toHaveLength(1);
  expect(await there.page.title()).toBe("kolu");
});

test("what a program writes into a title or a question is text, never markup", async () => {
  const evil = '<img src=x onerror="window.pwned=true">';
  const asking = agent(1, evil, {
    state: "awaiting",
    title: evil,
    awaiting: { kind: "question", message: evil },
  });
  await using scene = await startScene([{ ...asking, title: evil }], { screens: () => evil });
  await using visitor = await browser.newVisitor();
  const { page, faults } = visitor;
  await openKolu(page, await scene.newLink());
  await page.locator(".waiter-lines", { hasText: evil }).waitFor();
  await page.keyboard.press("Control+Shift+K");
  await page.locator("[cmdk-item]", { hasText: evil }).waitFor();
  expect(await page.locator("img").count()).toBe(0);
  expect(await page.evaluate(() => "pwned" in window)).toBe(false);
  expect(faults).toEqual([]);
});

test("thirty terminals in one directory can be told apart", async () => {
  const many = Array.from({ length: 30 }, () =>
    recordForTest(1, { id: crypto.randomUUID() as TerminalRecord["id"], layout: layoutOf(0) }),
  );
  await using scene = await startScene(many);
  await using visitor = await browser.newVisitor();
  const { page } = visitor;
  await openKolu(page, await scene.newLink());
  const rows = await page.locator(".dock-row-text").allInnerTexts();
  expect(new Set(rows).size).toBe(30);
});

test("the dock never covers the canvas, whatever its width", async () => {
  await using scene = await startScene([terminal(1, "one")]);
  await using visitor = await browser.newVisitor();
  const { page } = visitor;
  await openKolu(page, await scene.newLink());
  const apart = async (): Promise<number> => {
    const dock = (await page.locator(".dock").boundingBox())!;
    const canvas = (await page.locator(".canvas-slot").boundingBox())!;
    return Math.round(canvas.x - (dock.x + dock.width));
  };
  expect(await apart()).toBe(0);
  await page.getByRole("separator").focus();
  for (let n = 0; n < 20; n++) await page.keyboard.press("ArrowRight");
  expect(await apart()).toBe(0);
  await page.keyboard.press("Control+Shift+B");
  await page.locator(".dock-rail").waitFor();
  expect(await apart()).toBe(0);
  await page.reload();
  await page.locator(".dock-rail").waitFor();
});

test("a lost connection is said, the screens stay, and the page comes back by itself", async () => {
  await using scene = await startScene([terminal(1, "one")], { screens: () => "precious words" });
  await using visitor = await browser.newVisitor();
  const { page } = visitor;
  await openKolu(page, await scene.newLink());
  await dockRow(page, "one").click();
  await page.locator(".tile", { hasText: "precious words" }).waitFor();
  await scene.dropWeb();
  await page.locator('.banner[data-kind="lost"]', { hasText: "Connection lost, reconnecting" }).waitFor();
  expect(await page.locator(".tile").textContent()).toContain("precious words");
  expect(await dockNames(page)).toEqual(["one"]);
  await scene.returnWeb();
  scene.tell([terminal(1, "one"), terminal(2, "two")]);
  await page.locator(".banner").waitFor({ state: "detached" });
  await dockRow(page, "two").waitFor();
});

test("padi going away is told apart from the server going away, and heals", async () => {
  await using scene = await startScene([terminal(1, "one")]);
  await using visitor = await browser.newVisitor();
  const { page } = visitor;
  await openKolu(page, await scene.newLink());
  await scene.dropPadi();
  await page.locator(".banner", { hasText: "workspace daemon is being restarted" }).waitFor();
  scene.returnPadi();
  await page.locator(".banner").waitFor({ state: "detached" });
  await isConnected(page);
});

test("what is wrong with kaval is said with the versions and a way on", async () => {
  await using scene = await startScene([terminal(1, "one")]);
  await using visitor = await browser.newVisitor();
  const { page } = visitor;
  await openKolu(page, await scene.newLink());
  scene.tellStatus({ state: "incompatible", daemonVersion: "2.0", requiredVersion: "1.0" });
  const banner = page.locator('.banner[data-kind="daemon"]');
  await banner.waitFor();
  expect(await banner.textContent()).toMatch(/2\.0.*1\.0/s);
  await banner.locator("code", { hasText: "kolu stop --all" }).waitFor();
  expect(await banner.getByRole("button").allInnerTexts()).toEqual(["Copy command"]);
  scene.tellStatus({ state: "down", error: "It was killed.", sinceMs: Date.now() - 60_000 });
  await page.locator(".banner", { hasText: "The terminal daemon is down" }).waitFor();
  await banner.locator("code", { hasText: "kolu doctor" }).waitFor();
  scene.tellStatus({ state: "connecting" });
  await page.locator(".banner", { hasText: "Starting the terminal daemon" }).waitFor();
  expect(await banner.getByRole("button").count()).toBe(1);
});

test("a page from before an update says so, and offers the one thing that helps", async () => {
  await using scene = await startScene([terminal(1, "one")]);
  await using visitor = await browser.newVisitor();
  const { page } = visitor;
  await openKolu(page, await scene.newLink());
  scene.tellBuild("a-newer-build");
  const banner = page.locator('.banner[data-kind="update"]');
  await banner.getByText("kolu has been updated.").waitFor();
  await banner.getByRole("button", { name: "Reload" }).click();
  await isConnected(page);
  await dockRow(page, "one").waitFor();
  expect(await banner.count()).toBe(0);
});

test("a restore under way is seen by every page, can be called off, and says what went wrong", async () => {
  const parked = [1, 2, 3].map((n) => terminal(n, `was-${n}`, { life: "parked" }));
  await using scene = await startScene(parked);
  await using visitor = await browser.newVisitor();
  const { page } = visitor;
  await openKolu(page, await scene.newLink());
  const row = (n: number, step: RestoreRow["step"], reason: string | null = null): RestoreRow => ({
    id: idForTest(n),
    step,
    reason,
    mend: reason === null ? null : "npm install -g @openai/codex",
  });
  scene.tellRestoring({ rows: [row(1, "done"), row(2, "agent"), row(3, "queued")] });
  const card = page.getByRole("region", { name: "Restore" });
  await card.getByText("Bringing back 2 of 3…").waitFor();
  expect(await card.locator("progress").getAttribute("value")).toBe("1");
  await card.getByRole("listitem").filter({ hasText: "was-2" }).getByText("its agent starts").waitFor();
  await card.getByRole("button", { name: "Cancel the rest" }).click();
  await expect.poll(() => scene.calls.some(({ method }) => method === "restore.cancel"), SOON).toBe(true);
  scene.tellRestoring({ rows: [row(1, "done"), row(2, "failed", "Its agent is not installed here.")] });
  await card.getByText("Its agent is not installed here.").waitFor();
  await card.getByRole("button", { name: "Copy command" }).waitFor();
  scene.tellRestoring({ rows: [] });
  await card.getByText("3 terminals wait for restore.").waitFor();
});

test("the dock leaves out what sleeps or is old when asked, and never who waits for a person", async () => {
  const longAgo = Date.now() - 3 * 60 * 60 * 1_000;
  const old = { createdAtMs: longAgo, lifeSinceMs: longAgo, lastActivityAtMs: longAgo };
  const now = { lastActivityAtMs: Date.now() };
  await using scene = await startScene([
    terminal(1, "fresh", now),
    terminal(2, "asleep", { ...now, life: "sleeping" }),
    terminal(3, "old", old),
    agent(4, "old asks", { state: "awaiting" }, old),
    agent(5, "old unread", {}, { ...old, unread: 1 }),
    terminal(6, "parent", old),
    terminal(7, "child", { ...now, parentId: idForTest(6) }),
  ]);
  await using visitor = await browser.newVisitor();
  const { page } = visitor;
  await openKolu(page, await scene.newLink());
  await page.getByRole("button", { name: "Hide asleep" }).click();
  await page.getByLabel("Active within").selectOption("Last hour");
  const left = ["fresh", "old asks", "old unread", "parent", "child"];
  await expect.poll(() => dockNames(page), SOON).toEqual(left);
  await page.reload();
  await isConnected(page);
  await expect.poll(() => dockNames(page), SOON).toEqual(left);
  await page.getByRole("button", { name: "Compact" }).click();
  const rowHeight = async (): Promise<number> => (await dockRow(page, "fresh").boundingBox())!.height;
  await expect.poll(rowHeight, SOON).toBeLessThan(34);
  await page.getByRole("button", { name: "2 hidden: show" }).click();
  await expect.poll(async () => (await dockNames(page)).length, SOON).toBe(7);
});

test("a browser that lost its session is told how to get in, and is not sent round in circles", async () => {
  await using scene = await startScene([terminal(1, "one")]);
  await using visitor = await browser.newVisitor();
  const { page } = visitor;
  await openKolu(page, await scene.newLink());
  await visitor.context.clearCookies();
  await scene.dropWeb();
  await scene.returnWeb();
  await page.locator('.banner[data-kind="signed-out"] code', { hasText: "kolu open --link" }).waitFor();
});

test("who needs a person is answered from the dock, and the receipt is said", async () => {
  const asking = agent(2, "deploy", {
    state: "awaiting",
    awaiting: { kind: "permission", message: "May I push?" },
  });
  await using scene = await startScene([terminal(1, "one"), asking], { screens: () => "1. Yes\n2. No" });
  await using visitor = await browser.newVisitor();
  const { page } = visitor;
  await openKolu(page, await scene.newLink());
  const strip = page.locator(".needs-you");
  await strip.getByText("May I push?").waitFor();
  await strip.getByText("2. No").waitFor();
  await strip.getByLabel("Reply", { exact: true }).fill("yes, go on");
  await strip.getByLabel("Reply", { exact: true }).press("Enter");
  const sent = (by: string): unknown[] =>
    scene.calls.filter(({ method }) => method === by).map(({ params }) => params);
  await page.locator(".notice", { hasText: "deploy: answered." }).waitFor();
  expect(sent("terminal.answer")).toEqual([{ id: idForTest(2), text: "yes, go on" }]);
  expect(await strip.getByLabel("Reply", { exact: true }).inputValue()).toBe("");
  await strip.getByLabel("Press Escape").click();
  await expect.poll(() => sent("terminal.sendInput"), SOON).toEqual([{ id: idForTest(2), key: "Escape" }]);
  // The row that one works in has not changed: answering takes no focus away.
  expect(await dockRow(page, "deploy").getAttribute("aria-current")).toBeNull();
});

test("parked terminals come back, all of them, some of them, or not at all", async () => {
  const parked = [1, 2, 3].map((n) => terminal(n, `was-${n}`, { life: "parked" }));
  await using scene = await startScene(parked);
  await using visitor = await browser.newVisitor();
  const { page } = visitor;
  await openKolu(page, await scene.newLink());
  const strip = page.locator(".restore");
  await strip.getByText("3 terminals wait for restore.").waitFor();
  await strip.getByRole("button", { name: "Choose…" }).click();
  await strip.getByLabel("What comes back of was-2").selectOption("Not now");
  await strip.getByLabel("What comes back of was-3").selectOption("Not now");
  await strip.getByRole("button", { name: "Restore 1" }).click();
  await strip.getByText("2 terminals wait for restore.").waitFor();
  expect(scene.records.get(idForTest(1))!.life).toBe("active");
  await strip.getByRole("button", { name: "Start fresh" }).click();
  await strip.getByRole("button", { name: "Keep them" }).click();
  expect(scene.records.size).toBe(3);
  await strip.getByRole("button", { name: "Start fresh" }).click();
  await strip.getByRole("button", { name: "Forget 2" }).click();
  await strip.waitFor({ state: "detached" });
  expect([...scene.records.keys()]).toEqual([idForTest(1)]);
});

test("what is typed after the search's chord is searched for, and Enter goes there", async () => {
  await using scene = await startScene([terminal(1, "api"), terminal(2, "web")]);
  await using visitor = await browser.newVisitor();
  const { page } = visitor;
  await openKolu(page, await scene.newLink());
  await page.keyboard.press("Control+Shift+K");
  const found = page.locator(".palette [cmdk-item]");
  await expect.poll(() => found.count(), SOON).toBeGreaterThan(2);
  await page.keyboard.type("web");
  await expect.poll(() => page.locator(".palette input").inputValue(), SOON).toBe("web");
  await expect.poll(() => found.first().textContent(), SOON).toContain("web");
  await page.keyboard.press("Enter");
  await expect.poll(() => dockRow(page, "web").getAttribute("aria-current"), SOON).not.toBeNull();
});

test("chords of the page open what they say; those of programs are left to them", async () => {
  await using scene = await startScene([
    terminal(1, "one"),
    terminal(2, "two"),
    agent(3, "asks", { state: "awaiting" }),
  ]);
  await using visitor = await browser.newVisitor();
  const { page } = visitor;
  await openKolu(page, await scene.newLink());
  await page.keyboard.press("Control+Shift+Digit2");
  expect(await dockRow(page, "two").getAttribute("aria-current")).toBe("true");
  await page.keyboard.press("Control+Shift+Space");
  expect(await dockRow(page, "asks").getAttribute("aria-current")).toBe("true");
  await page.keyboard.press("Control+K");
  expect(await page.locator("dialog").count()).toBe(0);
  await page.keyboard.press("Control+Shift+K");
  await page.locator(".palette input").fill("one");
  await page.keyboard.press("Enter");
  expect(await dockRow(page, "one").getAttribute("aria-current")).toBe("true");
  await page.keyboard.press("Control+Shift+Slash");
  await page.getByRole("dialog", { name: "Keys" }).getByText("Next terminal that needs you").waitFor();
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
});

test("a scheme that one browser picks is every browser's", async () => {
  await using scene = await startScene([terminal(1, "one")]);
  await using here = await browser.newVisitor({ scheme: "dark" });
  await using there = await browser.newVisitor({ scheme: "dark" });
  await openKolu(here.page, await scene.newLink());
  await openKolu(there.page, await scene.newLink());
  for (let n = 0; n < 2; n++) await here.page.getByLabel(/^Scheme/).click();
  await there.page.locator('html[data-scheme="light"]').waitFor();
  await there.page.reload();
  expect(await there.page.locator("html").getAttribute("data-scheme")).toBe("light");
});

test("with no terminals there is one thing to do", async () => {
  await using scene = await startScene([]);
  await using visitor = await browser.newVisitor();
  const { page } = visitor;
  await openKolu(page, await scene.newLink());
  await page.getByRole("heading", { name: "No terminals yet" }).waitFor();
  // The form has everything filled in; its button is the one that stands out.
  await expect
    .poll(() => page.locator(".empty .big-button").allTextContents(), SOON)
    .toEqual(["Open the shell ↩"]);
});

test("a phone starts with the list, shows one terminal at a time, and goes back", async () => {
  const asking = agent(2, "deploy", { state: "awaiting" });
  await using scene = await startScene([terminal(1, "one"), asking], { screens: () => "the screen of one" });
  await using visitor = await browser.newVisitor({ width: 390, height: 844, touch: true });
  const { page } = visitor;
  await openKolu(page, await scene.newLink());
  expect(await page.locator(".canvas-slot").isVisible()).toBe(false);
  await page.getByLabel("Reply", { exact: true }).fill("yes");
  await page.getByLabel("Reply", { exact: true }).press("Enter");
  await page.locator(".notice", { hasText: "deploy: answered." }).waitFor();
  await dockRow(page, "one").tap();
  await tile(page, idForTest(1)).getByText("the screen of one").waitFor();
  expect(await page.locator(".dock").count()).toBe(0);
  await page.getByRole("toolbar", { name: "Keys" }).waitFor();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await page.locator(".back").tap();
  await dockRow(page, "deploy").waitFor();
});
