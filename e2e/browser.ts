// A real browser for tests: starts the system's Chromium, opens a kolu by its link, and knows where things are on the page.
import { access } from "node:fs/promises";
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from "playwright-core";

/** Installed by `node tools/ensure-packages.ts`. */
const CHROMIUM = "/usr/bin/chromium";

/** Offline, without a GPU, and with nothing of Chromium's own going on in the background. */
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export interface TestBrowser extends AsyncDisposable {
  /** A browser of its own: own cookies, own localStorage, like another person's. */
  newVisitor(look?: Look): Promise<Visitor>;
}

export interface Look {
  width?: number;
  height?: number;
  /** Device pixels in a CSS pixel. */
  ratio?: number;
  scheme?: "dark" | "light";
  reducedMotion?: boolean;
  /** A phone: touch and a coarse pointer. */
  touch?: boolean;
}

export interface Visitor extends AsyncDisposable {
  page: Page;
  context: BrowserContext;
  /** What the page logged as an error or threw, in order. A test that expects none asserts that this is empty. */
  faults: string[];
}

export async function startBrowser(): Promise<TestBrowser> {
  await access(CHROMIUM).catch((cause: unknown) => {
    throw new Error(`No browser at ${CHROMIUM}: run node tools/ensure-packages.ts`, { cause });
  });
  const browser: Browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  return {
    async newVisitor(look = {}) {
      const context = await browser.newContext({
        viewport: { width: look.width ?? 1600, height: look.height ?? 1000 },
        deviceScaleFactor: look.ratio ?? 1,
        colorScheme: look.scheme ?? "dark",
        reducedMotion: look.reducedMotion ? "reduce" : "no-preference",
        hasTouch: look.touch ?? false,
      });
      const page = await context.newPage();
      const faults: string[] = [];
      page.on("pageerror", (error) => faults.push(error.stack ?? error.message));
      page.on("console", (message) => {
        if (message.type() === "error") faults.push(message.text());
      });
      return { page, context, faults, [Symbol.asyncDispose]: () => context.close() };
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
    },
  };
}

/** Opens a one-time link and waits until the page is connected. */
export async function openKolu(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await isConnected(page);
}

export async function isConnected(page: Page): Promise<void> {
  await page.locator('[data-link="live"], .back').first().waitFor();
}

/** The dock's rows from top to bottom, by their first line. */
export async function dockNames(page: Page): Promise<string[]> {
  return page.locator(".dock-row-name > span:first-child").allInnerTexts();
}

export function dockRow(page: Page, name: string): Locator {
  return page.locator(".dock-row", { has: page.locator(".dock-row-name", { hasText: name }) });
}

/** The state mark of a dock row. */
export function markOf(row: Locator): Locator {
  return row.locator(".mark");
}

/** The tile that shows a terminal. */
export function tile(page: Page, id: string): Locator {
  return page.locator(`.tile[data-terminal="${id}"]`);
}

/** What a terminal shows, whoever draws it: the live one in its rows, a painted one in the text beside its picture. */
export async function screenText(of: Page | Locator): Promise<string> {
  return (await of.locator(".xterm-rows, .painted-text").allTextContents()).join("\n");
}
