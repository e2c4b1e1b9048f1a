// Sleep, waking, restores and backups as a person meets them: real daemons, a stand-in for one agent, a real browser.
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import type { Page } from "playwright-core";
import { afterEach, beforeAll, expect, test } from "vitest";
import { CLAUDE_HOME, SESSION } from "../packages/padi/claude-for-test.ts";
import { dockRow, screenText, tile } from "./browser.ts";
import { untilRecord } from "./captured-agent.ts";
import { kolu, POLL, shareKolu, visit } from "./shared-kolu.ts";

shareKolu();
beforeAll(async () => {
  for (const [name, content] of Object.entries(CLAUDE_HOME)) await writeFile(join(kolu.home, name), content);
});
afterEach(async () => {
  await using link = await kolu.padi();
  await link.client.call("restore.dismiss", {});
});

/** A terminal with this label, at a prompt or with a line that runs. */
async function create(intent: string, run?: string): Promise<string> {
  await using link = await kolu.padi();
  const { id } = await link.client.call("terminal.create", {
    placement: { kind: "toplevel" },
    cwd: kolu.home,
    intent,
    ...(run === undefined ? {} : { run }),
  });
  await untilRecord(kolu, id, (record) => record.life === "active");
  return id;
}

/** One whose agent has answered and waits. */
async function createAgent(intent: string): Promise<string> {
  const id = await create(intent, "claude 'a prompt'");
  await untilRecord(
    kolu,
    id,
    (record) => record.agent?.state === "waiting" && record.command?.running === true,
  );
  return id;
}

async function recordOf(id: string): Promise<TerminalRecord | undefined> {
  await using link = await kolu.padi();
  const { terminals } = await link.client.call("terminals.list", {});
  return terminals.find((record) => record.id === id);
}

async function killKaval(ids: string[]): Promise<void> {
  process.kill((await kolu.pids()).kaval!, "SIGKILL");
  for (const id of ids) await untilRecord(kolu, id, (record) => record.life === "parked");
}

async function runAction(page: Page, title: string): Promise<void> {
  await page.keyboard.press("Control+Shift+K");
  const item = page.locator(".palette [cmdk-item]", { hasText: title });
  await page.locator(".palette input").fill(title);
  await item.first().click();
}

const notice = (page: Page, text: string | RegExp) => page.locator(".notice", { hasText: text });

test("a terminal sleeps from its title bar and wakes on the same conversation", async () => {
  const id = await createAgent("nap");
  await using visitor = await visit();
  const { page, faults } = visitor;
  await tile(page, id).locator(".tile-screen[aria-busy=false]").waitFor();
  await tile(page, id).getByLabel("Put to sleep").click();
  await dockRow(page, "nap").locator('[data-mark="sleeping"]').waitFor();
  // What was on its screen can be read on.
  await tile(page, id).locator(".tile-screen[data-life=sleeping]").waitFor();
  await expect.poll(() => screenText(tile(page, id)), POLL).toContain(`on ${SESSION}`);
  await tile(page, id).getByRole("button", { name: "Wake" }).click();
  await untilRecord(kolu, id, (record) => record.agent?.state === "waiting");
  expect(await recordOf(id)).toMatchObject({ life: "active", agent: { sessionId: SESSION } });
  await dockRow(page, "nap").locator('[data-mark="waiting"]').waitFor();
  expect(faults).toEqual([]);
});

test("what sleep would end is asked about, and a person may insist", async () => {
  const id = await create("server", "sleep 1000");
  await untilRecord(kolu, id, (record) => record.command?.running === true);
  await using visitor = await visit();
  const { page } = visitor;
  await dockRow(page, "server").click();
  await runAction(page, "Put this terminal to sleep");
  const question = page.getByRole("alertdialog", { name: "Put server to sleep?" });
  await question.getByText("sleep 1000 runs in it").waitFor();
  await question.getByRole("button", { name: "Leave it awake" }).click();
  expect((await recordOf(id))?.life).toBe("active");
  await runAction(page, "Put this terminal to sleep");
  await question.getByRole("button", { name: "Put it to sleep" }).click();
  await untilRecord(kolu, id, (record) => record.life === "sleeping");
  await runAction(page, "Wake this terminal");
  await untilRecord(kolu, id, (record) => record.life === "active");
});

