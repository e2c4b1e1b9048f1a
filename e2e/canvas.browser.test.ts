// The canvas and its terminals on a whole kolu: real daemons, real programs, a real browser. What lies where, what the
// mouse and the keyboard reach, what survives a bad line.
import { createHash } from "node:crypto";
import { kavalContract } from "@kolu/contract/kaval.ts";
import type { Layout } from "@kolu/contract/terminal.ts";
import { dialRpc } from "@kolu/wire/dial.ts";
import { expect, test } from "vitest";
import { screenText, tile, type Visitor } from "./browser.ts";
import {
  captureInput,
  createTerminal,
  gridOf,
  kolu,
  layouts,
  POLL,
  shareKolu,
  visit,
} from "./shared-kolu.ts";

shareKolu();

/**
 * Gives the keyboard to a terminal, as a person does. Its screen is there first: until then the page does not know
 * whether the program wants the mouse or brackets around a paste.
 */
async function enter({ page }: Visitor, id: string): Promise<void> {
  await tile(page, id).locator(".tile-screen[aria-busy=false]").waitFor();
  await tile(page, id)
    .locator(".xterm-screen")
    .click({ position: { x: 40, y: 40 } });
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.className), POLL)
    .toContain("xterm-helper");
}

/** Enters a terminal that nobody has entered yet, and waits until it has this page's grid. */
async function enterFirst(visitor: Visitor, id: string): Promise<{ cols: number; rows: number }> {
  await enter(visitor, id);
  await expect.poll(async () => (await gridOf(id)).cols, POLL).toBeGreaterThan(80);
  return gridOf(id);
}

async function screenOf({ page }: Visitor, id: string): Promise<string> {
  return screenText(tile(page, id));
}

async function zoomOf({ page }: Visitor): Promise<number> {
  const style = await page.locator(".react-flow__viewport").getAttribute("style");
  return Number(/scale\(([\d.]+)\)/.exec(style ?? "")?.[1]);
}

/** Puts the camera where a test needs it, as an earlier visit of this browser would have left it. */
async function lookAt({ page }: Visitor, camera: { x: number; y: number; zoom: number }): Promise<void> {
  await page.evaluate((kept) => localStorage.setItem("kolu.camera", kept), JSON.stringify(camera));
  await page.reload();
}

async function preferredFontPx(): Promise<number> {
  await using link = await kolu.padi();
  for await (const { fontPx } of link.client.subscribe("preferences.watch", {})) return fontPx;
  throw new Error("padi says no preferences");
}

/** How many viewers kaval has on each terminal. */
async function viewers(): Promise<Map<string, number>> {
  await using link = await dialRpc(kavalContract, { socketPath: kolu.places.kavalSocket });
  const { terminals } = await link.client.call("terminal.list", {});
  return new Map(terminals.map((terminal) => [terminal.id as string, terminal.viewers]));
}

function apart(boxes: Iterable<Layout>): boolean {
  const all = [...boxes];
  return all.every((a, i) =>
    all
      .slice(i + 1)
      .every((b) => a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y),
  );
}

