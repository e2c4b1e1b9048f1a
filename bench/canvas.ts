// The canvas under load: forty terminals on the screen, half of them streaming, on a machine without a GPU. Frames a
// second stand beside those of an empty canvas of the same run; what a hundred open terminals cost, of which ten are to be
// seen, stands beside ten.
import type { Page } from "playwright-core";
import { openKolu, startBrowser } from "../e2e/browser.ts";
import type { BenchKolu } from "./bench-kolu.ts";
import type { Figure } from "./figures.ts";
import { blankTiles, countFrames, type Frames, type Gesture, timeKeys } from "./page-probes.ts";
import { descendants, processorShare, proportionalMB } from "./processes.ts";

const WINDOW = { width: 1920, height: 1080 };
const TILE = { w: 480, h: 312, gap: 24 };
const COLUMNS = 7;
/** Everything on the screen, and still terminals rather than cards. */
const ZOOM = 0.43;
const TILES = 40;
const GESTURE_MS = 4_000;
/** The best of these counts: other programs of the machine come between. */
const RUNS = 3;
const KEYS = 60;
const SETTLE_MS = 4_000;

/**
 * Prints like an agent at work, about 9 KB a second: ten times a second a spinner's line, a few coloured words, and now and
 * then a line that scrolls. Waits without starting a process.
 */
const AGENT = `exec 9<> <(:)
n=0
while :; do
  n=$((n+1))
  printf '\\e[?2026h\\e[10;1H'
  for row in 1 2 3 4 5 6 7 8; do
    printf '\\e[38;2;%d;119;87m│\\e[39m \\e[1mReading src/lib/parser-%d.ts\\e[22m \\e[3%dmcompiled in %d ms\\e[0m and then some more words\\e[K\\r\\n' $((n*row%256)) $row $((row%8)) $((n*row))
  done
  printf '\\e[2m✻ Thinking… (%ds · ↑ %d.2k tokens)\\e[22m\\e[K\\e[?2026l' $n $n
  [ $((n%10)) = 0 ] && printf '\\e[24;1H\\nstep %d of many is done now\\e[10;1H' $n
  read -r -t 0.1 -u 9
done`;

export async function benchCanvas(kolu: BenchKolu): Promise<Figure[]> {
  const web = await kolu.startWeb();
  await using browser = await startBrowser();
  await using visitor = await browser.newVisitor(WINDOW);
  const { page } = visitor;
  const lost = watchContexts(page);
  await openKolu(page, web.link);
  const empty = { pan: await best(page, "pan"), zoom: await best(page, "zoom") };

  const ids = await openTiles(kolu, { count: TILES, streaming: TILES / 2, at: (n) => n });
  const typed = ids.at(-1)!;
  await lookAt(page, { x: 0, y: 0, zoom: ZOOM }, typed);
  await allShown(page, TILES);
  await page.locator(`.tile[data-terminal="${typed}"] .tile-screen`).click({ position: { x: 40, y: 40 } });
  await page.locator(".xterm.focus").waitFor();
  await rest(SETTLE_MS);
  const still = await countFrames(page, "rest", GESTURE_MS);
  const keys = await timeKeys(page, KEYS);
  const busy = { pan: await best(page, "pan"), zoom: await best(page, "zoom") };
  const memory = browserMB();
  const blank = await blankTiles(page);
  const contexts = await lost();
  await kolu.kill(ids);

  const ten = await costOf(kolu, page, 10);
  const hundred = await costOf(kolu, page, 100);
  await web.stop();
  return [
    ...(["pan", "zoom"] as const).map(
      (gesture): Figure => ({
        name: `${gesture}, ${TILES} terminals on the screen, ${TILES / 2} streaming`,
        value: busy[gesture].perSecond,
        unit: "frames/s",
        limit: { name: "empty canvas", value: empty[gesture].perSecond },
        aim: { atLeast: 30 },
        note: `longest ${busy[gesture].longestMs} ms, empty ${empty[gesture].longestMs} ms`,
      }),
    ),
    {
      name: "the same at rest",
      value: still.perSecond,
      unit: "frames/s",
      note: `longest ${still.longestMs} ms`,
    },
    { name: "key to paint beside them, p50", value: keys.p50, unit: "ms" },
    { name: "key to paint beside them, p95", value: keys.p95, unit: "ms", aim: { atMost: 50 } },
    {
      name: "memory of the browser with them",
      value: memory.page,
      unit: "MB",
      aim: { atMost: 1_200 },
      note: `the page's process; the whole browser ${memory.all.toFixed(0)} MB`,
    },
    { name: "blank tiles", value: blank, unit: "tiles", aim: { atMost: 0 } },
    { name: "drawing contexts lost", value: contexts, unit: "contexts", aim: { atMost: 0 } },
    {
      name: "100 terminals open, 10 on the screen: processor of the browser",
      value: hundred.share * 100,
      unit: "% of a core",
      limit: { name: "10 open", value: ten.share * 100 },
    },
    {
      name: "100 terminals open, 10 on the screen: memory of the page",
      value: hundred.memoryMB,
      unit: "MB",
      limit: { name: "10 open", value: ten.memoryMB },
    },
    {
      name: "100 terminals open, 10 on the screen: pan",
      value: hundred.pan.perSecond,
      unit: "frames/s",
      limit: { name: "10 open", value: ten.pan.perSecond },
      aim: { ratioAtLeast: 0.8 },
    },
  ];
}

