// How terminals are drawn: the one that somebody works in lives on the page, the others are painted by a worker, and
// nobody sees where one takes the other's place.
import { expect, test } from "vitest";
import { openKolu, screenText, tile, type Visitor } from "./browser.ts";
import { type Difference, differenceOf } from "./picture-difference.ts";
import { browser, kolu, POLL, shareKolu } from "./shared-kolu.ts";

/** More than are ever live at once, so that most are painted. */
const COUNT = 6;

/** Everything that a cell can look like, and an end to wait for. */
const LOOKS = [
  "plain text 0123456789 \\e[1mbold\\e[0m \\e[3mitalic\\e[0m \\e[2mdim\\e[0m \\e[4munderlined\\e[0m \\e[9mstruck\\e[0m",
  "\\e[7mturned\\e[0m \\e[41;97m on red \\e[0m\\e[30;42m on green \\e[0m\\e[38;2;40;60;120m too dark to read \\e[0m",
  "\\e[31mred \\e[1mbold\\e[0m \\e[38;5;208mindexed\\e[0m \\e[38;2;180;90;220mrgb\\e[0m \\e[8mhidden\\e[0m",
  "\\e[94mbright blue on the floor of a \\e[48;5;236mbar\\e[0m",
  "┌──────┬──────┐ ╔═══╗ ▁▂▃▄▅▆▇█ ░▒▓ ⠋⠙⠹",
  "│ box  │ draw │ ║ x ║ ▌▐▀▄",
  "└──────┴──────┘ ╚═══╝",
  "naïve café → ≠ ≤ ✻ ● ○ … ·",
];

shareKolu();

/** Six tiles side by side at 100 %; the first has the keyboard. */
async function six(script: (n: number) => string, ratio = 1): Promise<{ visitor: Visitor; ids: string[] }> {
  await using link = await kolu.padi();
  const ids: string[] = [];
  for (let n = 0; n < COUNT; n++) {
    const argv = ["/bin/bash", "-c", script(n)];
    const { id } = await link.client.call("terminal.create", { placement: { kind: "toplevel" }, argv });
    const layout = { x: (n % 3) * 648, y: Math.floor(n / 3) * 432, w: 624, h: 408 };
    await link.client.call("layout.set", { layouts: [{ id, layout }] });
    ids.push(id);
  }
  const visitor = await browser.newVisitor({ width: 2300, height: 1000, ratio });
  const { page } = visitor;
  await openKolu(page, await kolu.ok(["open", "--link"]));
  await page.evaluate(
    ([camera, ui]) => {
      localStorage.setItem("kolu.camera", camera!);
      localStorage.setItem("kolu.ui", ui!);
    },
    [JSON.stringify({ x: 12, y: 12, zoom: 1 }), JSON.stringify({ activeId: ids[0] })],
  );
  await page.reload();
  await expect.poll(() => page.locator(".tile-screen[aria-busy=false]").count(), POLL).toBe(COUNT);
  return { visitor, ids };
}

function kindOf({ page }: Visitor, id: string): Promise<string> {
  return tile(page, id)
    .locator(".terminal-slot")
    .evaluate((slot) =>
      [...slot.children]
        .map((host) => (host.classList.contains("painted") ? "painted" : "live"))
        .sort()
        .join(),
    );
}

/** The pixels of a tile's screen, whole pixels only. */
async function pictureOf({ page }: Visitor, id: string): Promise<Buffer> {
  const box = (await tile(page, id).locator(".tile-screen").boundingBox())!;
  const [x, y] = [Math.ceil(box.x), Math.ceil(box.y)];
  return page.screenshot({
    clip: { x, y, width: Math.floor(box.x + box.width) - x, height: Math.floor(box.y + box.height) - y },
    animations: "disabled",
  });
}

const echo = (lines: readonly string[]): string =>
  `printf '${lines.join("\\n")}\\n'; printf '\\e[?25l'; exec cat`;

for (const ratio of [1, 2])
  test(`a painted terminal looks like the live one that takes its place, cell by cell, at ${ratio} pixels a pixel`, async () => {
    const { visitor, ids } = await six(() => echo([...LOOKS, "the end"]), ratio);
    await using _ = visitor;
    const id = ids[4]!;
    expect(await kindOf(visitor, id)).toBe("painted");
    await expect.poll(() => screenText(tile(visitor.page, id)), POLL).toContain("the end");
    const painted = await pictureOf(visitor, id);
    // The pointer rests below the text, where nothing answers to it.
    await tile(visitor.page, id)
      .locator(".tile-screen")
      .hover({ position: { x: 300, y: 330 } });
    await expect.poll(() => kindOf(visitor, id), POLL).toBe("live");
    let difference: Difference = { strongShare: 1, mean: 255 };
    await expect
      .poll(async () => {
        difference = await differenceOf(painted, await pictureOf(visitor, id));
        return difference.strongShare;
      }, POLL)
      .toBeLessThan(0.004);
    // Anti-aliasing alone: of all channels less than one step of 256 on average.
    expect(difference.mean).toBeLessThan(1);
  });