test("at every zoom the mouse means the cell under it, text is laid out anew, and the program's grid stays", async () => {
  const { id, received } = await captureInput("\\e[?1000h\\e[?1006h");
  await using visitor = await visit();
  const { page } = visitor;
  await tile(page, id).waitFor();
  // The first focus gives the terminal this page's grid; from then on nothing may change it.
  const grid = await enterFirst(visitor, id);
  const fontPx = await preferredFontPx();
  for (const zoom of [0.5, 0.83, 1, 1.5, 2]) {
    const box = (await layouts()).get(id)!;
    await lookAt(visitor, { x: Math.round(20 - box.x * zoom), y: Math.round(20 - box.y * zoom), zoom });
    const rows = tile(page, id).locator(".xterm-rows");
    await expect.poll(() => rows.locator("> div").count(), POLL).toBe(grid.rows);
    await tile(page, id).locator(".tile-screen[aria-busy=false]").waitFor();
    const font = Number.parseFloat(await rows.evaluate((element) => getComputedStyle(element).fontSize));
    expect(Math.abs(font / zoom - fontPx)).toBeLessThan(0.8);
    const screen = (await tile(page, id).locator(".xterm-screen").boundingBox())!;
    const cell = { w: screen.width / grid.cols, h: screen.height / grid.rows };
    const layout = await tile(page, id)
      .locator(".xterm-screen")
      .evaluate((element: HTMLElement) => element.offsetWidth);
    // Net unscaled: what the page lays out is what the screen shows.
    expect(Math.abs(layout - screen.width)).toBeLessThan(0.1);
    for (const [col, row] of [
      [0, 0],
      [7, 2],
      [31, 9],
      [60, 14],
    ] as const) {
      const before = (await received()).length;
      await page.mouse.click(screen.x + (col + 0.5) * cell.w, screen.y + (row + 0.5) * cell.h);
      await expect
        .poll(async () => (await received()).subarray(before).toString(), POLL)
        .toContain(`\x1b[<0;${col + 1};${row + 1}M`);
    }
    expect(await gridOf(id)).toEqual(grid);
  }
});

test("the wheel pans over the floor, scrolls over a terminal, pans there with Shift, and zooms with Ctrl", async () => {
  const id = await createTerminal({ argv: ["/bin/sh", "-c", "seq 1 200; exec cat"] });
  await using visitor = await visit();
  const { page } = visitor;
  await expect.poll(() => screenOf(visitor, id), POLL).toContain("200");
  const corner = async (): Promise<{ x: number; y: number }> => {
    const { x, y } = (await tile(page, id).boundingBox())!;
    return { x: Math.round(x), y: Math.round(y) };
  };
  const start = await corner();
  const inside = { x: start.x + 200, y: start.y + 200 };
  await page.mouse.move(inside.x, inside.y);
  await page.mouse.wheel(0, -400);
  await expect.poll(() => screenOf(visitor, id), POLL).not.toContain("200");
  expect(await corner()).toEqual(start);
  await tile(page, id).getByRole("button", { name: "Newest" }).click();
  await expect.poll(() => screenOf(visitor, id), POLL).toContain("200");
  await page.mouse.move(inside.x, inside.y);
  await page.keyboard.down("Shift");
  await page.mouse.wheel(0, 120);
  await page.keyboard.up("Shift");
  await expect.poll(corner, POLL).toEqual({ x: start.x, y: start.y - 120 });
  await page.mouse.move(start.x - 20, start.y + 100);
  await expect
    .poll(async () => {
      await page.mouse.wheel(30, -120);
      return (await corner()).x;
    }, POLL)
    .toBeLessThan(start.x);
  const zoom = await zoomOf(visitor);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, 100);
  await page.keyboard.up("Control");
  await expect.poll(() => zoomOf(visitor), POLL).toBeLessThan(zoom);
});

test("scrolling to the top brings older history, and the place stays", async () => {
  const id = await createTerminal({ argv: ["/bin/sh", "-c", "seq 1 6000; exec cat"] });
  await using visitor = await visit();
  const { page } = visitor;
  await expect.poll(() => screenOf(visitor, id), POLL).toContain("6000");
  await enter(visitor, id);
  const firstLine = async (): Promise<number> =>
    Number((await tile(page, id).locator(".xterm-rows > div").first().textContent())?.trim());
  const afterPages = async (): Promise<number> => {
    for (let pages = 0; pages < 5; pages++) await page.keyboard.press("Shift+PageUp");
    return firstLine();
  };
  // The first snapshot carries about a thousand lines; at its top the older ones come in above, and the way up goes on.
  await expect.poll(afterPages, POLL).toBeLessThan(5_100);
  expect(await firstLine()).toBeGreaterThan(4_500);
  await expect.poll(afterPages, { ...POLL, timeout: 60_000 }).toBe(1);
});