/** The page with this many terminals, half of them streaming, of which ten are on the screen. */
async function costOf(
  kolu: BenchKolu,
  page: Page,
  count: number,
): Promise<{ share: number; memoryMB: number; pan: Frames }> {
  const seen = 10;
  const ids = await openTiles(kolu, {
    count,
    streaming: count / 2,
    // Streaming ones are made first: every second place on the screen is one of them.
    at: (n) => (n % (count / seen) === 0 ? n / (count / seen) : n + 10 * COLUMNS),
  });
  await lookAt(page, { x: 0, y: 0, zoom: ZOOM }, null);
  await allShown(page, seen);
  await rest(SETTLE_MS);
  const share = await processorShare(descendants(process.pid, /chromium/), 5_000);
  const pan = await best(page, "pan");
  const memoryMB = browserMB().page;
  await kolu.kill(ids);
  return { share, memoryMB, pan };
}

async function openTiles(
  kolu: BenchKolu,
  { count, streaming, at }: { count: number; streaming: number; at(n: number): number },
): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const place = at(n);
    const layout = {
      x: (place % COLUMNS) * (TILE.w + TILE.gap),
      y: Math.floor(place / COLUMNS) * (TILE.h + TILE.gap),
      w: TILE.w,
      h: TILE.h,
    };
    const then = n < streaming ? AGENT : "exec cat";
    const argv = ["/bin/bash", "-c", `seq 1 30; echo tile-${n}-is-here; ${then}`];
    const placement = { kind: "toplevel" as const };
    const { id } = await kolu.padi.client.call("terminal.create", { placement, argv });
    await kolu.padi.client.call("layout.set", { layouts: [{ id, layout }] });
    ids.push(id);
  }
  return ids;
}

async function lookAt(page: Page, camera: object, activeId: string | null): Promise<void> {
  await page.evaluate(
    ({ camera, ui }) => {
      localStorage.setItem("kolu.camera", camera);
      localStorage.setItem("kolu.ui", ui);
    },
    { camera: JSON.stringify(camera), ui: JSON.stringify({ activeId }) },
  );
  await page.reload();
}

async function allShown(page: Page, atLeast: number): Promise<void> {
  await page.waitForFunction(
    (wanted) => document.querySelectorAll(".tile-screen[aria-busy=false]").length >= wanted,
    atLeast,
    { timeout: 120_000 },
  );
}

async function best(page: Page, gesture: Gesture): Promise<Frames> {
  const runs: Frames[] = [];
  for (let run = 0; run < RUNS; run++) {
    runs.push(await countFrames(page, gesture, GESTURE_MS));
    await rest(1_000);
  }
  return runs.sort((a, b) => b.perSecond - a.perSecond)[0]!;
}

/** The largest renderer is the page; the rest is the browser's own processes. */
function browserMB(): { page: number; all: number } {
  const all = descendants(process.pid, /chromium/).map(proportionalMB);
  const renderers = descendants(process.pid, /--type=renderer/).map(proportionalMB);
  return { page: Math.max(...renderers), all: all.reduce((sum, one) => sum + one, 0) };
}

/** Counts drawing contexts that the browser takes away, from now on. */
function watchContexts(page: Page): () => Promise<number> {
  void page.addInitScript(() => {
    Object.assign(window, { contextsLost: 0 });
    for (const name of ["webglcontextlost", "contextlost"])
      window.addEventListener(
        name,
        () => ((window as unknown as { contextsLost: number }).contextsLost += 1),
        {
          capture: true,
        },
      );
  });
  return () => page.evaluate(() => (window as unknown as { contextsLost: number }).contextsLost);
}

function rest(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
