// The page on a whole kolu: real daemons, real shells, a real browser. What a person types, sees, loses and keeps.
import { kavalContract } from "@kolu/contract/kaval.ts";
import { dialRpc } from "@kolu/wire/dial.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dockRow, openKolu, screenText, startBrowser, type TestBrowser, type Visitor } from "./browser.ts";
import { type Kolu, type Running, startKolu } from "./start-kolu.ts";

let browser: TestBrowser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser[Symbol.asyncDispose]());

interface ServedKolu {
  kolu: Kolu;
  link(): Promise<string>;
  /** kill -9 of the web server. */
  killWeb(): Promise<void>;
  startWeb(): Promise<void>;
}

/** `kolu web` on a port that it keeps over restarts. */
async function serve(kolu: Kolu): Promise<ServedKolu> {
  let web: Running;
  let port = "0";
  const startWeb = async (): Promise<void> => {
    web = kolu.start(["web", "--port", port]);
    await web.whenPrinted(/open\?token=\S+\n/);
    port = new URL(web.printed().stdout.trim()).port;
  };
  await startWeb();
  return {
    kolu,
    startWeb,
    link: () => kolu.ok(["open", "--link"]),
    async killWeb() {
      web.kill("SIGKILL");
      await web.ended;
    },
  };
}

async function visit({ link }: ServedKolu): Promise<Visitor> {
  const visitor = await browser.newVisitor();
  await openKolu(visitor.page, await link());
  return visitor;
}

/** The text on the screens of the page's tiles. */
async function screens({ page }: Visitor): Promise<string> {
  return screenText(page);
}

/** What a crash may cost is what came after the last save: this is one. */
async function saveScreens(kolu: Kolu): Promise<void> {
  await using link = await dialRpc(kavalContract, { socketPath: kolu.places.kavalSocket });
  await link.client.call("checkpoint.flush", {});
}

/** Types once a terminal has the keyboard. */
async function type({ page }: Visitor, text: string): Promise<void> {
  await page.locator("textarea.xterm-helper-textarea:focus").waitFor({ state: "attached" });
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
}

test("a first visit: a link, a button, a shell that answers, and a reload that shows the same", async () => {
  await using kolu = await startKolu({ daemons: false });
  const served = await serve(kolu);
  await using visitor = await visit(served);
  const { page, faults } = visitor;
  await page.getByRole("button", { name: "a plain shell" }).click();
  await page.locator(".tile[data-active]").waitFor();
  await type(visitor, "echo $((6*7))answer");
  await expect.poll(() => screens(visitor), { timeout: 20_000 }).toContain("42answer");
  await page.reload();
  await expect.poll(() => screens(visitor), { timeout: 20_000 }).toContain("42answer");
  expect(await page.locator(".dock-row").count()).toBe(1);
  expect(faults).toEqual([]);
});

test("two browsers show one workspace: layout, screens, and what is closed", async () => {
  await using kolu = await startKolu();
  const served = await serve(kolu);
  const first = await kolu.ok(["create", "--toplevel", "--intent", "one"]);
  await kolu.ok(["create", "--toplevel", "--intent", "two"]);
  await using here = await visit(served);
  await using there = await visit(served);
  const boxes = async ({ page }: Visitor): Promise<Record<string, number>> => {
    const tiles = page.locator(".tile");
    await expect.poll(() => tiles.count(), { timeout: 20_000 }).toBe(2);
    const found = await tiles.evaluateAll((elements) =>
      elements.map((element): [string, number] => [
        (element as HTMLElement).dataset.terminal!,
        Math.round(element.getBoundingClientRect().width),
      ]),
    );
    return Object.fromEntries(found);
  };
  expect(await boxes(here)).toEqual(await boxes(there));
  await dockRow(here.page, "one").click();
  await type(here, "echo seen-$((2+3))-twice");
  await expect.poll(() => screens(there), { timeout: 20_000 }).toContain("seen-5-twice");
  await kolu.ok(["kill", first]);
  await dockRow(here.page, "one").waitFor({ state: "detached" });
  await dockRow(there.page, "one").waitFor({ state: "detached" });
});