test("a dragged tile snaps to the grid, the others stay, and undo puts it back", async () => {
  const [first, second] = [await createTerminal(), await createTerminal()];
  await using visitor = await visit();
  const { page } = visitor;
  await expect.poll(async () => (await layouts()).size, POLL).toBe(2);
  const before = await layouts();
  const title = (await tile(page, first).locator(".tile-bar").boundingBox())!;
  await page.mouse.move(title.x + title.width / 2, title.y + title.height / 2);
  await page.mouse.down();
  await page.mouse.move(title.x + title.width / 2 - 70, title.y - 95, { steps: 6 });
  await page.mouse.up();
  await expect.poll(async () => (await layouts()).get(first), POLL).not.toEqual(before.get(first));
  const moved = (await layouts()).get(first)!;
  expect([moved.x % 24, moved.y % 24].map(Math.abs)).toEqual([0, 0]);
  expect((await layouts()).get(second)).toEqual(before.get(second));
  await page.getByRole("button", { name: "Undo the last change of the layout" }).click();
  await expect.poll(layouts, POLL).toEqual(before);
  await page.getByRole("button", { name: "Redo" }).click();
  await expect.poll(async () => (await layouts()).get(first), POLL).toEqual(moved);
});

test("a tile resized by its corner gives the program in it the new grid", async () => {
  const id = await createTerminal();
  await using visitor = await visit();
  const { page } = visitor;
  await tile(page, id).waitFor();
  const before = await enterFirst(visitor, id);
  const box = (await tile(page, id).boundingBox())!;
  await page.mouse.move(box.x + box.width - 2, box.y + box.height - 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 170, box.y + box.height - 130, { steps: 6 });
  await page.mouse.up();
  await expect.poll(async () => (await gridOf(id)).cols, POLL).toBeLessThan(before.cols - 10);
  await expect.poll(async () => (await gridOf(id)).rows, POLL).toBeLessThan(before.rows - 3);
  const { w, h } = (await layouts()).get(id)!;
  expect([w % 24, h % 24]).toEqual([0, 0]);
});

test("new tiles take free places, wherever they are made, and move nothing", async () => {
  const first = await createTerminal();
  await using visitor = await visit();
  const { page } = visitor;
  await tile(page, first).waitFor();
  await expect.poll(async () => (await layouts()).size, POLL).toBe(1);
  const placed = (await layouts()).get(first);
  await enter(visitor, first);
  // In one breath, and one from elsewhere at the same time.
  for (let count = 2; count <= 4; count++) await page.keyboard.press("Control+Shift+Enter");
  await createTerminal();
  await expect.poll(async () => (await layouts()).size, POLL).toBe(5);
  await page.getByRole("button", { name: "Fit all" }).click();
  await expect.poll(() => zoomOf(visitor), POLL).toBeLessThan(0.9);
  await page.locator(".plane:not([data-moving])").waitFor();
  const floor = (await page.locator(".react-flow__pane").boundingBox())!;
  await page.mouse.dblclick(floor.x + 6, floor.y + 6);
  await page.getByRole("dialog", { name: "New terminal" }).getByLabel("Plain shell").check();
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await layouts()).size, POLL).toBe(6);
  const all = await layouts();
  expect(all.get(first)).toEqual(placed);
  expect(apart(all.values())).toBe(true);
});

test("from afar tiles are cards with their last lines and no stream; close by they are terminals again", async () => {
  const id = await createTerminal({ argv: ["/bin/sh", "-c", "echo last-words; exec cat"] });
  await using visitor = await visit();
  const { page } = visitor;
  await expect.poll(() => screenOf(visitor, id), POLL).toContain("last-words");
  expect((await viewers()).get(id)).toBe(1);
  await lookAt(visitor, { x: 300, y: 300, zoom: 0.3 });
  await expect.poll(() => page.locator(".card-lines").textContent(), POLL).toContain("last-words");
  await expect.poll(async () => (await viewers()).get(id), POLL).toBe(0);
  await page.locator(".card-inside").dblclick();
  await expect.poll(() => screenOf(visitor, id), POLL).toContain("last-words");
  await expect.poll(async () => (await viewers()).get(id), POLL).toBe(1);
});

