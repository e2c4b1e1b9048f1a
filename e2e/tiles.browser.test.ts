// Tiles on a whole kolu and a real browser: what their title bars say, and what can be done with a terminal in its tile:
// files handed over, pictures taken, links followed, text searched.
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { agentForTest, gitForTest, idForTest, recordForTest } from "@kolu/client/store/record-for-test.ts";
import type { PullRequest } from "@kolu/contract/terminal.ts";
import { expect, test } from "vitest";
import { openKolu, tile, type Visitor } from "./browser.ts";
import { startScene } from "./scene.ts";
import { browser, captureInput, createTerminal, kolu, POLL, shareKolu, visit } from "./shared-kolu.ts";

shareKolu();

/** Gives the keyboard to a terminal whose screen is there. */
async function enter({ page }: Visitor, id: string): Promise<void> {
  await tile(page, id).locator(".tile-screen[aria-busy=false]").waitFor();
  await tile(page, id)
    .locator(".tile-screen")
    .click({ position: { x: 40, y: 200 } });
  const focused = tile(page, id).locator(".xterm-helper-textarea:focus");
  await expect.poll(() => focused.count(), POLL).toBe(1);
}

/** Drops files on a tile as a file manager does. */
async function drop({ page }: Visitor, id: string, files: { name: string; bytes: number }[]): Promise<void> {
  await tile(page, id)
    .locator(".tile-screen")
    .evaluate((screen, dropped) => {
      const dataTransfer = new DataTransfer();
      for (const { name, bytes } of dropped) dataTransfer.items.add(new File(["x".repeat(bytes)], name));
      for (const kind of ["dragover", "drop"])
        screen.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
    }, files);
}

const uploads = (): string => join(kolu.places.stateRoot, "uploads");
const BRACKETED = "\\e[?2004h";

