// The pictures of docs/pictures, taken of a whole kolu of its own: real repositories, real programs, the real Claude Code
// against a stand-in model, a real browser. Needs the network once, for Claude Code, and a font with symbols (Debian's
// fonts-symbola), or Claude Code's marks are empty boxes.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { TerminalId } from "@kolu/contract/ids.ts";
import type { Page } from "playwright-core";
import { CLAUDE_VERSION } from "../agents/claude.agents.ts";
import { installAgent } from "../agents/install-agent.ts";
import { type Look, openKolu, startBrowser, type TestBrowser, tile } from "../browser.ts";
import { startStandInModel } from "../stand-in-model/server.ts";
import { type Kolu, startKolu } from "../start-kolu.ts";
import { answer, settleClaude } from "./agents.ts";
import { toPalettePng } from "./palette-png.ts";
import { showComments, showInspector } from "./panel.ts";
import { makeProjects } from "./projects.ts";
import { buildWorkspace, type Workspace } from "./workspace.ts";

const DESKTOP: Look = { width: 1600, height: 1000, reducedMotion: true };
const PHONE: Look = { width: 390, height: 844, touch: true, reducedMotion: true };
/** Notches of the wheel from the first look, which fits everything, to where tiles turn into cards. */
const CARDS_NOTCHES = 3;
/** Screens are painted some frames after they have arrived; a picture is no place to guess how many. */
const PAINTED_MS = 4_000;
/** A new grid is told a moment after the last change of size, and a program repaints for it. */
const SIZED_MS = 1_500;
/** kaval saves a screen every ten seconds: only what is older survives its death. */
const SAVED_MS = 12_000;

interface Studio {
  kolu: Kolu;
  browser: TestBrowser;
  directory: string;
  report(line: string): void;
}

/** Writes all pictures into `directory`. The page must be built. Throws with the screen of whatever does not come up. */
export async function takePictures(directory: string, report: (line: string) => void): Promise<void> {
  await mkdir(directory, { recursive: true });
  await using model = await startStandInModel(answer);
  await using kolu = await startKolu();
  await makeProjects(kolu.home);
  const bin = await installAgent("@anthropic-ai/claude-code", CLAUDE_VERSION);
  await settleClaude(kolu.home, { bin, modelUrl: model.url });
  await kolu.start(["web", "--port", "0"]).whenPrinted(/open\?token=\S+\n/);
  await using browser = await startBrowser();
  const studio: Studio = { kolu, browser, directory, report };
  await using workspace = await buildWorkspace(kolu, (ids) => sizeTerminals(studio, ids));

  const { firstId, questionId } = workspace;
  await take(studio, "canvas-dark", { ...DESKTOP, scheme: "dark" }, (page) => workIn(page, firstId));
  await take(studio, "canvas-light", { ...DESKTOP, scheme: "light" }, (page) => workIn(page, firstId));
  await take(studio, "themes", { ...DESKTOP, scheme: "dark" }, (page) => tryTheme(page, firstId));
  await take(studio, "settings", { ...DESKTOP, scheme: "dark" }, openNotifications);
  await take(studio, "cards", { ...DESKTOP, scheme: "dark" }, zoomOut);
  await take(studio, "panel-inspector", { ...DESKTOP, scheme: "dark" }, (page) =>
    showInspector(page, "currency"),
  );
  await take(studio, "panel-code", { ...DESKTOP, scheme: "light" }, (page) =>
    showComments(page, "cart total", "tax.ts"),
  );
  await take(studio, "phone-dark", { ...PHONE, scheme: "dark" }, async () => {});
  await take(studio, "phone-light", { ...PHONE, scheme: "light" }, async (page) => {
    await page.locator(".dock-row", { hasText: "checkout-steps" }).first().click();
    await workIn(page, questionId);
  });
  await sizeBack(studio, questionId);
  await sleep(SAVED_MS);
  await killKaval(kolu, workspace);
  await take(studio, "restore", { ...DESKTOP, scheme: "dark" }, (page) => workIn(page, firstId));
  await take(studio, "restore-rows", { ...DESKTOP, scheme: "dark" }, async (page) => {
    await page.getByRole("button", { name: "Choose…" }).click();
  });
}

async function take(
  { kolu, browser, directory, report }: Studio,
  name: string,
  look: Look,
  arrange: (page: Page) => Promise<void>,
): Promise<void> {
  await using visitor = await browser.newVisitor(look);
  await openKolu(visitor.page, await kolu.ok(["open", "--link"]));
  await arrange(visitor.page);
  await sleep(PAINTED_MS);
  const png = toPalettePng(await visitor.page.screenshot());
  await writeFile(join(directory, `${name}.png`), png);
  report(`${name}.png  ${Math.round(png.length / 1024)} KB`);
  if (visitor.faults.length > 0) throw new Error(`The page failed: ${visitor.faults.join("\n")}`);
}

/** A terminal takes the size of its tile when somebody works in it: a visitor goes through all of them. */
async function sizeTerminals({ kolu, browser }: Studio, ids: TerminalId[]): Promise<void> {
  await using visitor = await browser.newVisitor(DESKTOP);
  const { page } = visitor;
  await openKolu(page, await kolu.ok(["open", "--link"]));
  const rows = page.locator(".dock-row");
  await rows.nth(ids.length - 1).waitFor();
  for (let index = 0; index < ids.length; index++) {
    await rows.nth(index).click();
    await sleep(SIZED_MS);
  }
}

/** On the phone a terminal took the phone's size; somebody at the desk takes it back. */
async function sizeBack({ kolu, browser }: Studio, id: TerminalId): Promise<void> {
  await using visitor = await browser.newVisitor(DESKTOP);
  await openKolu(visitor.page, await kolu.ok(["open", "--link"]));
  await workIn(visitor.page, id);
  await sleep(SIZED_MS);
}

async function workIn(page: Page, id: TerminalId): Promise<void> {
  await tile(page, id)
    .locator(".xterm-screen")
    .click({ position: { x: 40, y: 40 } });
}

async function tryTheme(page: Page, id: TerminalId): Promise<void> {
  await workIn(page, id);
  await tile(page, id).getByRole("button", { name: "Theme of this terminal" }).click();
  await page.locator(".theme-picker [cmdk-item]").nth(200).waitFor();
  await page.keyboard.type("tokyo");
}

async function openNotifications(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("tab", { name: "Notifications" }).click();
}

async function zoomOut(page: Page): Promise<void> {
  await page.mouse.move(900, 500);
  await page.keyboard.down("Control");
  for (let notch = 0; notch < CARDS_NOTCHES; notch++) await page.mouse.wheel(0, 120);
  await page.keyboard.up("Control");
}

/** Ends the daemon that holds the shells, as a crash would. */
async function killKaval(kolu: Kolu, { until }: Workspace): Promise<void> {
  const { kaval } = await kolu.pids();
  if (kaval === null) throw new Error("There is no kaval to kill.");
  process.kill(kaval, "SIGKILL");
  await until((records) => [...records.values()].every(({ life }) => life === "parked"));
}
