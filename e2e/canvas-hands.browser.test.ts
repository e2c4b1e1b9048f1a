// Hands and keys on the canvas: several tiles at once, by mouse and by keyboard, and every change of the layout undone.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Layout } from "@kolu/contract/terminal.ts";
import { expect, test } from "vitest";
import { tile, type Visitor } from "./browser.ts";
import { captureInput, createTerminal, kolu, layouts, POLL, shareKolu, visit } from "./shared-kolu.ts";

shareKolu();

function create(cwd?: string): Promise<string> {
  const wish = { argv: ["/bin/sh", "-c", "exec cat"] };
  return createTerminal(cwd === undefined ? wish : { ...wish, cwd });
}

/** Opens the page once its tiles have their places, and looks at them at this zoom. */
async function visitTiles(ids: readonly string[], zoom = 0.5): Promise<Visitor> {
  const visitor = await visit();
  await expect.poll(async () => (await layouts()).size, POLL).toBe(ids.length);
  await lookAt(visitor, zoom);
  for (const id of ids) await tile(visitor.page, id).waitFor();
  return visitor;
}

async function lookAt({ page }: Visitor, zoom: number): Promise<void> {
  const boxes = [...(await layouts()).values()];
  const left = Math.min(...boxes.map(({ x }) => x));
  const top = Math.min(...boxes.map(({ y }) => y));
  const camera = { x: Math.round(60 - left * zoom), y: Math.round(80 - top * zoom), zoom };
  await page.evaluate((kept) => localStorage.setItem("kolu.camera", kept), JSON.stringify(camera));
  await page.reload();
}

async function layoutOf(id: string): Promise<Layout> {
  return (await layouts()).get(id)!;
}

/** A place on a title bar that is no button. */
async function titleOf({ page }: Visitor, id: string): Promise<{ x: number; y: number }> {
  const bar = (await tile(page, id).locator(".tile-bar").boundingBox())!;
  return { x: bar.x + bar.width / 2, y: bar.y + bar.height / 2 };
}

function selectedCount({ page }: Visitor): Promise<number> {
  return page.locator(".react-flow__node.selected").count();
}

async function click(visitor: Visitor, id: string): Promise<void> {
  const { x, y } = await titleOf(visitor, id);
  await visitor.page.mouse.click(x, y);
}

async function zoomOf({ page }: Visitor): Promise<number> {
  return Number.parseInt((await page.locator(".strip-percent").textContent())!, 10);
}

test("clicks with Shift select several tiles, one hand moves them all, and one undo puts them all back", async () => {
  const ids = [await create(), await create(), await create()];
  await using visitor = await visitTiles(ids);
  const { page } = visitor;
  const before = await layouts();
  await click(visitor, ids[0]!);
  await page.keyboard.down("Shift");
  await click(visitor, ids[1]!);
  await page.keyboard.up("Shift");
  await expect.poll(() => selectedCount(visitor), POLL).toBe(2);
  const from = await titleOf(visitor, ids[1]!);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 48, from.y + 96, { steps: 6 });
  await page.mouse.up();
  const moved = (id: string): Promise<[number, number]> =>
    layoutOf(id).then(({ x, y }) => [x - before.get(id)!.x, y - before.get(id)!.y]);
  await expect.poll(async () => (await moved(ids[1]!))[1], POLL).toBeGreaterThan(100);
  const way = await moved(ids[1]!);
  expect(way.map((px) => px % 24)).toEqual([0, 0]);
  expect(await moved(ids[0]!)).toEqual(way);
  expect(await moved(ids[2]!)).toEqual([0, 0]);
  const after = await layouts();
  await page.keyboard.press("Control+Shift+Z");
  await expect.poll(layouts, POLL).toEqual(before);
  await page.keyboard.press("Control+Alt+Shift+Z");
  await expect.poll(layouts, POLL).toEqual(after);
});

test("chords move and resize the tile that has the keyboard, its program gets none of them, and a run of them is one undo", async () => {
  const { id, text } = await captureInput();
  await using visitor = await visitTiles([id]);
  const { page } = visitor;
  await tile(page, id).locator(".tile-screen[aria-busy=false]").waitFor();
  await click(visitor, id);
  const before = await layoutOf(id);
  for (let n = 0; n < 3; n++) await page.keyboard.press("Control+Shift+ArrowRight");
  await page.keyboard.press("Control+Shift+ArrowDown");
  await expect.poll(() => layoutOf(id), POLL).toEqual({ ...before, x: before.x + 72, y: before.y + 24 });
  await page.keyboard.press("Control+Shift+Z");
  await expect.poll(() => layoutOf(id), POLL).toEqual(before);
  for (let n = 0; n < 2; n++) await page.keyboard.press("Control+Alt+Shift+ArrowRight");
  await page.keyboard.press("Control+Alt+Shift+ArrowUp");
  await expect.poll(() => layoutOf(id), POLL).toEqual({ ...before, w: before.w + 48, h: before.h - 24 });
  expect(await text()).toBe("");
});

