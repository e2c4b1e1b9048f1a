// The palette on a whole kolu: what it finds, where it takes a person, and how it is called off.
import { execFileSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { gitForTest, recordForTest } from "../packages/client/store/record-for-test.ts";
import { dockRow, openKolu, tile, type Visitor } from "./browser.ts";
import { CAPTURED_SESSION, startCapturedAgent } from "./captured-agent.ts";
import { startScene } from "./scene.ts";
import { browser, kolu, POLL, shareKolu, visit } from "./shared-kolu.ts";

let deepId: string;
let agentId: string;

shareKolu({ keepTerminals: true });
beforeAll(async () => {
  const root = join(kolu.home, "shop");
  await mkdir(root);
  execFileSync("git", ["init", "-q", "-b", "main"], { cwd: root });
  await using link = await kolu.padi();
  const { client } = link;
  const create = async (intent: string, script: string): Promise<string> => {
    const argv = ["/bin/sh", "-c", `${script}; exec cat`];
    const place = { placement: { kind: "toplevel" as const }, cwd: root };
    return (await client.call("terminal.create", { ...place, argv, intent })).id;
  };
  // Far above what a page fetches at first.
  deepId = await create("builder", "echo the-needle-of-old; seq 1 3000; echo the-needle-of-now");
  await create("other", "echo nothing here");
  await client.call("terminal.wait", {
    id: deepId as never,
    until: { kind: "match", pattern: "needle-of-now" },
    timeoutMs: 20_000,
  });
  agentId = await startCapturedAgent(kolu);
});

async function visitAll(): Promise<Visitor> {
  const visitor = await visit();
  await dockRow(visitor.page, "builder").waitFor();
  return visitor;
}

const chosen = (page: Page) => page.locator(".palette [cmdk-item][aria-selected=true]");
const scope = (page: Page) => page.locator(".scopes [aria-pressed=true]").textContent();

test("a hit far up in the scrollback is gone to by Enter: the terminal, the line, and it is lit", async () => {
  await using visitor = await visitAll();
  const { page, faults } = visitor;
  await page.keyboard.press("Control+Shift+G");
  expect(await scope(page)).toBe("Text");
  await page.keyboard.type("needle-of-old");
  await page.locator(".palette-progress", { hasText: "1 hit in 1 terminal" }).waitFor();
  await expect.poll(() => chosen(page).textContent(), POLL).toContain("the-needle-of-old");
  expect(await page.locator(".palette-hit mark").textContent()).toBe("needle-of-old");
  await page.keyboard.press("Enter");
  await expect.poll(() => dockRow(page, "builder").getAttribute("aria-current"), POLL).toBe("true");
  const rows = tile(page, deepId).locator(".xterm-rows");
  await expect.poll(() => rows.textContent(), POLL).toContain("the-needle-of-old");
  await tile(page, deepId).locator(".lit-line").waitFor({ state: "attached" });
  // The keyboard is the terminal's.
  await page.keyboard.type("typed");
  await page.keyboard.press("Enter");
  await expect.poll(() => rows.textContent(), POLL).toContain("typed");
  expect(faults).toEqual([]);
});

test("hits are grouped by terminal and stand behind what is called that", async () => {
  await using visitor = await visitAll();
  const { page } = visitor;
  await page.keyboard.press("Control+Shift+K");
  await page.keyboard.type("builder");
  await expect.poll(() => chosen(page).textContent(), POLL).toContain("builder");
  await page.locator(".palette input").fill("the-needle");
  await page.locator(".palette-progress", { hasText: "2 hits in 1 terminal" }).waitFor();
  const heading = page.locator("[cmdk-group-heading]", { has: page.locator(".found-in") });
  expect(await heading.count()).toBe(1);
  expect(await heading.textContent()).toContain("builder");
  expect(await page.locator(".palette-hit").allTextContents()).toEqual([
    "the-needle-of-now",
    "the-needle-of-old",
  ]);
});

test("a hit in a conversation shows what was said around it; Escape goes back, Enter to the terminal", async () => {
  await using visitor = await visitAll();
  const { page } = visitor;
  await page.keyboard.press("Control+Shift+G");
  await page.keyboard.type("demo work is finished");
  const hit = page.locator("[cmdk-item]", { hasText: "said: Agent" }).first();
  await hit.waitFor();
  await hit.click();
  const excerpt = page.locator(".excerpt");
  await expect
    .poll(() => excerpt.locator("[data-hit] mark").textContent(), POLL)
    .toBe("demo work is finished");
  expect(await excerpt.locator("article").count()).toBeGreaterThan(1);
  await page.keyboard.press("Escape");
  await excerpt.waitFor({ state: "detached" });
  expect(await page.locator(".palette input").inputValue()).toBe("demo work is finished");
  await page.locator("[cmdk-item]", { hasText: "said: Agent" }).first().click();
  await excerpt.locator("[data-hit]").waitFor();
  await page.keyboard.press("Enter");
  await page.locator("dialog").waitFor({ state: "detached" });
  await page.locator(`.tile[data-active][data-terminal="${agentId}"]`).waitFor();
});

test("Tab goes through what to search, and every kind says what it is for", async () => {
  await using visitor = await visitAll();
  const { page } = visitor;
  await page.keyboard.press("Control+Shift+K");
  const seen: (string | null)[] = [];
  for (let n = 0; n < 7; n++) {
    seen.push(await scope(page));
    await page.keyboard.press("Tab");
  }
  expect(seen).toEqual([
    "Everything",
    "Terminals",
    "Text",
    "Repositories",
    "Recent agents",
    "Commands",
    "Hosts",
  ]);
  expect(await scope(page)).toBe("Everything");
  await page.keyboard.press("Shift+Tab");
  expect(await scope(page)).toBe("Hosts");
  await page.locator("[cmdk-item]", { hasText: "This machine, 3 terminals" }).waitFor();
  await page.keyboard.press("Enter");
  await expect.poll(() => scope(page), POLL).toBe("Terminals");
  await expect.poll(() => page.locator("[cmdk-item]").count(), POLL).toBe(3);
});

test("a repository leads to a new terminal in it, with one more Enter", async () => {
  await using visitor = await visitAll();
  const { page } = visitor;
  await page.keyboard.press("Control+Shift+K");
  await page.locator("[cmdk-item]", { hasText: "New terminal in ~/shop" }).waitFor();
  await page.keyboard.type("shop");
  await expect.poll(() => chosen(page).textContent(), POLL).toContain("New terminal in ~/shop");
  await page.keyboard.press("Enter");
  const sheet = page.getByRole("dialog", { name: "New terminal" });
  await expect.poll(() => sheet.getByRole("combobox", { name: "Where" }).inputValue(), POLL).toMatch(/shop$/);
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "detached" });
});