test("the idle terminals of a card sleep together, the busy one stays and is counted", async () => {
  const [idle, other] = [await create("idle"), await create("other")];
  const busy = await create("busy", "sleep 1000");
  await untilRecord(kolu, busy, (record) => record.command?.running === true);
  await using visitor = await visit();
  const { page } = visitor;
  await dockRow(page, "busy").waitFor();
  await page.getByLabel("Put the idle terminals of Elsewhere to sleep").click();
  await notice(page, "2 terminals are asleep; one stays awake. sleep 1000 runs in it").waitFor();
  await untilRecord(kolu, idle, (record) => record.life === "sleeping");
  await page.getByLabel("Wake the terminals of Elsewhere").click();
  for (const id of [idle, other]) await untilRecord(kolu, id, (record) => record.life === "active");
  await page.locator(".restore").waitFor({ state: "detached" });
});

test("after a crash each row says what comes back, and what was left stays for later", async () => {
  const agent = await createAgent("cart");
  const [server, notes] = [await create("server", "sleep 1000"), await create("notes")];
  await untilRecord(kolu, server, (record) => record.command?.running === true);
  await using visitor = await visit();
  const { page } = visitor;
  await dockRow(page, "notes").waitFor();
  await killKaval([agent, server, notes]);
  const card = page.getByRole("region", { name: "Restore" });
  await card.getByText("3 terminals wait for restore.").waitFor();
  await card.getByRole("button", { name: "Choose…" }).click();
  const row = (name: string) => card.getByRole("listitem").filter({ hasText: name });
  await row("cart").getByText("Claude Code, on its conversation").waitFor();
  await row("server").getByText("a shell; sleep 1000 is not started again").waitFor();
  await card.getByRole("button", { name: "None" }).click();
  expect(await card.getByRole("button", { name: "Restore 0" }).isDisabled()).toBe(true);
  await card.getByRole("button", { name: "All" }).click();
  await card.getByLabel("What comes back of notes").selectOption("Not now");
  await card.getByLabel("What comes back of cart").selectOption("Only its shell");
  await row("cart").getByText("a shell, without Claude Code").waitFor();
  await card.getByLabel("What comes back of cart").selectOption("With its agent");
  await card.getByRole("button", { name: "Restore 2" }).click();
  await untilRecord(kolu, agent, (record) => record.agent?.state === "waiting");
  expect(await recordOf(agent)).toMatchObject({ life: "active", agent: { sessionId: SESSION } });
  await card.getByText("1 terminal waits for restore.").waitFor();
  await card.getByRole("button", { name: "Later" }).click();
  await card.getByText("1 terminal waits for restore", { exact: true }).waitFor();
  expect(await card.getByRole("button").allInnerTexts()).toEqual(["Show"]);
  await card.getByRole("button", { name: "Show" }).click();
  await card.getByRole("button", { name: "Restore all" }).click();
  await untilRecord(kolu, notes, (record) => record.life === "active");
  await card.waitFor({ state: "detached" });
});

test("an agent that is not installed any more is told on its row, with the command that installs it", async () => {
  const id = await createAgent("cart");
  await using visitor = await visit();
  const { page } = visitor;
  await dockRow(page, "cart").waitFor();
  await tile(page, id).getByLabel("Put to sleep").click();
  await untilRecord(kolu, id, (record) => record.life === "sleeping");
  await rm(join(kolu.home, "claude"));
  try {
    await tile(page, id).getByRole("button", { name: "Wake" }).click();
    const card = page.getByRole("region", { name: "Restore" });
    await card.getByText("Not everything is back.").waitFor();
    await card.getByText("Its agent is not installed here").waitFor();
    await card.locator("code", { hasText: "npm install -g @anthropic-ai/claude-code" }).waitFor();
    expect(await card.getByRole("listitem").getByRole("button").allInnerTexts()).toEqual([
      "cart",
      "Copy command",
    ]);
    await card.getByRole("button", { name: "Dismiss" }).click();
    await card.waitFor({ state: "detached" });
  } finally {
    await writeFile(join(kolu.home, "claude"), CLAUDE_HOME.claude, { mode: 0o755 });
  }
});

