// The settings: what is picked holds at once and on every page, by real daemons; and what a person is told of, over a
// workspace that is made up.
import type { Preferences } from "@kolu/contract/preferences.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import type { Page } from "playwright-core";
import { afterEach, beforeAll, expect, test } from "vitest";
import { ACTION_TABLE } from "../packages/client/keys/action-table.ts";
import { agentForTest, gitForTest, recordForTest } from "../packages/client/store/record-for-test.ts";
import { openKolu, tile, type Visitor } from "./browser.ts";
import { type Scene, startScene } from "./scene.ts";
import { browser, kolu, POLL, shareKolu, visit } from "./shared-kolu.ts";

const PALETTE = ACTION_TABLE["page.palette"].title;

let first: Preferences;

shareKolu();
beforeAll(async () => {
  first = await preferences();
});
afterEach(async () => {
  await using link = await kolu.padi();
  await link.client.call("preferences.set", first);
});

async function preferences(): Promise<Preferences> {
  await using link = await kolu.padi();
  for await (const preferred of link.client.subscribe("preferences.watch", {})) return preferred;
  throw new Error("padi says no preferences");
}

async function openSettings(page: Page, part = "Appearance"): Promise<void> {
  await page.keyboard.press("Control+Shift+Comma");
  await page.getByRole("tab", { name: part }).click();
}

test("what is picked holds at once, is kept by padi, and is there on another page", async () => {
  await using visitor = await visit();
  await using other = await visit();
  const { page } = visitor;
  await openSettings(page);
  await page.getByText("Light", { exact: true }).click();
  await page.getByRole("button", { name: "Larger text" }).click();
  await page.getByText("Restore by itself").click();
  await page.getByText("One", { exact: true }).click();
  await page.getByLabel("The theme of new terminals").selectOption("Dracula");
  await expect.poll(preferences, POLL).toMatchObject({
    scheme: "light",
    fontPx: first.fontPx + 1,
    restore: "auto",
    newTheme: { kind: "fixed", themeName: "Dracula" },
  });
  await expect.poll(() => other.page.locator(":root").getAttribute("data-scheme"), POLL).toBe("light");
  await openSettings(other.page);
  await expect
    .poll(() => other.page.getByLabel("The theme of new terminals").inputValue(), POLL)
    .toBe("Dracula");
  // Escape leaves; the chord and the button lead here again.
  await page.keyboard.press("Escape");
  await page.locator(".settings").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Settings" }).click();
  await page.locator(".settings").waitFor();
  expect(visitor.faults).toEqual([]);
});

test("the parts are reached by arrow keys", async () => {
  await using visitor = await visit();
  const { page } = visitor;
  await openSettings(page);
  await page.keyboard.press("ArrowRight");
  await page.getByRole("tabpanel", { name: "Notifications" }).waitFor();
  await page.keyboard.press("ArrowLeft");
  await page.getByRole("tabpanel", { name: "Appearance" }).waitFor();
});

const chordOf = (page: Page, title: string) =>
  page.locator(".bindings li", { hasText: title }).locator(".chord");

test("a chord of one's own is what the page answers to, and all that show chords show it", async () => {
  await using visitor = await visit();
  const { page } = visitor;
  await openSettings(page, "Keys");
  await chordOf(page, PALETTE).click();
  await page.keyboard.press("Control+Shift+KeyJ");
  await expect.poll(() => chordOf(page, PALETTE).textContent(), POLL).toMatch(/J$/);
  await expect
    .poll(async () => (await preferences()).keys.other, POLL)
    .toEqual({
      "page.palette": "Ctrl+Shift+J",
    });
  await page.keyboard.press("Escape");
  await page.locator(".settings").waitFor({ state: "detached" });
  await page.keyboard.press("Control+Shift+KeyK");
  await page.keyboard.press("Control+Shift+KeyJ");
  await page.locator(".palette").waitFor();
  expect(await page.locator(".chrome-search .caps").textContent()).toMatch(/J$/);
  await page.keyboard.press("Control+Shift+KeyJ");
  await page.locator(".palette").waitFor({ state: "detached" });
  await page.keyboard.press("Control+Shift+Slash");
  await page.locator(".keys li", { hasText: PALETTE }).getByText("J", { exact: true }).waitFor();
});

