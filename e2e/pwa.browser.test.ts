// The page as an app: installed, kept for when the server is away, never older than the server, and reached by links.
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { gitForTest, idForTest, recordForTest } from "../packages/client/store/record-for-test.ts";
import { dockRow, isConnected, openKolu, startBrowser, type TestBrowser, type Visitor } from "./browser.ts";
import { type Scene, startScene } from "./scene.ts";

const POLL = { timeout: 20_000, interval: 50 };
const DIST = join(import.meta.dirname, "..", "packages", "client", "dist");

let browser: TestBrowser;
/** A copy of the built page, which a test may update. */
let staticDir: string;
let scene: Scene;

beforeAll(async () => {
  browser = await startBrowser();
  staticDir = await mkdtemp(join(tmpdir(), "kolu-page-"));
  await cp(DIST, staticDir, { recursive: true });
  const terminal = (n: number, intent: string) =>
    recordForTest(n, {
      intent,
      git: gitForTest("app"),
      layout: { x: (n - 1) * 816, y: 0, w: 792, h: 528 },
    });
  scene = await startScene([terminal(1, "one"), terminal(2, "two")], { staticDir });
});
afterAll(async () => {
  await scene[Symbol.asyncDispose]();
  await browser[Symbol.asyncDispose]();
  await rm(staticDir, { recursive: true, force: true });
});

async function visit(): Promise<Visitor> {
  const visitor = await browser.newVisitor();
  await openKolu(visitor.page, await scene.newLink());
  return visitor;
}

/** Waits until the service worker has the page. */
async function isKept({ page }: Visitor): Promise<void> {
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null), POLL).toBe(true);
}

function cached({ page }: Visitor): Promise<string[]> {
  return page.evaluate(async () => {
    const paths: string[] = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys())
        paths.push(`${name} ${new URL(url).pathname}`);
    return paths;
  });
}

function row({ page }: Visitor, name: string): Promise<string | null> {
  return dockRow(page, name).getAttribute("aria-current");
}

test("a browser finds nothing that keeps the page from being installed", async () => {
  await using visitor = await visit();
  await isKept(visitor);
  const cdp = await visitor.context.newCDPSession(visitor.page);
  const manifest = await cdp.send("Page.getAppManifest");
  expect(manifest.errors).toEqual([]);
  const { installabilityErrors } = await cdp.send("Page.getInstallabilityErrors");
  // A window without traces is the one reason, and it is the test's own.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito")).toEqual([]);
  expect(visitor.faults).toEqual([]);
});

test("installing is offered once the browser offers it, and not before", async () => {
  await using visitor = await visit();
  const { page } = visitor;
  const offered = page.locator("[cmdk-item]", { hasText: "Install kolu as an app" });
  await page.keyboard.press("Control+Shift+K");
  await page.locator(".palette input").fill("install");
  await expect.poll(() => page.locator(".palette input").inputValue(), POLL).toBe("install");
  expect(await offered.count()).toBe(0);
  await page.keyboard.press("Control+Shift+K");
  await page.locator(".palette").waitFor({ state: "detached" });
  await page.evaluate(() => {
    const offer = new Event("beforeinstallprompt", { cancelable: true });
    const prompt = (): Promise<{ outcome: string }> => {
      document.title = "asked to install";
      return Promise.resolve({ outcome: "accepted" });
    };
    window.dispatchEvent(Object.assign(offer, { prompt }));
  });
  await page.keyboard.press("Control+Shift+K");
  await page.locator(".palette input").fill("install");
  await offered.click();
  await expect.poll(() => page.title(), POLL).toBe("asked to install");
});

test("without a server the page still comes, says so, and is alive again by itself", async () => {
  await using visitor = await visit();
  const { page } = visitor;
  await isKept(visitor);
  await scene.dropWeb();
  try {
    await page.reload();
    await page.locator(".banner").waitFor();
    // What it shows of terminals comes from the server alone.
    expect(await page.locator(".dock-row").count()).toBe(0);
  } finally {
    await scene.returnWeb();
  }
  await isConnected(page);
  await dockRow(page, "one").waitFor();
});

test("only what the page is made of is kept", async () => {
  await using visitor = await visit();
  await isKept(visitor);
  await dockRow(visitor.page, "one").click();
  await visitor.page.reload();
  await isConnected(visitor.page);
  const paths = (await cached(visitor)).map((entry) => entry.split(" ")[1]!);
  expect(paths.length).toBeGreaterThan(4);
  const ofShell = /^\/(assets\/[^/]+|icon\.svg|scheme\.js|kolu\.webmanifest)?$/;
  expect(paths.filter((path) => !ofShell.test(path))).toEqual([]);
});

