// The page with many tiles: from a reload until every tile shows its terminal's own words.
import type { Page } from "playwright-core";
import { openKolu, startBrowser } from "../e2e/browser.ts";
import type { BenchKolu } from "./bench-kolu.ts";
import { type Figure, summarize } from "./figures.ts";

const RELOADS = 3;
const TILE = { w: 600, h: 400, gap: 24 };
const WINDOW = { width: 1600, height: 1000 };

/** Everything is on the screen: thirty as terminals, a hundred from so far away that they are cards. */
const CROWDS = [
  { tiles: 30, columns: 6, zoom: 0.42, atMostMs: 1_500 },
  { tiles: 100, columns: 10, zoom: 0.23, atMostMs: 3_000 },
] as const;

export async function benchPage(kolu: BenchKolu): Promise<Figure[]> {
  const web = await kolu.startWeb();
  await using browser = await startBrowser();
  await using visitor = await browser.newVisitor(WINDOW);
  const { page } = visitor;
  await openKolu(page, web.link);
  const empty = await reloads(page, 0);
  const figures: Figure[] = [];
  for (const { tiles, columns, zoom, atMostMs } of CROWDS) {
    const ids = await openTiles(kolu, tiles, columns);
    await page.evaluate(
      (camera) => localStorage.setItem("kolu.camera", camera),
      JSON.stringify({ x: 0, y: 0, zoom }),
    );
    figures.push({
      name: `page with ${tiles} tiles, from reload to all painted, p50`,
      value: await reloads(page, tiles),
      unit: "ms",
      limit: { name: "empty page", value: empty },
      aim: { atMost: atMostMs },
    });
    await kolu.kill(ids);
  }
  await web.stop();
  return figures;
}

async function openTiles(kolu: BenchKolu, count: number, columns: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const layout = {
      x: (n % columns) * (TILE.w + TILE.gap),
      y: Math.floor(n / columns) * (TILE.h + TILE.gap),
      w: TILE.w,
      h: TILE.h,
    };
    const argv = ["/bin/sh", "-c", `seq 1 60; echo tile-${n}-is-here; exec cat`];
    const placement = { kind: "toplevel" as const };
    const { id } = await kolu.padi.client.call("terminal.create", { placement, argv });
    await kolu.padi.client.call("layout.set", { layouts: [{ id, layout }] });
    ids.push(id);
  }
  return ids;
}

async function reloads(page: Page, tiles: number): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RELOADS; run++) {
    const startedAt = performance.now();
    await page.reload({ waitUntil: "commit" });
    await page.waitForFunction(
      (wanted) => {
        if (document.querySelector('[data-link="live"]') === null) return false;
        const shown = [...document.querySelectorAll(".tile")].filter((tile) =>
          /tile-\d+-is-here/.test(tile.textContent ?? ""),
        );
        return shown.length === wanted;
      },
      tiles,
      { polling: "raf", timeout: 120_000 },
    );
    times.push(performance.now() - startedAt);
  }
  return summarize(times).p50;
}