test("only what somebody works in is live, the rest is painted and goes on", async () => {
  const { visitor, ids } = await six((n) =>
    n === 5 ? "echo begun; read -r; while :; do echo $((++i)) goes on; sleep 0.05; done" : "exec cat",
  );
  await using _ = visitor;
  const kinds = await Promise.all(ids.map((id) => kindOf(visitor, id)));
  expect(kinds).toEqual(["live", "painted", "painted", "painted", "painted", "painted"]);
  await using link = await kolu.padi();
  await link.client.call("terminal.sendInput", { id: ids[5]!, key: "Enter" });
  await expect.poll(() => screenText(tile(visitor.page, ids[5]!)), POLL).toMatch(/\b3 goes on/);
  const before = await pictureOf(visitor, ids[5]!);
  await expect.poll(() => screenText(tile(visitor.page, ids[5]!)), POLL).toMatch(/\b40 goes on/);
  expect((await differenceOf(before, await pictureOf(visitor, ids[5]!))).strongShare).toBeGreaterThan(0);
  expect(await kindOf(visitor, ids[5]!)).toBe("painted");
  expect(visitor.faults).toEqual([]);
});

test("a press into a painted terminal gives it the keyboard, and nothing that is typed at once is lost", async () => {
  const { visitor, ids } = await six(() => "exec cat");
  await using _ = visitor;
  const { page } = visitor;
  const id = ids[3]!;
  await page.mouse.move(5, 5);
  const box = (await tile(page, id).locator(".tile-screen").boundingBox())!;
  await page.mouse.click(box.x + 200, box.y + 200);
  await page.keyboard.type("typed at once");
  await expect.poll(() => screenText(tile(page, id)), POLL).toContain("typed at once");
  expect(await kindOf(visitor, id)).toBe("live");
  expect(await page.locator(".tile[data-active]").getAttribute("data-terminal")).toBe(id);
});

test("the wheel over a painted terminal scrolls it, and scrolled back it stays where it is", async () => {
  const { visitor, ids } = await six(() => "seq 1 300; exec cat");
  await using _ = visitor;
  const { page } = visitor;
  const id = ids[2]!;
  await expect.poll(() => screenText(tile(page, id)), POLL).toContain("300");
  const box = (await tile(page, id).locator(".tile-screen").boundingBox())!;
  await page.mouse.move(box.x + 200, box.y + 200);
  await page.mouse.wheel(0, -900);
  await expect.poll(() => screenText(tile(page, id)), POLL).not.toContain("300");
  // Others are worked in, one after the other; this one is still read.
  const read = await screenText(tile(page, id));
  for (const other of [ids[0]!, ids[1]!, ids[3]!, ids[4]!, ids[5]!]) {
    await tile(page, other)
      .locator(".tile-screen")
      .click({ position: { x: 100, y: 100 } });
    await expect.poll(() => kindOf(visitor, other), POLL).toBe("live");
  }
  await expect.poll(() => kindOf(visitor, ids[0]!), POLL).toBe("painted");
  expect(await screenText(tile(page, id))).toBe(read);
});

test("a selection and the search work after one press", async () => {
  const { visitor, ids } = await six(() => "echo alpha beta gamma; exec cat");
  await using _ = visitor;
  await visitor.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const { page } = visitor;
  const screen = tile(page, ids[4]!).locator(".tile-screen");
  await screen.click({ position: { x: 100, y: 200 } });
  await expect.poll(() => kindOf(visitor, ids[4]!), POLL).toBe("live");
  await screen.dblclick({ position: { x: 24, y: 14 } });
  await page.keyboard.press("Control+Shift+C");
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText()), POLL).toBe("alpha");
  await tile(page, ids[5]!)
    .getByRole("button", { name: /^Search/ })
    .click();
  await page.getByRole("textbox", { name: "Search in this terminal" }).fill("gamma");
  await expect.poll(() => page.locator(".search-count").textContent(), POLL).toBe("1/1");
});

test("a painted terminal takes its theme's colours and its program's own", async () => {
  const { visitor, ids } = await six((n) =>
    n === 3 ? "printf '\\e]11;#204060\\e\\\\ own floor'; exec cat" : "exec cat",
  );
  await using _ = visitor;
  const { page } = visitor;
  const floorOf = (id: string): Promise<string> =>
    pictureOf(visitor, id).then((picture) =>
      page.evaluate(async (base64) => {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        const context = new OffscreenCanvas(1, 1).getContext("2d")!;
        context.drawImage(await createImageBitmap(new Blob([bytes])), -300, -200);
        return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)].join();
      }, picture.toString("base64")),
    );
  await expect.poll(() => floorOf(ids[3]!), POLL).toBe("32,64,96");
  await using link = await kolu.padi();
  await link.client.call("terminal.setTheme", { id: ids[4]!, themeName: "Kolu Paper" });
  await expect.poll(() => floorOf(ids[4]!), POLL).toBe("255,255,255");
});