test("starting fresh takes two clicks, and one takes it back", async () => {
  const id = await create("precious", "echo $((40+2))-kept");
  await using visitor = await visit();
  const { page } = visitor;
  await dockRow(page, "precious").waitFor();
  await expect.poll(() => kolu.ok(["snapshot", id, "--tail", "5"]), POLL).toContain("42-kept");
  await tile(page, id).getByLabel("Put to sleep").click();
  await untilRecord(kolu, id, (record) => record.life === "sleeping");
  await runAction(page, "Wake this terminal");
  await untilRecord(kolu, id, (record) => record.life === "active");
  await killKaval([id]);
  const card = page.getByRole("region", { name: "Restore" });
  await card.getByRole("button", { name: "Start fresh" }).click();
  await card.getByRole("button", { name: "Forget 1" }).click();
  await page.getByRole("heading", { name: "No terminals yet" }).waitFor();
  await notice(page, "One terminal forgotten.").getByRole("button", { name: "Undo" }).click();
  await dockRow(page, "precious").locator('[data-mark="parked"]').waitFor();
  await expect.poll(() => screenText(tile(page, id)), POLL).toContain("42-kept");
});

test("a backup brings back what was closed, and what runs goes on", async () => {
  const [kept, closed] = [await create("kept"), await create("closed")];
  await using link = await kolu.padi();
  await link.client.call("terminal.sleep", { ids: [closed as never] });
  const { snapshot } = await link.client.call("workspace.startFresh", { ids: [closed as never] });
  const { pid } = (await recordOf(kept))!;
  await using visitor = await visit();
  const { page, faults } = visitor;
  await dockRow(page, "kept").waitFor();
  await runAction(page, "Backups, export and import");
  const sheet = page.getByRole("dialog", { name: "Backups and export" });
  const newest = sheet.getByRole("listitem").first();
  await newest.getByText("2 terminals").waitFor();
  await newest.getByRole("button", { name: "Restore…" }).click();
  await newest.getByRole("button", { name: "Restore this one" }).click();
  await notice(page, "One terminal added, 1 here already.").waitFor();
  await dockRow(page, "closed").locator('[data-mark="sleeping"]').waitFor();
  expect((await recordOf(kept))?.pid).toBe(pid);
  await notice(page, "One terminal added").getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => dockRow(page, "closed").count(), POLL).toBe(0);
  expect(snapshot).toMatch(/^padi\./);
  expect(faults).toEqual([]);
});

test("the workspace goes out as a file and comes in asleep, beside what is here", async () => {
  const id = await create("traveller");
  await using visitor = await visit();
  const { page } = visitor;
  await dockRow(page, "traveller").waitFor();
  await runAction(page, "Backups, export and import");
  const sheet = page.getByRole("dialog", { name: "Backups and export" });
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    sheet.getByRole("button", { name: "Export" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^kolu-workspace-\d{4}-\d\d-\d\d\.json$/);
  const text = await readFile(await download.path(), "utf8");
  await kolu.ok(["kill", id]);
  await create("resident");
  const give = (content: string) =>
    sheet
      .getByLabel("A workspace that kolu exported")
      .setInputFiles({ name: "w.json", mimeType: "application/json", buffer: Buffer.from(content) });
  await give(text);
  await notice(page, "One terminal added.").waitFor();
  await dockRow(page, "traveller").locator('[data-mark="sleeping"]').waitFor();
  await dockRow(page, "resident").waitFor();
  await runAction(page, "Backups, export and import");
  await give('{"format":"kolu-workspace","version":7}');
  await notice(page, "Nothing was imported: This is no workspace that kolu exported: version").waitFor();
});
