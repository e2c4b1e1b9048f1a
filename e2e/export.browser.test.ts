// The page's export: the file that it downloads is the one that the shell writes.
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { openKolu, startBrowser } from "./browser.ts";
import { startCapturedAgent } from "./captured-agent.ts";
import { startKolu } from "./start-kolu.ts";

test("a transcript is downloaded from the palette, and its page asks nobody for anything", async () => {
  await using browser = await startBrowser();
  await using kolu = await startKolu();
  const id = await startCapturedAgent(kolu);
  const web = kolu.start(["web", "--port", "0"]);
  await web.whenPrinted(/open\?token=\S+\n/);
  await using visitor = await browser.newVisitor();
  const { page, faults } = visitor;
  await openKolu(page, await kolu.ok(["open", "--link"]));
  await page.locator(".dock-row").first().click();

  const downloading = page.waitForEvent("download");
  await page.keyboard.press("Control+Shift+K");
  await page.locator(".palette input").fill("only the chat");
  await page.locator("[cmdk-item][aria-selected=true]", { hasText: "only the chat" }).waitFor();
  await page.keyboard.press("Enter");
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^2026-11-30-[a-z0-9-]+-chat\.html$/);
  const downloaded = await readFile(await download.path(), "utf8");
  expect(untimed(downloaded)).toBe(untimed(await kolu.ok(["export", id, "--chat", "--output", "-"])));
  expect(faults).toEqual([]);

  const path = await kolu.ok(["export", id]);
  await using reader = await browser.newVisitor({ scheme: "light" });
  const asked: string[] = [];
  reader.page.on("request", (request) => asked.push(request.url()));
  await reader.page.goto(`file://${path}`);
  const fold = reader.page.locator("details.tool").first();
  await fold.locator("summary").click();
  await fold.locator(".fold-body").waitFor({ state: "visible" });
  expect(asked).toEqual([`file://${path}`]);
  expect(reader.faults).toEqual([]);
});

/** Without the moment of the export and the newline at the end. */
function untimed(html: string): string {
  return html.replace(/Exported from kolu on <time.*?<\/time>/, "").trim();
}