test("what a program needs is refused with a reason, and what another action has is said and can be taken", async () => {
  await using visitor = await visit();
  const { page } = visitor;
  await openSettings(page, "Keys");
  await chordOf(page, "Fit everything").click();
  for (const [press, reason] of [
    ["Control+KeyR", "searches the history"],
    ["Control+KeyC", "interrupts the program"],
    ["Control+Shift+KeyC", "copies and pastes"],
    ["Control+Shift+KeyT", "Browsers keep it"],
  ] as const) {
    await page.keyboard.press(press);
    await page.getByRole("alert").getByText(reason).waitFor();
  }
  // The chord of another action neither acts nor is given away unasked.
  await page.keyboard.press("Control+Shift+KeyK");
  await page.getByRole("alert").getByText(PALETTE).waitFor();
  expect(await page.locator(".palette").count()).toBe(0);
  expect((await preferences()).keys.other).toEqual({});
  await page.getByRole("button", { name: "Take it from there" }).click();
  await expect
    .poll(async () => (await preferences()).keys.other, POLL)
    .toEqual({
      "canvas.fit": "Ctrl+Shift+K",
      "page.palette": null,
    });
  await expect.poll(() => chordOf(page, PALETTE).textContent(), POLL).toBe("none");
  // To reset one that was given away takes it back from the other.
  await page.getByRole("button", { name: `Reset: ${PALETTE}` }).click();
  await expect.poll(async () => (await preferences()).keys.other, POLL).toEqual({});
  await chordOf(page, "Fit everything").click();
  await page.keyboard.press("Backspace");
  await expect.poll(() => chordOf(page, "Fit everything").textContent(), POLL).toBe("none");
  await page.getByRole("button", { name: "Reset all" }).click();
  await expect.poll(async () => (await preferences()).keys.other, POLL).toEqual({});
});

test("a chord is taken while a terminal has the keyboard, and the program does not hear it", async () => {
  await using link = await kolu.padi();
  await link.client.call("preferences.set", { keys: { mac: {}, other: { "page.palette": "Ctrl+Shift+L" } } });
  const { id } = await link.client.call("terminal.create", { placement: { kind: "toplevel" } });
  await using visitor = await visit();
  const { page } = visitor;
  await tile(page, id).locator(".tile-screen[aria-busy=false]").click();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.className ?? ""), POLL)
    .toContain("xterm-helper");
  await page.keyboard.press("Control+Shift+KeyL");
  await page.locator(".palette").waitFor();
});

/** What the page has notified of, and how many tones it has made. The browser of a test has no person to ask. */
async function overhear(visitor: Visitor): Promise<void> {
  await visitor.context.addInitScript(() => {
    const heard = {
      notices: [] as { words: string; body: string | null; click(): void }[],
      tones: 0,
      asked: 0,
    };
    Object.assign(window, { heard });
    class Heard extends EventTarget {
      static permission = "granted";
      static async requestPermission() {
        heard.asked += 1;
        return "granted";
      }
      onclick: (() => void) | null = null;
      constructor(words: string, { body }: { body?: string } = {}) {
        super();
        heard.notices.push({ words, body: body ?? null, click: () => this.onclick?.() });
      }
      close() {}
    }
    Object.assign(window, { Notification: Heard });
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) {
      heard.tones += 1;
      return start.apply(this, when);
    };
  });
}

interface Heard {
  notices: { words: string; body: string | null; click(): void }[];
  tones: number;
  asked: number;
}
const noticesOf = (page: Page) =>
  page.evaluate(() => (window as never as { heard: Heard }).heard.notices.map(({ words }) => words));
const tonesOf = (page: Page) => page.evaluate(() => (window as never as { heard: Heard }).heard.tones);
const iconOf = async (page: Page) =>
  decodeURIComponent((await page.locator('link[rel="icon"]').getAttribute("href")) ?? "");

function worker(n: number, intent: string, changed: Partial<TerminalRecord> = {}): TerminalRecord {
  const layout = { x: n * 816, y: 0, w: 792, h: 528 };
  const agent = agentForTest({ state: "thinking" });
  return recordForTest(n, { intent, git: gitForTest("app"), layout, agent, ...changed });
}
const asks = (record: TerminalRecord, unread = 1): TerminalRecord => ({
  ...record,
  unread,
  agent: agentForTest({ state: "awaiting", bucket: "awaiting" }),
});
const ends = (record: TerminalRecord, error: string | null, unread = 1): TerminalRecord => ({
  ...record,
  unread,
  agent: agentForTest({ state: "waiting", bucket: "waiting", error }),
});

const [one, two, three] = [worker(1, "one"), worker(2, "two"), worker(3, "three")];

async function visitScene(scene: Scene): Promise<Visitor> {
  const visitor = await browser.newVisitor();
  await overhear(visitor);
  await openKolu(visitor.page, await scene.newLink());
  return visitor;
}

test("each kind is told once an episode, a click goes to the terminal, and what was so before is not told", async () => {
  await using scene = await startScene([one, two, asks(three)]);
  await using visitor = await visitScene(scene);
  const { page } = visitor;
  await page.locator(".dock-row").nth(2).waitFor();
  scene.tell([asks(one)]);
  scene.tell([{ ...asks(one), busy: true }]);
  scene.tell([ends(two, "quota")]);
  await expect.poll(() => noticesOf(page), POLL).toEqual(["one needs you", "two stopped with an error"]);
  // Nothing is asked of the browser unasked, nothing has moved.
  expect(await page.evaluate(() => (window as never as { heard: Heard }).heard.asked)).toBe(0);
  expect(await page.locator(".tile[data-active]").count()).toBe(0);
  await page.evaluate(() => (window as never as { heard: Heard }).heard.notices[1]!.click());
  await expect
    .poll(() => page.locator(".tile[data-active]").getAttribute("data-terminal"), POLL)
    .toBe(two.id);
  // padi comes back with the same unread: no news.
  await scene.dropPadi();
  scene.returnPadi();
  await expect.poll(() => page.locator("[data-link=live]").count(), { ...POLL, timeout: 40_000 }).toBe(1);
  scene.tell([ends(one, null, 2)]);
  await expect
    .poll(() => noticesOf(page), POLL)
    .toEqual(["one needs you", "two stopped with an error", "one finished"]);
});