test("an agent that was closed comes back on its conversation", async () => {
  await using visitor = await visitAll();
  const { page } = visitor;
  await page.locator(".dock-row", { has: page.locator(".brand") }).click();
  await page.locator(`.tile[data-active][data-terminal="${agentId}"]`).waitFor();
  await page.keyboard.press("Control+Shift+X");
  await page.getByRole("alertdialog").getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Reopen" }).click();
  await using link = await kolu.padi();
  const lines = async (): Promise<(string | undefined)[]> =>
    (await link.client.call("terminals.list", {})).terminals.map(({ command }) => command?.line);
  await expect.poll(lines, POLL).toContain(`claude --resume ${CAPTURED_SESSION}`);
});

test("Escape ends a search that runs before it ends the palette", async () => {
  // A padi that never comes to the end.
  let cancelled = false;
  await using scene = await startScene([recordForTest(1, { intent: "one" })], {
    answers: {
      async *"search.steps"({ query }, { signal }) {
        const hit = { id: recordForTest(1).id, where: "screen" as const, line: 1, linesFromEnd: 0 };
        const match = { text: `a ${query}`, matchStart: 2, matchLength: query.length };
        yield { ...STEP, hits: [{ ...hit, ...match }] };
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        cancelled = true;
      },
    },
  });
  await using visitor = await browser.newVisitor();
  const { page } = visitor;
  await openKolu(page, await scene.newLink());
  await page.keyboard.press("Control+Shift+K");
  await page.keyboard.type("zebra");
  await page
    .locator(".palette-progress", { hasText: "Searched 1 of 40 terminals, 1 hit in 1 terminal so far" })
    .waitFor();
  await page.locator(".palette-hit").waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".palette-progress", { hasText: "Stopped after 1 of 40 terminals" }).waitFor();
  await expect.poll(() => cancelled, POLL).toBe(true);
  expect(await page.locator(".palette-hit").count()).toBe(1);
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
});

const STEP = { id: recordForTest(1).id, hits: [], truncated: false, unread: [], searched: 1, total: 40 };

test("among a hundred terminals what is typed finds the one", async () => {
  const records = Array.from({ length: 100 }, (_, n) =>
    recordForTest(n + 1, {
      intent: `task ${n + 1}`,
      git: gitForTest(`repo-${n % 9}`, `branch-${n}`),
      layout: { x: (n % 10) * 816, y: Math.floor(n / 10) * 552, w: 792, h: 528 },
    }),
  );
  await using scene = await startScene(records);
  await using visitor = await browser.newVisitor();
  const { page } = visitor;
  await openKolu(page, await scene.newLink());
  await page.keyboard.press("Control+Shift+K");
  await expect.poll(() => page.locator("[cmdk-item]").count(), POLL).toBeGreaterThan(100);
  await page.keyboard.type("task 77");
  await expect.poll(() => chosen(page).textContent(), POLL).toContain("task 77");
  expect(await page.locator("[cmdk-item]").count()).toBeLessThan(20);
});