test("arranging by place puts what belongs together side by side, overlaps nothing, and is undone", async () => {
  for (const name of ["east", "west"]) await mkdir(join(kolu.home, name), { recursive: true });
  const [a, b, c, d] = [
    await create(join(kolu.home, "east")),
    await create(join(kolu.home, "west")),
    await create(join(kolu.home, "east")),
    await create(join(kolu.home, "west")),
  ];
  const ids = [a!, b!, c!, d!];
  await using visitor = await visitTiles(ids);
  const before = await layouts();
  await visitor.page.getByRole("button", { name: "Arrange by repository" }).click();
  await expect.poll(layouts, POLL).not.toEqual(before);
  const after = await layouts();
  const gap = (one: string, other: string): number => {
    const [p, q] = [after.get(one)!, after.get(other)!];
    const apart = (x: number, w: number, y: number, v: number): number => Math.max(x - (y + v), y - (x + w));
    return Math.max(apart(p.x, p.w, q.x, q.w), apart(p.y, p.h, q.y, q.h));
  };
  expect([gap(a!, c!), gap(b!, d!)]).toEqual([24, 24]);
  for (const east of [a!, c!]) for (const west of [b!, d!]) expect(gap(east, west)).toBeGreaterThan(24);
  await visitor.page.getByRole("button", { name: "Undo the last change of the layout" }).click();
  await expect.poll(layouts, POLL).toEqual(before);
});

test("fit all shows every tile, fit selection the one that is meant", async () => {
  const ids = [await create(), await create(), await create(), await create()];
  await using visitor = await visitTiles(ids, 0.3);
  const { page } = visitor;
  await page.getByRole("button", { name: "Fit all" }).click();
  await expect.poll(() => zoomOf(visitor), POLL).toBeGreaterThan(40);
  const all = await zoomOf(visitor);
  const floor = (await page.locator(".canvas").boundingBox())!;
  for (const id of ids) {
    const box = (await tile(page, id).boundingBox())!;
    expect(box.x).toBeGreaterThanOrEqual(floor.x);
    expect(box.x + box.width).toBeLessThanOrEqual(floor.x + floor.width);
    expect(box.y + box.height).toBeLessThanOrEqual(floor.y + floor.height);
  }
  await click(visitor, ids[2]!);
  await page.keyboard.press("Control+Alt+Shift+Period");
  await expect.poll(() => zoomOf(visitor), POLL).toBeGreaterThan(all + 20);
  const centre = async (): Promise<number> => {
    const box = (await tile(page, ids[2]!).boundingBox())!;
    return Math.abs(box.x + box.width / 2 - (floor.x + floor.width / 2));
  };
  await expect.poll(centre, POLL).toBeLessThan(3);
});

test("a maximised canvas goes to the next and the previous terminal, and back to the plane", async () => {
  const ids = [await create(), await create()];
  await using visitor = await visitTiles(ids);
  const { page } = visitor;
  await click(visitor, ids[0]!);
  await page.keyboard.press("Control+Shift+M");
  const shown = page.locator(".tile[data-maximised]");
  await expect.poll(() => shown.getAttribute("data-terminal"), POLL).toBe(ids[0]!);
  await page.keyboard.press("Control+Shift+BracketRight");
  await expect.poll(() => shown.getAttribute("data-terminal"), POLL).toBe(ids[1]!);
  await page.keyboard.press("Control+Shift+BracketLeft");
  await expect.poll(() => shown.getAttribute("data-terminal"), POLL).toBe(ids[0]!);
  expect(await page.locator(".plane").evaluate((plane) => getComputedStyle(plane).visibility)).toBe("hidden");
  await page.keyboard.press("Control+Shift+M");
  await shown.waitFor({ state: "detached" });
});

test("a wheel that counts in lines or pages pans as far as it says", async () => {
  const ids = [await create()];
  await using visitor = await visitTiles(ids);
  const { page } = visitor;
  const pane = page.locator(".react-flow__pane");
  const top = async (): Promise<number> => Math.round((await tile(page, ids[0]!).boundingBox())!.y);
  const turn = (deltaY: number, deltaMode: number): Promise<void> =>
    pane.dispatchEvent("wheel", { deltaY, deltaMode, bubbles: true, cancelable: true });
  const before = await top();
  await turn(-3, 1);
  await expect.poll(top, POLL).toBe(before + 60);
  const page1 = Math.round((await page.locator(".canvas").boundingBox())!.height);
  await turn(-0.25, 2);
  await expect.poll(async () => Math.abs((await top()) - (before + 60 + page1 / 4)), POLL).toBeLessThan(2);
});

test("a double click on the floor asks what the new terminal shall be", async () => {
  const ids = [await create()];
  await using visitor = await visitTiles(ids);
  const { page } = visitor;
  const floor = (await page.locator(".react-flow__pane").boundingBox())!;
  await page.mouse.dblclick(floor.x + 20, floor.y + 20);
  await page.getByRole("dialog").waitFor();
});