test("what somebody looks at elsewhere within the moment is not told", async () => {
  await using scene = await startScene([one, two]);
  await using visitor = await visitScene(scene);
  await visitor.page.locator(".dock-row").nth(1).waitFor();
  scene.tell([asks(one)]);
  scene.tell([{ ...asks(one), unread: 0 }]);
  scene.tell([asks(two)]);
  await expect.poll(() => noticesOf(visitor.page), POLL).toEqual(["two needs you"]);
});

test("of two tabs one speaks", async () => {
  await using scene = await startScene([one]);
  await using visitor = await visitScene(scene);
  const second = await visitor.context.newPage();
  await second.goto(scene.url);
  await second.locator(".dock-row").first().waitFor();
  scene.tell([asks(one)]);
  const all = async (): Promise<string[]> => [
    ...(await noticesOf(visitor.page)),
    ...(await noticesOf(second)),
  ];
  await expect.poll(all, POLL).toEqual(["one needs you"]);
});

test("by kind: sound, notification and badge go by what is ticked, and none but the badge in quiet hours", async () => {
  await using scene = await startScene([one, two]);
  await using visitor = await visitScene(scene);
  const { page } = visitor;
  await openSettings(page, "Notifications");
  await page.getByRole("checkbox", { name: "An agent needs you: Notification" }).uncheck();
  await page.getByRole("checkbox", { name: "An agent needs you: Sound" }).check();
  await page.getByRole("checkbox", { name: "An agent has finished: Badge" }).uncheck();
  // A sound is played as it is chosen.
  await expect.poll(() => tonesOf(page), POLL).toBe(2);
  await page.keyboard.press("Escape");
  scene.tell([asks(one)]);
  await expect.poll(() => tonesOf(page), POLL).toBe(4);
  await expect.poll(() => page.title(), POLL).toBe("(1) kolu: needs you");
  expect(await iconOf(page)).toMatch(/<path.*>1<\/text>/);
  scene.tell([ends(two, null), { ...asks(one), unread: 0, agent: agentForTest({ state: "thinking" }) }]);
  await expect.poll(() => noticesOf(page), POLL).toEqual(["two finished"]);
  await expect.poll(() => page.title(), POLL).toBe("kolu");
  expect(await iconOf(page)).toBe("/icon.svg");
  await openSettings(page, "Notifications");
  await page.getByRole("checkbox", { name: "None" }).check();
  await page.getByLabel("Quiet from").fill("00:00");
  await page.getByLabel("Quiet until").fill("23:59");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  scene.tell([asks(one, 2)]);
  await expect.poll(() => page.title(), POLL).toBe("(1) kolu: needs you");
  // The next one that may be heard comes after the one that may not.
  await openSettings(page, "Notifications");
  await page.getByRole("checkbox", { name: "From" }).uncheck();
  scene.tell([ends(two, "quota", 2)]);
  await expect.poll(() => noticesOf(page), POLL).toEqual(["two finished", "two stopped with an error"]);
  expect(await tonesOf(page)).toBe(4);
});

test("a program that rings or notifies is told of when a person wants that", async () => {
  const shell = recordForTest(4, { intent: "build", layout: { x: 0, y: 0, w: 792, h: 528 } });
  await using scene = await startScene([shell, one]);
  await using visitor = await visitScene(scene);
  const { page } = visitor;
  await openSettings(page, "Notifications");
  await page.getByRole("checkbox", { name: "A program rings or notifies: Notification" }).check();
  await page.keyboard.press("Escape");
  scene.ring({ id: one.id, atMs: Date.now(), what: { kind: "bell" } });
  scene.ring({
    id: shell.id,
    atMs: Date.now(),
    what: { kind: "notification", title: "Tests", body: "green" },
  });
  await expect.poll(() => noticesOf(page), POLL).toEqual(["build: Tests"]);
});

test("the browser's own question comes at a click", async () => {
  await using scene = await startScene([one]);
  await using visitor = await browser.newVisitor();
  await overhear(visitor);
  await visitor.context.addInitScript(() => Object.assign(Notification, { permission: "default" }));
  const { page } = visitor;
  await openKolu(page, await scene.newLink());
  await openSettings(page, "Notifications");
  const asked = () => page.evaluate(() => (window as never as { heard: Heard }).heard.asked);
  expect(await asked()).toBe(0);
  await page.getByRole("button", { name: "Allow notifications" }).click();
  await expect.poll(asked, POLL).toBe(1);
});
