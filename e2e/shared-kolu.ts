// One kolu with its page, and one browser, for a whole file of browser tests: starting them takes longer than most tests.
//
//   shareKolu();
//   test("…", async () => {
//     const id = await createTerminal();
//     await using visitor = await visit();
//   });
//
// What a file prepares or tidies up besides stands in hooks of its own, below the call.
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { CreateParams } from "@kolu/contract/padi.ts";
import type { Layout, TerminalRecord } from "@kolu/contract/terminal.ts";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { type Look, openKolu, startBrowser, type TestBrowser, type Visitor } from "./browser.ts";
import { type Kolu, startKolu } from "./start-kolu.ts";

/** How long a test waits for what a person would see at once: a loaded machine is slow. */
export const POLL = { timeout: 20_000, interval: 50 };

const CAPTURE = join(import.meta.dirname, "programs", "capture.mjs");

/** Both are there from `shareKolu`'s own hook to the end of the file. */
export let kolu: Kolu;
export let browser: TestBrowser;

/** Registers the hooks. Each test begins without terminals, unless the file keeps those that it has made. */
export function shareKolu({ keepTerminals = false } = {}): void {
  beforeAll(async () => {
    browser = await startBrowser();
    kolu = await startKolu();
    await kolu.start(["web", "--port", "0"]).whenPrinted(/open\?token=\S+\n/);
  });
  if (!keepTerminals)
    afterEach(async () => {
      await using link = await kolu.padi();
      const { terminals } = await link.client.call("terminals.list", {});
      for (const { id } of terminals) await link.client.call("terminal.kill", { id });
    });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await kolu[Symbol.asyncDispose]();
  });
}

/** Another person's browser, with the page open. */
export async function visit(look?: Look): Promise<Visitor> {
  const visitor = await browser.newVisitor(look);
  await openKolu(visitor.page, await kolu.ok(["open", "--link"]));
  return visitor;
}

/** A tile of its own; resolves with its id. */
export async function createTerminal(wish: Omit<CreateParams, "placement"> = {}): Promise<string> {
  await using link = await kolu.padi();
  return (await link.client.call("terminal.create", { placement: { kind: "toplevel" }, ...wish })).id;
}

export interface Captured {
  id: string;
  /** What the program was sent so far. */
  received(): Promise<Buffer>;
  text(): Promise<string>;
}

/** A terminal whose program prints this (`\e` stands for ESC) and writes down what it is sent. It listens by then. */
export async function captureInput(
  print = "",
  wish: Omit<CreateParams, "placement" | "argv"> = {},
): Promise<Captured> {
  const file = join(kolu.home, `captured-${Math.random().toString(36).slice(2)}`);
  const id = await createTerminal({ ...wish, argv: [process.execPath, CAPTURE, file, print] });
  const listens = (): Promise<boolean> =>
    stat(`${file}.ready`).then(
      () => true,
      () => false,
    );
  await expect.poll(listens, POLL).toBe(true);
  return { id, received: () => readFile(file), text: () => readFile(file, "utf8") };
}

/** What padi has now. */
export async function records(): Promise<TerminalRecord[]> {
  await using link = await kolu.padi();
  return (await link.client.call("terminals.list", {})).terminals;
}

/** Where each tile lies. */
export async function layouts(): Promise<Map<string, Layout>> {
  return new Map((await records()).flatMap(({ id, layout }) => (layout ? [[id as string, layout]] : [])));
}

export async function gridOf(id: string): Promise<{ cols: number; rows: number }> {
  return (await records()).find((record) => record.id === id)!.grid;
}
