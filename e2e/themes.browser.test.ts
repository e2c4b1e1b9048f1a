// Themes of terminals on a whole kolu: tried on the real terminal, taken, taken back, and what new terminals get.
import { terminalScheme } from "@kolu/contract/terminal-schemes.ts";
import { loadThemes } from "@kolu/contract/theme-catalogue.ts";
import type { Page } from "playwright-core";
import { afterEach, expect, test } from "vitest";
import { tile, type Visitor } from "./browser.ts";
import { kolu, POLL, shareKolu, visit } from "./shared-kolu.ts";

const THEMES = await loadThemes();

shareKolu();
afterEach(async () => {
  await using link = await kolu.padi();
  await link.client.call("preferences.set", { newTheme: { kind: "page" } });
});

async function create(themeName: string | null = null): Promise<string> {
  await using link = await kolu.padi();
  const { id } = await link.client.call("terminal.create", { placement: { kind: "toplevel" } });
  await link.client.call("terminal.setTheme", { id, themeName });
  return id;
}

/** What padi says of each terminal. */
async function themes(): Promise<Map<string, string | null>> {
  await using link = await kolu.padi();
  const { terminals } = await link.client.call("terminals.list", {});
  return new Map(terminals.map(({ id, themeName }) => [id, themeName]));
}

async function groundOf({ page }: Visitor, id: string): Promise<string> {
  const screen = tile(page, id).locator(".tile-screen");
  return hex(await screen.evaluate((element) => getComputedStyle(element).backgroundColor));
}

/** What the terminal itself writes with. */
async function inkOf({ page }: Visitor, id: string): Promise<string> {
  const rows = tile(page, id).locator(".xterm-rows");
  return hex(await rows.evaluate((element) => getComputedStyle(element).color));
}

function hex(rgb: string): string {
  const parts = /\d+, \d+, \d+/.exec(rgb)![0].split(", ");
  return `#${parts.map((part) => Number(part).toString(16).padStart(2, "0")).join("")}`;
}

const ground = (name: string | null, page: "dark" | "light" = "dark"): string =>
  terminalScheme(name, page, THEMES).colors.background;

async function openPicker(visitor: Visitor, id: string): Promise<void> {
  await tile(visitor.page, id).locator(".tile-screen[aria-busy=false]").waitFor();
  await tile(visitor.page, id).getByRole("button", { name: "Theme of this terminal" }).click();
  await visitor.page.locator(".theme-picker [cmdk-item]").nth(200).waitFor();
}

/** A phone has no room for the button. */
async function openByPalette(page: Page): Promise<void> {
  await page.locator(".chrome-search").click();
  await page.locator(".palette input").fill("theme of this");
  await page.locator(".palette").getByText("Theme of this terminal").click();
  await page.locator(".theme-picker").waitFor();
}

test("arrow keys put themes on the real terminal, Enter takes one, and undo takes it back", async () => {
  const id = await create();
  await using visitor = await visit();
  const { page } = visitor;
  await openPicker(visitor, id);
  await page.keyboard.type("dracula");
  await expect.poll(() => groundOf(visitor, id), POLL).toBe(ground("Dracula"));
  const { foreground } = terminalScheme("Dracula", "dark", THEMES).colors;
  await expect.poll(() => inkOf(visitor, id), POLL).toBe(foreground);
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => groundOf(visitor, id), POLL).toBe(ground("Dracula+"));
  // Only this page has tried it on.
  expect((await themes()).get(id)).toBeNull();
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await themes()).get(id), POLL).toBe("Dracula+");
  expect(await groundOf(visitor, id)).toBe(ground("Dracula+"));
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(async () => (await themes()).get(id), POLL).toBeNull();
  await expect.poll(() => groundOf(visitor, id), POLL).toBe(ground(null));
  expect(visitor.faults).toEqual([]);
});

test("Escape, a click beside the list and another sheet put back what the terminal wore", async () => {
  const id = await create("nord");
  await using visitor = await visit();
  const { page } = visitor;
  const leave = [
    () => page.keyboard.press("Escape"),
    () => page.mouse.click(700, 20),
    () => page.keyboard.press("Control+Shift+Slash"),
  ];
  for (const go of leave) {
    await openPicker(visitor, id);
    await page.keyboard.type("solarized");
    await expect.poll(() => groundOf(visitor, id), POLL).not.toBe(ground("nord"));
    await go();
    await page.locator(".theme-picker").waitFor({ state: "detached" });
    await expect.poll(() => groundOf(visitor, id), POLL).toBe(ground("nord"));
  }
  expect((await themes()).get(id)).toBe("nord");
});

test("after the list the keyboard is the terminal's again, and the palette opens it too", async () => {
  const id = await create();
  await using visitor = await visit();
  const { page } = visitor;
  await openPicker(visitor, id);
  await page.keyboard.press("Escape");
  const holder = () => page.evaluate(() => document.activeElement?.className ?? "");
  await expect.poll(holder, POLL).toContain("xterm-helper");
  await openByPalette(page);
});

test("a theme of the catalogue is painted on a page that has just been opened, and on the other scheme", async () => {
  const id = await create("tokyonight-day");
  await using visitor = await visit();
  await expect.poll(() => groundOf(visitor, id), POLL).toBe(ground("tokyonight-day"));
});

test("a terminal that a shell makes, and one from the page, inherit the theme of the one they are made from", async () => {
  const id = await create("nord");
  await using link = await kolu.padi();
  await link.client.call("preferences.set", { newTheme: { kind: "inherit" } });
  await link.client.call("terminal.sendInput", { id, text: "kolu create --toplevel" });
  await link.client.call("terminal.sendInput", { id, key: "Enter" });
  await expect.poll(async () => [...(await themes()).values()], POLL).toEqual(["nord", "nord"]);
  await using visitor = await visit();
  await tile(visitor.page, id).locator(".tile-screen[aria-busy=false]").click();
  await visitor.page.keyboard.press("Control+Shift+Enter");
  await expect.poll(async () => [...(await themes()).values()], POLL).toEqual(["nord", "nord", "nord"]);
});

test("what the system shows is told to padi by the page that is looked at", async () => {
  await using link = await kolu.padi();
  const told = async (): Promise<string> => {
    for await (const { systemScheme } of link.client.subscribe("preferences.watch", {})) return systemScheme;
    throw new Error("padi says no preferences");
  };
  await using visitor = await visit({ scheme: "light" });
  await visitor.page.bringToFront();
  await expect.poll(told, POLL).toBe("light");
  await visitor.page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(told, POLL).toBe("dark");
});

test("on a phone the list leaves the terminal in sight above it", async () => {
  const id = await create();
  await using visitor = await visit({ width: 390, height: 844, touch: true });
  const { page } = visitor;
  await page.locator(".dock-row").first().click();
  await tile(page, id).locator(".tile-screen[aria-busy=false]").waitFor();
  await openByPalette(page);
  await page.locator(".theme-picker input").fill("gruvbox light");
  await expect.poll(() => groundOf(visitor, id), POLL).toBe(ground("Gruvbox Light"));
  const list = (await page.locator(".sheet").boundingBox())!;
  const screen = (await tile(page, id).locator(".tile-screen").boundingBox())!;
  expect(list.y).toBeGreaterThan(screen.y + 200);
});