test("a terminal that leaves the screen ends its stream, and shows what it missed when it comes back", async () => {
  const id = await createTerminal();
  await using visitor = await visit();
  await visitor.page.locator(".xterm-rows").waitFor();
  await lookAt(visitor, { x: -40_000, y: 0, zoom: 1 });
  await expect.poll(async () => (await viewers()).get(id), POLL).toBe(0);
  await using link = await kolu.padi();
  await link.client.call("terminal.sendInput", { id, text: "echo missed-$((5*5))-lines" });
  await link.client.call("terminal.sendInput", { id, key: "Enter" });
  await link.client.call("terminal.wait", { id, until: { kind: "match", pattern: "missed-25-lines" } });
  // The wait itself was a viewer until just now.
  await expect.poll(async () => (await viewers()).get(id), POLL).toBe(0);
  await visitor.page.getByRole("button", { name: "Fit all" }).click();
  await expect.poll(() => screenOf(visitor, id), POLL).toContain("missed-25-lines");
});

test("maximising keeps the keyboard, gives the program the whole screen, and back again", async () => {
  const id = await createTerminal();
  await using visitor = await visit();
  const { page } = visitor;
  await tile(page, id).waitFor();
  const before = await enterFirst(visitor, id);
  await tile(page, id)
    .locator(".tile-bar")
    .dblclick({ position: { x: 300, y: 12 } });
  await page.locator(".tile[data-maximised]").waitFor();
  await expect.poll(async () => (await gridOf(id)).cols, POLL).toBeGreaterThan(before.cols + 20);
  await page.keyboard.type("echo still-$((40+2))-here");
  await page.keyboard.press("Enter");
  await expect.poll(() => screenOf(visitor, id), POLL).toContain("still-42-here");
  await page.keyboard.press("Control+Shift+M");
  await expect.poll(() => gridOf(id), POLL).toEqual(before);
  await page.keyboard.type("echo and-$((40+3))-again");
  await page.keyboard.press("Enter");
  await expect.poll(() => screenOf(visitor, id), POLL).toContain("and-43-again");
});

test("a viewer that only looks changes no grid: it shows the other's, drawn small enough to be whole", async () => {
  const id = await createTerminal();
  await using here = await visit();
  await tile(here.page, id).waitFor();
  const ofTile = await enterFirst(here, id);
  await here.page.keyboard.press("Control+Shift+M");
  await expect.poll(async () => (await gridOf(id)).rows, POLL).toBeGreaterThan(ofTile.rows + 10);
  const ofScreen = await gridOf(id);
  await using there = await visit();
  const rows = tile(there.page, id).locator(".xterm-rows > div");
  await expect.poll(() => rows.count(), POLL).toBe(ofScreen.rows);
  const [body, screen] = await Promise.all([
    tile(there.page, id).locator(".tile-body").boundingBox(),
    tile(there.page, id).locator(".xterm-screen").boundingBox(),
  ]);
  expect(screen!.y + screen!.height).toBeLessThanOrEqual(body!.y + body!.height);
  expect(await gridOf(id)).toEqual(ofScreen);
  await enter(there, id);
  await expect.poll(() => gridOf(id), POLL).toEqual(ofTile);
  await enter(here, id);
  await expect.poll(() => gridOf(id), POLL).toEqual(ofScreen);
});