test("a browser that is not let in any more gets the door and not the kept page", async () => {
  await using visitor = await visit();
  await isKept(visitor);
  await visitor.context.clearCookies();
  const answer = await visitor.page.reload();
  expect(answer!.status()).toBe(401);
  expect(await visitor.page.locator("code").textContent()).toBe("kolu open --link");
});

test("after an update the next load is the new page, and nothing of the older one is left", async () => {
  await using visitor = await visit();
  const { page } = visitor;
  await isKept(visitor);
  const worker = await readFile(join(staticDir, "sw.js"), "utf8");
  const html = await readFile(join(staticDir, "index.html"), "utf8");
  const before = new Set((await cached(visitor)).map((entry) => entry.split(" ")[0]!));
  expect(before.size).toBe(1);
  try {
    await writeFile(join(staticDir, "index.html"), html.replace("<html ", '<html data-build="newer" '));
    await writeFile(join(staticDir, "sw.js"), worker.replace(/"version":"\w+"/, '"version":"newer"'));
    await page.reload();
    expect(await page.locator("html").getAttribute("data-build")).toBe("newer");
    await isConnected(page);
    await expect
      .poll(async () => [...new Set((await cached(visitor)).map((entry) => entry.split(" ")[0]!))], POLL)
      .toEqual(["kolu-shell-newer"]);
    await scene.dropWeb();
    await page.reload();
    expect(await page.locator("html").getAttribute("data-build")).toBe("newer");
  } finally {
    await scene.returnWeb().catch(() => {}); // It was never away.
    await writeFile(join(staticDir, "sw.js"), worker);
    await writeFile(join(staticDir, "index.html"), html);
  }
});

test("a link leads to a terminal by the beginning of its id, and leaves a plain address", async () => {
  await using visitor = await visit();
  const { page } = visitor;
  const id: string = idForTest(2);
  await page.goto(`${scene.url}/t/${id}`);
  await expect.poll(() => row(visitor, "two"), POLL).toBe("true");
  expect(page.url()).toBe(`${scene.url}/`);
  await page.goto(`${scene.url}/t/${idForTest(1)}?file=src/a.ts&line=3`);
  await expect.poll(() => row(visitor, "one"), POLL).toBe("true");
  // Beside the terminal: the file that it names.
  await page.locator(".panel").waitFor();
});

test("a link that leads nowhere says why: gone, too short, or on another machine", async () => {
  await using visitor = await visit();
  const { page } = visitor;
  const notice = page.locator(".notice");
  await page.goto(`${scene.url}/t/ffffffff`);
  await expect
    .poll(() => notice.allTextContents(), POLL)
    .toEqual([expect.stringContaining("ffffffff, which is not here")]);
  await page.goto(`${scene.url}/t/0`);
  await expect
    .poll(() => notice.allTextContents(), POLL)
    .toEqual([expect.stringContaining("2 terminals begin")]);
  await page.goto(`${scene.url}/t/${idForTest(2)}?host=some-other-box`);
  await expect
    .poll(() => notice.allTextContents(), POLL)
    .toEqual([expect.stringContaining("on some-other-box. This page shows another machine")]);
  expect(await row(visitor, "two")).toBeNull();
});

test("a one-time link may lead to a terminal, and to no other address", async () => {
  await using visitor = await browser.newVisitor();
  const { page } = visitor;
  const to = (place: string): string => `&to=${encodeURIComponent(place)}`;
  await page.goto((await scene.newLink()) + to(`/t/${idForTest(2)}`));
  await expect.poll(() => row(visitor, "two"), POLL).toBe("true");
  await page.goto((await scene.newLink()) + to("//elsewhere.example/t/0"));
  expect(page.url()).toBe(`${scene.url}/`);
});

test("a link from another site keeps its place, although the browser first leaves its cookie at home", async () => {
  await using visitor = await visit();
  const { page } = visitor;
  await page.route("http://elsewhere.example/", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<a href="${scene.url}/t/${idForTest(2)}?line=4&amp;file=a.ts">go</a>`,
    }),
  );
  await page.goto("http://elsewhere.example/");
  await page.getByText("go").click();
  await expect.poll(() => row(visitor, "two"), POLL).toBe("true");
});
