// Everything the page shows can be read and has a name: walked in both schemes, on a desk and on a phone, in every state.
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { agentForTest, gitForTest, recordForTest } from "../packages/client/store/record-for-test.ts";
import { audit, type Finding } from "./audit.ts";
import { dockRow, openKolu, startBrowser, type TestBrowser } from "./browser.ts";
import { type Scene, startScene } from "./scene.ts";

const POLL = { timeout: 20_000, interval: 50 };

const STATES: Record<string, Partial<TerminalRecord>> = {
  thinks: { agent: agentForTest({ state: "thinking", contextTokens: 47_000, title: "Mend the parser" }) },
  works: {
    agent: agentForTest({ state: "tool_use" }),
    git: gitForTest("ledger"),
  },
  behind: { agent: agentForTest({ state: "background" }) },
  asks: {
    unread: 1,
    agent: agentForTest({ state: "awaiting", awaiting: { kind: "permission", message: "Run it?" } }),
  },
  "asks-too": { agent: agentForTest({ state: "awaiting" }), git: gitForTest("ledger") },
  done: { unread: 1, agent: agentForTest({}) },
  failed: { agent: agentForTest({ error: "rate limit" }) },
  riddle: { agent: agentForTest({ state: "unknown", unknownReason: "no session file" }) },
  asleep: { life: "sleeping" },
  parked: { life: "parked" },
  ended: { life: "exited", exit: { code: 2, signal: 0 } },
  plain: {},
};

let browser: TestBrowser;
let scene: Scene;

beforeAll(async () => {
  browser = await startBrowser();
  const records = Object.entries(STATES).map(([intent, changed], n) =>
    recordForTest(n + 1, {
      intent,
      git: gitForTest("app"),
      layout: { x: (n % 4) * 696, y: Math.floor(n / 4) * 456, w: 672, h: 432 },
      ...changed,
    }),
  );
  scene = await startScene(records, { screens: () => "plain words\nand more" });
});
afterAll(async () => {
  await scene[Symbol.asyncDispose]();
  await browser[Symbol.asyncDispose]();
});

/** What can be open: how a person gets there, and what is there then. */
const VIEWS: Record<string, (page: Page) => Promise<void>> = {
  "tiles from near": async (page) => {
    await page.locator(".tile-bar").first().waitFor();
  },
  "cards from afar": async (page) => {
    for (let n = 0; n < 6; n++) await page.getByRole("button", { name: "Zoom out" }).click();
    await page.locator(".card-inside").first().waitFor();
  },
  "the palette": async (page) => {
    await page.keyboard.press("Control+Shift+K");
    await page.locator("[cmdk-item]").first().waitFor();
  },
  "the keys": async (page) => {
    await page.keyboard.press("Control+Shift+Slash");
    await page.getByRole("dialog").waitFor();
  },
  "the form of a new terminal": async (page) => {
    await page.getByRole("button", { name: "New terminal" }).first().click();
    await page.getByRole("dialog").waitFor();
  },
  "the rail": async (page) => {
    await page.keyboard.press("Control+Shift+B");
    await page.locator(".dock-rail").waitFor();
  },
  "the panel on the right": async (page) => {
    await dockRow(page, "thinks").click();
    await page.keyboard.press("Control+Shift+Backslash");
    await page.locator(".panel").waitFor();
  },
};

for (const scheme of ["dark", "light"] as const)
  test(`on a desk, ${scheme}: text has contrast and size, and what acts has a name`, async () => {
    const found: Record<string, Finding[]> = {};
    for (const [view, show] of Object.entries(VIEWS)) {
      await using visitor = await browser.newVisitor({ scheme, reducedMotion: true });
      const { page } = visitor;
      await openKolu(page, await scene.newLink());
      await page.locator(`html[data-scheme="${scheme}"]`).waitFor();
      await dockRow(page, "plain").waitFor();
      await show(page);
      const findings = await audit(page);
      if (findings.length > 0) found[view] = findings;
    }
    expect(found).toEqual({});
  });

for (const scheme of ["dark", "light"] as const)
  test(`on a phone, ${scheme}: the list and a terminal`, async () => {
    await using visitor = await browser.newVisitor({
      width: 390,
      height: 844,
      touch: true,
      scheme,
      reducedMotion: true,
    });
    const { page } = visitor;
    await openKolu(page, await scene.newLink());
    await dockRow(page, "plain").waitFor();
    expect(["list", await audit(page)]).toEqual(["list", []]);
    await dockRow(page, "works").tap();
    await page.locator(".tile[data-maximised] .tile-screen[aria-busy=false]").waitFor();
    expect(["terminal", await audit(page)]).toEqual(["terminal", []]);
    const small = await page.locator(".key-bar button, .chrome button").evaluateAll((buttons) =>
      buttons
        .map((button) => button.getBoundingClientRect())
        .filter(({ width, height }) => width > 0 && (width < 24 || height < 22))
        .map(({ width, height }) => `${width}x${height}`),
    );
    expect(small).toEqual([]);
  });

test("the marks can be told apart in grey, without hue, motion or words", async () => {
  await using visitor = await browser.newVisitor({ reducedMotion: true });
  const { page } = visitor;
  await openKolu(page, await scene.newLink());
  await dockRow(page, "plain").waitFor();
  const alike = await page.evaluate(async () => {
    const shapes = new Map<string, number[]>();
    for (const mark of document.querySelectorAll(".dock-row .mark")) {
      const svg = mark.querySelector("svg")!.cloneNode(true) as SVGElement;
      svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
      svg.setAttribute("style", "color: black");
      svg.setAttribute("width", "16");
      svg.setAttribute("height", "16");
      const image = new Image();
      image.src = `data:image/svg+xml,${encodeURIComponent(svg.outerHTML)}`;
      await image.decode();
      const context = new OffscreenCanvas(16, 16).getContext("2d")!;
      context.drawImage(image, 0, 0, 16, 16);
      const { data } = context.getImageData(0, 0, 16, 16);
      shapes.set(
        (mark as HTMLElement).dataset.mark!,
        Array.from({ length: 256 }, (_, pixel) => data[pixel * 4 + 3]! / 255),
      );
    }
    const sum = (values: number[]): number => values.reduce((all, value) => all + value, 0);
    const pairs: string[] = [`${shapes.size} shapes`];
    for (const [a, one] of shapes)
      for (const [b, other] of shapes) {
        if (a >= b) continue;
        // How much of the larger silhouette the two do not share.
        const differing = sum(one.map((value, at) => Math.abs(value - other[at]!)));
        if (differing / Math.max(sum(one), sum(other)) < 0.25) pairs.push(`${a} and ${b}`);
      }
    return pairs;
  });
  expect(alike).toEqual(["11 shapes"]);
});

test("a change is said once, in the words of its state, by one polite region", async () => {
  await using visitor = await browser.newVisitor();
  const { page } = visitor;
  await openKolu(page, await scene.newLink());
  await dockRow(page, "plain").waitFor();
  const region = page.locator('[aria-live="polite"]');
  expect(await region.count()).toBe(1);
  const plain = [...scene.records.values()].find(({ intent }) => intent === "plain")!;
  scene.tell([{ ...plain, unread: plain.unread + 1, agent: agentForTest({ state: "awaiting" }) }]);
  await expect.poll(() => region.textContent(), POLL).toBe("plain needs you");
  scene.tell([{ ...plain, unread: plain.unread + 2, agent: agentForTest({}) }]);
  await expect.poll(() => region.textContent(), POLL).toBe("plain finished");
  scene.tell([plain]);
});