test("a title bar says branch, task, state, tokens, running time and pull request, and never overflows", async () => {
  const pr: PullRequest = {
    number: 1234,
    title: "Mend the parser",
    url: "https://github.com/o/r/pull/1234",
    state: "open",
    isDraft: false,
    checks: "fail",
    checkRuns: [
      { name: "lint", outcome: "fail" },
      { name: "build", outcome: "pass" },
    ],
  };
  const agent = agentForTest({
    state: "thinking",
    bucket: "working",
    sinceMs: Date.now() - 125_000,
    startedAtMs: Date.now() - 3_900_000,
    contextTokens: 47_123,
    title: "Teach the parser to go on after an error in the middle of a long list",
    todos: { completed: 3, total: 7 },
  });
  const git = gitForTest("atlas", "feat/parser-recovery");
  const widths = [1100, 760, 600, 480, 380, 300, 220, 160];
  const records = widths.map((w, index) =>
    recordForTest(index + 1, { git, pr, agent, layout: { x: 0, y: index * 120, w, h: 100 } }),
  );
  await using scene = await startScene(records);
  await using visitor = await browser.newVisitor();
  const { page } = visitor;
  await page.addInitScript(() =>
    localStorage.setItem("kolu.camera", JSON.stringify({ x: 300, y: 10, zoom: 1 })),
  );
  await openKolu(page, await scene.newLink());
  const bar = tile(page, idForTest(1)).locator(".tile-bar");
  await expect
    // biome-ignore lint/performance/useDomNodeTextContent: what is hidden says nothing to anybody
    .poll(() => bar.innerText().then((text) => text.replaceAll(/\s+/g, " ")), POLL)
    .toMatch(/atlas feat\/parser-recovery Teach the parser.* 3\/7 Thinking ?2m 47K 1h 5m #1234/);
  const link = bar.getByRole("link");
  expect(await link.getAttribute("href")).toBe(pr.url);
  expect(await link.getAttribute("aria-label")).toBe(
    "Pull request 1234 (open): Mend the parser. 1 of 2 checks failed: lint.",
  );
  const overflows = await page
    .locator(".tile-bar")
    .evaluateAll((bars) => bars.map((one) => one.scrollWidth - one.clientWidth));
  expect(overflows).toEqual(widths.map(() => 0));
  // What goes with the room: first what is nice to know, the name and the way out never.
  const narrow = tile(page, idForTest(7));
  expect(await narrow.locator(".tile-name").isVisible()).toBe(true);
  expect(await narrow.getByRole("button", { name: "Close", exact: true }).isVisible()).toBe(true);
  expect(await narrow.locator(".tile-tokens").isVisible()).toBe(false);
  // A frame moves only while something works.
  const frame = () =>
    tile(page, idForTest(1)).evaluate((one) => getComputedStyle(one, "::after").animationName);
  expect(await frame()).toBe("tile-work");
  scene.tell([{ ...records[0]!, agent: { ...agent, state: "waiting", bucket: "waiting" } }]);
  await expect.poll(frame, POLL).toBe("none");
  expect(visitor.faults).toEqual([]);
});

test("dropped files arrive whole under names of ours, and their paths are pasted, not submitted", async () => {
  const { id, text: received } = await captureInput(BRACKETED);
  await using visitor = await visit();
  await enter(visitor, id);
  await drop(visitor, id, [
    { name: "it's a $(report).PDF", bytes: 1_000_000 },
    { name: "notes.txt", bytes: 0 },
  ]);
  await expect.poll(received, POLL).toMatch(/\x1b\[201~$/);
  const [, first, second] = /^\x1b\[200~(\S+-it-s-a-report\.pdf) (\S+-notes\.txt) \x1b\[201~$/.exec(
    await received(),
  )!;
  expect(first!.startsWith(`${uploads()}/`)).toBe(true);
  const digest = (bytes: string | Buffer): string => createHash("sha256").update(bytes).digest("hex");
  expect(digest(await readFile(first!))).toBe(digest("x".repeat(1_000_000)));
  expect((await stat(second!)).size).toBe(0);
  expect((await stat(first!)).mode & 0o777).toBe(0o600);
  expect((await stat(uploads())).mode & 0o777).toBe(0o700);
  expect(visitor.faults).toEqual([]);
});

test("a file that is too large is refused in words, and one that is cancelled leaves nothing", async () => {
  const { id, text: received } = await captureInput(BRACKETED);
  await using visitor = await visit();
  const { page } = visitor;
  await enter(visitor, id);
  const before = (await readdir(uploads()).catch(() => [])).length;
  await drop(visitor, id, [{ name: "film.mkv", bytes: 51 * 1024 * 1024 }]);
  await expect
    .poll(
      () =>
        page
          .locator(".notice")
          .allTextContents()
          .then((texts) => texts.join()),
      POLL,
    )
    .toContain("film.mkv is too large: at most 50 MiB");
  const cancel = tile(page, id).getByRole("button", { name: "Cancel" });
  await drop(visitor, id, [{ name: "large.bin", bytes: 50 * 1024 * 1024 }]);
  await tile(page, id).getByRole("progressbar").waitFor();
  // By hand, so that no later frame of the bar makes the click wait until it is gone.
  await cancel.evaluate((button) => (button as HTMLButtonElement).click());
  await expect.poll(() => cancel.count(), POLL).toBe(0);
  await expect.poll(async () => (await readdir(uploads())).length, POLL).toBe(before);
  expect(await received()).toBe("");
});

test("a picture in the clipboard is handed over like a file; text stays text", async () => {
  const { id, text: received } = await captureInput(BRACKETED);
  await using visitor = await visit();
  const { page, context } = visitor;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await enter(visitor, id);
  await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(8, 8);
    canvas.getContext("2d")!.fillRect(0, 0, 8, 8);
    const png = await canvas.convertToBlob({ type: "image/png" });
    await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
  });
  await page.keyboard.press("Control+Shift+V");
  await expect.poll(received, POLL).toMatch(/^\x1b\[200~\S+-image\.png \x1b\[201~$/);
  const path = /~(\S+)/.exec(await received())![1]!;
  expect((await readFile(path)).subarray(1, 4).toString()).toBe("PNG");
});

test("a terminal's picture goes to the clipboard from its title bar", async () => {
  const id = await createTerminal();
  await using visitor = await visit();
  const { page, context } = visitor;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await enter(visitor, id);
  await tile(page, id).getByRole("button", { name: "Picture of this terminal" }).click();
  await page.locator(".notice", { hasText: "The picture is in your clipboard." }).waitFor();
  const types = await page.evaluate(async () =>
    (await navigator.clipboard.read()).flatMap(({ types }) => types),
  );
  expect(types).toEqual(["image/png"]);
});

/** The pointer on a text of a tile's screen; `at` says how far into it. */
async function pointAt(
  { page }: Visitor,
  id: string,
  text: string,
  at = 0.5,
): Promise<{ x: number; y: number }> {
  const find = () =>
    tile(page, id)
      .locator(".xterm-rows > div")
      .evaluateAll((rows, wanted) => {
        for (const row of rows) {
          const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
          for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const begin = node.textContent!.indexOf(wanted);
            if (begin < 0) continue;
            const range = document.createRange();
            range.setStart(node, begin);
            range.setEnd(node, begin + wanted.length);
            const { left, top, width, height } = range.getBoundingClientRect();
            return { left, top, width, height };
          }
        }
        return null;
      }, text);
  await expect.poll(find, POLL).not.toBeNull();
  const box = (await find())!;
  const point = { x: box.left + box.width * at, y: box.top + box.height / 2 };
  await page.mouse.move(point.x, point.y);
  return point;
}

/** What the pointer says it would do: a hand over a link. */
async function cursorOf({ page }: Visitor, id: string): Promise<boolean> {
  return (await tile(page, id).locator(".xterm-cursor-pointer").count()) > 0;
}

test("an address is one link, also where the terminal or a program has wrapped it", async () => {
  const long = `http://127.0.0.1:1/${"a".repeat(300)}/end`;
  const { id } = await captureInput(`${long}\r\n\r\n(see http://127.0.0.1:1/brief.)\r\n`);
  await using visitor = await visit();
  const { page, context } = visitor;
  await enter(visitor, id);
  for (const [text, url] of [
    ["/end", long],
    ["brief", "http://127.0.0.1:1/brief"],
  ] as const) {
    const { x, y } = await pointAt(visitor, id, text);
    await expect.poll(() => cursorOf(visitor, id), POLL).toBe(true);
    const [opened, asked] = await Promise.all([
      context.waitForEvent("page"),
      context.waitForEvent("request", (request) => request.isNavigationRequest()),
      page.mouse.click(x, y),
    ]);
    expect(asked.url()).toBe(url);
    await opened.close();
  }
});

test("path and line of a file of the project open in the Code tab; what is outside or missing is text", async () => {
  const directory = join(kolu.home, "paths");
  await mkdir(join(directory, "src"), { recursive: true });
  await writeFile(join(directory, "src", "code.ts"), "one\ntwo\nthree\n");
  const id = await createTerminal({ cwd: directory });
  await using visitor = await visit();
  const { page } = visitor;
  await enter(visitor, id);
  await page.keyboard.type(
    "clear; printf '%s\\n' 'at src/code.ts:2:1 x' 'no src/gone.ts:2' 'no ../canvas.ts:1 /etc/passwd:1'\n",
  );
  await pointAt(visitor, id, "src/gone.ts");
  await expect.poll(() => cursorOf(visitor, id), POLL).toBe(false);
  await pointAt(visitor, id, "/etc/passwd");
  expect(await cursorOf(visitor, id)).toBe(false);
  const { x, y } = await pointAt(visitor, id, "src/code.ts:2");
  await expect.poll(() => cursorOf(visitor, id), POLL).toBe(true);
  await page.mouse.click(x, y);
  await page.locator(".code-lines", { hasText: "three" }).waitFor();
});

test("search counts, goes on and back, minds case when asked, and takes patterns", async () => {
  const { id } = await captureInput("Alpha alpha\\r\\nbeta ALPHA\\r\\na1 a22 a333\\r\\n");
  await using visitor = await visit();
  const { page } = visitor;
  await enter(visitor, id);
  await page.keyboard.press("Control+Shift+F");
  const bar = tile(page, id).locator(".search-bar");
  await bar.getByRole("textbox").fill("alpha");
  const count = () => bar.locator(".search-count").textContent();
  await expect.poll(count, POLL).toMatch(/^\d\/3$/);
  const first = Number((await count())![0]);
  await page.keyboard.press("Enter");
  await expect.poll(count, POLL).toBe(`${(first % 3) + 1}/3`);
  await page.keyboard.press("Shift+Enter");
  await expect.poll(count, POLL).toBe(`${first}/3`);
  await bar.getByRole("button", { name: "Match case" }).click();
  await expect.poll(count, POLL).toBe("1/1");
  await bar.getByRole("button", { name: "Regular expression" }).click();
  await bar.getByRole("textbox").fill("a\\d+");
  await expect.poll(count, POLL).toMatch(/\/3$/);
  await bar.getByRole("textbox").fill("a(");
  await expect.poll(count, POLL).toBe("not a pattern");
  await page.keyboard.press("Escape");
  expect(await bar.count()).toBe(0);
  expect(visitor.faults).toEqual([]);
});

test("a view that was scrolled up stays where it is while output flows", async () => {
  const id = await createTerminal();
  await using visitor = await visit();
  const { page } = visitor;
  await enter(visitor, id);
  await page.keyboard.type("clear; seq 1 400; while sleep 0.05; do echo more-$((n=n+1)); done\n");
  await pointAt(visitor, id, "more-3");
  await page.mouse.wheel(0, -2_000);
  await tile(page, id).locator(".jump-down").waitFor();
  const top = () => tile(page, id).locator(".xterm-rows > div").first().textContent();
  const before = await top();
  await using link = await kolu.padi();
  const until = { kind: "match", pattern: "more-60" } as const;
  await link.client.call("terminal.wait", { id: id as never, until, timeoutMs: 20_000 });
  expect(await top()).toBe(before);
  await tile(page, id).locator(".jump-down").click();
  await expect.poll(() => tile(page, id).locator(".xterm-rows").textContent(), POLL).toMatch(/more-[6-9]\d/);
});

test("pictures in the output are drawn, and leave the text around them alone", async () => {
  const pixel =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
  const iterm = `\x1b]1337;File=inline=1;width=40px;height=40px;size=70:${pixel}\x07`;
  const sixel = "\x1bPq#0;2;100;0;0#0!40~-!40~-\x1b\\\\";
  const kitty = `\x1b_Ga=T,f=100;${pixel}\x1b\\\\`;
  const id = await createTerminal();
  await using visitor = await visit();
  await enter(visitor, id);
  await using link = await kolu.padi();
  const text = `printf '%b' '${[iterm, sixel, kitty].map((one) => one.replaceAll("\x1b", "\\033").replaceAll("\x07", "\\007")).join("")}'; echo -pictures-; echo after-$((1+1))`;
  await link.client.call("terminal.sendInput", { id: id as never, text: `clear; ${text}\r`, paste: false });
  await expect.poll(async () => await kolu.ok(["snapshot", id]), POLL).toContain("after-2");
  const layer = tile(visitor.page, id).locator("canvas.xterm-image-layer");
  const painted = () =>
    layer.first().evaluate((canvas) => {
      const { width, height } = canvas as HTMLCanvasElement;
      const { data } = (canvas as HTMLCanvasElement).getContext("2d")!.getImageData(0, 0, width, height);
      return data.some((value) => value !== 0);
    });
  await layer.first().waitFor({ state: "attached" });
  await expect.poll(painted, POLL).toBe(true);
  const screen = await kolu.ok(["snapshot", id]);
  expect(screen).toContain("-pictures-");
  expect(screen).not.toContain("1337;File=inline=1;width=40px;height=40px;size=70:iVBOR\\");
  expect(visitor.faults).toEqual([]);
});