test("kill -9 of the web server: the screen stays, what is typed meanwhile arrives once", async () => {
  await using kolu = await startKolu();
  const served = await serve(kolu);
  await kolu.ok(["create", "--toplevel", "--intent", "one"]);
  await using visitor = await visit(served);
  const { page } = visitor;
  await dockRow(page, "one").click();
  await type(visitor, "echo before-$((1+1))");
  await expect.poll(() => screens(visitor), { timeout: 20_000 }).toContain("before-2");
  await served.killWeb();
  await page.locator('.banner[data-kind="lost"]').waitFor();
  expect(await screens(visitor)).toContain("before-2");
  await type(visitor, "echo while-away-$((4+4))");
  await served.startWeb();
  await page.locator(".banner").waitFor({ state: "detached" });
  await expect.poll(() => screens(visitor), { timeout: 20_000 }).toContain("while-away-8");
  const text = await kolu.ok(["snapshot", await onlyId(kolu)]);
  expect(text.match(/^while-away-8$/gm)).toHaveLength(1);
});

test("kill -9 of padi: it comes back by itself, and the shell never noticed", async () => {
  await using kolu = await startKolu();
  const served = await serve(kolu);
  await kolu.ok(["create", "--toplevel", "--intent", "one"]);
  const id = await onlyId(kolu);
  await using visitor = await visit(served);
  const { page } = visitor;
  await dockRow(page, "one").click();
  await type(visitor, "KEPT=$((20+1))");
  const { padi } = await kolu.pids();
  process.kill(padi!, "SIGKILL");
  await expect.poll(async () => (await kolu.pids()).padi, { timeout: 20_000 }).not.toBe(padi);
  await page.locator('[data-link="live"]').waitFor();
  await type(visitor, "echo kept-$KEPT");
  await expect.poll(() => screens(visitor), { timeout: 20_000 }).toContain("kept-21");
  expect(await onlyId(kolu)).toBe(id);
});

test("kill -9 of kaval: the last screen is readable, and one click brings the terminal back under its id", async () => {
  await using kolu = await startKolu();
  const served = await serve(kolu);
  await kolu.ok(["create", "--toplevel", "--intent", "one"]);
  const id = await onlyId(kolu);
  await using visitor = await visit(served);
  const { page } = visitor;
  await expect.poll(() => screens(visitor), { timeout: 20_000 }).toMatch(/[$#]/);
  await saveScreens(kolu);
  const { kaval } = await kolu.pids();
  process.kill(kaval!, "SIGKILL");
  await page.getByRole("button", { name: "Restore all" }).click({ timeout: 30_000 });
  await page.locator(".restore").waitFor({ state: "detached" });
  await dockRow(page, "one").click();
  // What was on the screen stays readable above a divider; the prompt below it is a new shell's.
  await expect.poll(() => screens(visitor), { timeout: 20_000 }).toMatch(/restored .*\$|restored .*#/s);
  await type(visitor, "echo back-$((3*3))");
  await expect.poll(() => screens(visitor), { timeout: 20_000 }).toContain("back-9");
  expect(await onlyId(kolu)).toBe(id);
});

test("a program that says it is blocked is answered from the dock", async () => {
  await using kolu = await startKolu();
  const served = await serve(kolu);
  await kolu.ok(["create", "--toplevel", "--intent", "working"]);
  const asks = [
    "printf '\\033]7501;state=blocked:app=deploy:kind=question:msg=%s\\033\\\\' \"$(printf 'Push to production?' | base64)\"",
    "read -r answer",
    'echo "answered <$answer>"',
  ];
  const id = await kolu.ok([
    "create",
    "--toplevel",
    "--intent",
    "deploy",
    "--",
    "/bin/sh",
    "-c",
    `${asks.join("; ")}; sleep 60`,
  ]);
  await using visitor = await visit(served);
  const { page } = visitor;
  await dockRow(page, "working").click();
  const strip = page.locator(".needs-you");
  await strip.locator(".waiter-why", { hasText: "Push to production?" }).waitFor();
  expect(await page.title()).toBe("(1) kolu: needs you");
  await strip.getByLabel("Reply", { exact: true }).fill("yes, now");
  await strip.getByLabel("Reply", { exact: true }).press("Enter");
  await expect.poll(() => kolu.ok(["snapshot", id]), { timeout: 20_000 }).toContain("answered <yes, now>");
  expect(await dockRow(page, "working").getAttribute("aria-current")).toBe("true");
});

async function onlyId(kolu: Kolu): Promise<string> {
  const records = JSON.parse(await kolu.ok(["ls", "--json"])) as { id: string }[];
  expect(records).toHaveLength(1);
  return records[0]!.id;
}