test("questions of programs are answered once, by kaval, however many pages look", async () => {
  await using here = await visit();
  await using there = await visit();
  const { id, received } = await captureInput();
  for (const { page } of [here, there]) await tile(page, id).locator(".xterm-rows").waitFor();
  await expect.poll(async () => (await viewers()).get(id), POLL).toBe(2);
  const asking = await captureInput("\\e[c\\e[>c\\e[6n\\e[?2004$p\\e]11;?\\e\\\\\\e[?1004h\\e[5n");
  // The last question's answer comes after all others.
  await expect.poll(async () => (await asking.received()).toString(), POLL).toMatch(/\x1b\[0n/);
  for (const { page } of [here, there]) await tile(page, asking.id).locator(".xterm-rows").waitFor();
  await expect.poll(async () => (await viewers()).get(asking.id), POLL).toBe(2);
  const answers = (await asking.received()).toString();
  for (const answer of [
    /\x1b\[\?[\d;]+c/g,
    /\x1b\[>[\d;]+c/g,
    /\x1b\[\d+;\d+R/g,
    /\x1b\[\?2004;\d\$y/g,
    /\x1b\]11;/g,
  ])
    expect([answer.source, answers.match(answer)?.length]).toEqual([answer.source, 1]);
  expect(await received()).toHaveLength(0);
});

test("pastes of every size arrive whole, bracketed where the program asked for it", async () => {
  const plain = await captureInput();
  const bracketed = await captureInput("\\e[?2004h");
  await using visitor = await visit();
  await visitor.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const digest = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
  for (const { id, received } of [plain, bracketed]) {
    await enter(visitor, id);
    for (const size of [1, 4, 64, 1024]) {
      const before = (await received()).length;
      const text = `語👍🏽\n${"0123456789abcdef".repeat(size * 64)}`;
      await visitor.page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
      await visitor.page.keyboard.press("Control+Shift+V");
      const typed = text.replace("\n", "\r");
      const expected = Buffer.from(id === bracketed.id ? `\x1b[200~${typed}\x1b[201~` : typed);
      await expect.poll(async () => (await received()).length - before, POLL).toBe(expected.length);
      expect(digest((await received()).subarray(before))).toBe(digest(expected));
    }
  }
});

test("Shift, Alt and Ctrl with Enter are a newline for agents, Enter submits, composed text arrives once", async () => {
  const { id, received } = await captureInput();
  await using visitor = await visit();
  const { page, context } = visitor;
  await enter(visitor, id);
  for (const chord of ["Shift+Enter", "Alt+Enter", "Control+Enter", "Enter"])
    await page.keyboard.press(chord);
  await expect.poll(async () => (await received()).toString(), POLL).toBe("\x1b\r\x1b\r\x1b\r\r");
  const cdp = await context.newCDPSession(page);
  for (const text of ["に", "日本"])
    await cdp.send("Input.imeSetComposition", {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
  // The page is busy just then: the end of the composition and the next keys arrive in one breath.
  const busy = page.evaluate(() => {
    const untilMs = performance.now() + 300;
    while (performance.now() < untilMs);
  });
  const sent = [
    cdp.send("Input.insertText", { text: "日本語" }),
    page.keyboard.press("x"),
    page.keyboard.press("Enter"),
  ];
  await Promise.all([busy, ...sent]);
  await expect.poll(async () => (await received()).toString(), POLL).toBe("\x1b\r\x1b\r\x1b\r\r日本語x\r");
});

test("a program's text for the clipboard is asked about, and its question for the clipboard never answered", async () => {
  await using visitor = await visit();
  await visitor.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const { page } = visitor;
  await page.evaluate(() => navigator.clipboard.writeText("mine"));
  const offer = Buffer.from("from the program").toString("base64");
  const { id, received } = await captureInput();
  await enter(visitor, id);
  // Typed at a shell rather than printed at once: an offer from before this page came is nobody's any more.
  const shell = await createTerminal();
  await enter(visitor, shell);
  await page.keyboard.type(`printf '\\033]52;c;?\\007\\033]52;c;${offer}\\007'`);
  await page.keyboard.press("Enter");
  const saying = tile(page, shell).locator(".saying");
  await expect.poll(() => saying.textContent(), POLL).toContain("16 characters for your clipboard");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("mine");
  await saying.getByRole("button", { name: "Copy" }).click();
  // With what the page says, should it not have been allowed to.
  const copied = async () => [
    await page.evaluate(() => navigator.clipboard.readText()),
    await page.locator(".notice").allTextContents(),
  ];
  await expect.poll(copied, POLL).toEqual(["from the program", []]);
  expect(await received()).toHaveLength(0);
});

test("over a line that drops twenty times, input arrives once and in order, and output has each line once", async () => {
  const { id, received } = await captureInput();
  await using visitor = await visit();
  const { page } = visitor;
  await page.addInitScript(() => {
    const Real = WebSocket;
    const streams: WebSocket[] = [];
    class Kept extends Real {
      constructor(url: string | URL, protocols?: string | string[]) {
        super(url, protocols);
        if (String(url).includes("/attach/")) streams.push(this);
      }
    }
    Object.assign(window, { WebSocket: Kept, dropStream: () => streams.at(-1)?.close() });
  });
  await page.reload();
  await enter(visitor, id);
  let typed = "";
  for (let index = 0; index < 200; index++) {
    const key = String.fromCharCode(97 + (index % 26));
    typed += key;
    await page.keyboard.press(key);
    if (index % 10 === 4) await page.evaluate("dropStream()");
  }
  await expect.poll(async () => (await received()).toString(), POLL).toBe(typed);

  const shell = await createTerminal();
  await enter(visitor, shell);
  // One long wrapped text that just fits the screen: a piece too many or too few shows in it.
  const parts = Array.from({ length: 240 }, (_, index) => `r${index + 1}.`);
  await page.keyboard.type(
    "clear; for i in $(seq 1 240); do printf r$i.; sleep 0.02; done; echo; echo all-$((1+1))-done",
  );
  await page.keyboard.press("Enter");
  const seen = async (): Promise<string> => (await screenOf(visitor, shell)).replaceAll(/\s/g, "");
  for (let drop = 0; drop < 20; drop++) {
    const before = await seen();
    await page.evaluate("dropStream()");
    await expect.poll(seen, POLL).not.toBe(before);
    if ((await seen()).includes("all-2-done")) break;
  }
  await expect.poll(seen, POLL).toContain("all-2-done");
  expect(await seen()).toContain(`${parts.join("")}all-2-done`);
});

test("output faster than a page can draw ends with the right screen, and others answer meanwhile", async () => {
  const [flooding, calm] = [await createTerminal(), await createTerminal()];
  await using visitor = await visit();
  const { page } = visitor;
  await enter(visitor, flooding);
  await page.keyboard.type("head -c 30000000 /dev/zero | tr '\\0' x | fold -w 79; echo all-$((1+1))-done");
  await page.keyboard.press("Enter");
  await expect.poll(() => screenOf(visitor, flooding), POLL).toContain("xxxx");
  await enter(visitor, calm);
  await page.keyboard.type("echo calm-$((2+2))-answer");
  await page.keyboard.press("Enter");
  await expect.poll(() => screenOf(visitor, calm), POLL).toContain("calm-4-answer");
  await expect.poll(() => screenOf(visitor, flooding), { ...POLL, timeout: 60_000 }).toContain("all-2-done");
});

test("erasing above the cursor in the last column of the last row does not end the terminal", async () => {
  const { id } = await captureInput("top\\e[999;999H\\e[1Jafter-the-erasure");
  await using visitor = await visit();
  await expect.poll(() => screenOf(visitor, id), POLL).toContain("after-the-erasure");
  expect(await screenOf(visitor, id)).not.toContain("top");
  expect(visitor.faults).toEqual([]);
});

test("several selected tiles can still be typed into", async () => {
  const ids = [await createTerminal(), await createTerminal()];
  await using visitor = await visit();
  const { page } = visitor;
  await lookAt(visitor, { x: 60, y: 60, zoom: 0.5 });
  for (const id of ids) await tile(page, id).locator(".xterm-rows").waitFor();
  await page.keyboard.down("Shift");
  await page.mouse.move(330, 90);
  await page.mouse.down();
  await page.mouse.move(1590, 900, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  await expect.poll(() => page.locator(".react-flow__node.selected").count(), POLL).toBe(2);
  await enter(visitor, ids[1]!);
  await page.keyboard.type("echo typed-$((3+4))");
  await page.keyboard.press("Enter");
  await expect.poll(() => screenOf(visitor, ids[1]!), POLL).toContain("typed-7");
});

test("a split is a tab of its tile, and closing the tile asks and closes all", async () => {
  const id = await createTerminal();
  await using visitor = await visit();
  const { page } = visitor;
  await tile(page, id).waitFor();
  await enter(visitor, id);
  await page
    .locator(".tile")
    .getByRole("button", { name: /^Split/ })
    .click();
  await page.getByRole("tab").nth(1).waitFor();
  await expect.poll(() => page.locator(".tile[data-active] .xterm.focus").count(), POLL).toBe(1);
  await page.keyboard.type("echo in-$((3*3))-split");
  await page.keyboard.press("Enter");
  await expect
    .poll(async () => (await page.locator(".xterm-rows").allTextContents()).join(), POLL)
    .toContain("in-9-split");
  expect(await page.locator(".tile").count()).toBe(1);
  await page.getByRole("tab").first().click();
  await expect.poll(() => screenOf(visitor, id), POLL).not.toContain("in-9-split");
  await page.locator(".tile-bar").getByRole("button", { name: "Close" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
  expect(await page.getByRole("tab").count()).toBe(2);
  await page.locator(".tile-bar").getByRole("button", { name: "Close" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Close" }).click();
  await page.locator(".tile").waitFor({ state: "detached" });
  expect(await kolu.ok(["ls", "--json"])).not.toContain(id);
});

test("a program that ended badly keeps its last screen until it is closed", async () => {
  await using visitor = await visit();
  const { page } = visitor;
  const id = await createTerminal();
  await enter(visitor, id);
  await page.keyboard.type("echo famous-$((6*7))-words; exit 3");
  await page.keyboard.press("Enter");
  await expect.poll(() => screenOf(visitor, id), POLL).toContain("famous-42-words");
  await expect
    .poll(() => tile(page, id).locator(".saying").textContent(), POLL)
    .toContain("Ended with status 3");
  await tile(page, id).locator(".saying").getByRole("button", { name: "Close" }).click();
  await tile(page, id).waitFor({ state: "detached" });
});

test("thirty tiles are all painted, none blank, and none reports a lost context", async () => {
  const ids: string[] = [];
  for (let index = 0; index < 30; index++)
    ids.push(await createTerminal({ argv: ["/bin/sh", "-c", `seq 1 60; echo tile-${index}-end; exec cat`] }));
  await using visitor = await visit({ width: 2400, height: 1400 });
  const { page, faults } = visitor;
  await expect.poll(async () => (await layouts()).size, POLL).toBe(30);
  const boxes = [...(await layouts()).values()];
  const left = Math.min(...boxes.map(({ x }) => x));
  const top = Math.min(...boxes.map(({ y }) => y));
  await lookAt(visitor, { x: Math.round(20 - left * 0.42), y: Math.round(20 - top * 0.42), zoom: 0.42 });
  await expect.poll(() => page.locator(".tile-screen[aria-busy=false]").count(), POLL).toBe(30);
  for (const [index, id] of ids.entries())
    await expect.poll(() => screenOf(visitor, id), POLL).toContain(`tile-${index}-end`);
  expect(faults).toEqual([]);
});
