// Making terminals in the page: on a whole kolu with real repositories; the agents are stand-ins for a program on PATH, since
// what counts here is what is made and typed.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { screenText } from "./browser.ts";
import { kolu, POLL, records, shareKolu, visit } from "./shared-kolu.ts";

shareKolu();
beforeAll(async () => {
  await program("claude", 'echo "claude $* in $PWD"; exec cat');
  await program("codex", 'echo "codex $* in $PWD"; exec cat');
  await writeFile(join(kolu.home, ".bash_profile"), 'PATH="$HOME/bin:/usr/bin:/bin"\n');
  await repository("shop");
  await repository("ledger");
});

async function program(name: string, script: string): Promise<void> {
  await mkdir(join(kolu.home, "bin"), { recursive: true });
  await writeFile(join(kolu.home, "bin", name), `#!/bin/sh\n${script}\n`);
  await chmod(join(kolu.home, "bin", name), 0o755);
}

function git(name: string, ...args: string[]): string {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@t"];
  return execFileSync("git", [...identity, ...args], { cwd: join(kolu.home, name) })
    .toString()
    .trim();
}

async function repository(name: string): Promise<void> {
  await mkdir(join(kolu.home, name));
  git(name, "init", "-q", "-b", "main");
  git(name, "commit", "-q", "--allow-empty", "-m", "first");
}

/** Puts a path into the form and waits until it is known what is there. */
async function where(page: Page, path: string, said: string | RegExp): Promise<void> {
  await page.getByRole("combobox", { name: "Where" }).fill(path);
  await page.locator(".where > .launch-note", { hasText: said }).waitFor();
}

async function screens(page: Page): Promise<string> {
  return screenText(page);
}

test("from the empty page to two agents in two worktrees: fields as they stand, and Enter", async () => {
  await using visitor = await visit();
  const { page, faults } = visitor;
  await page.getByRole("heading", { name: "No terminals yet" }).waitFor();
  await where(page, "~/shop", "shop, on main");
  const name = await page.getByLabel("Name of worktree and branch").inputValue();
  expect(name).toMatch(/^[a-z]+-[a-z]+$/);
  await page.getByRole("button", { name: "Start Claude Code" }).waitFor();
  await page.keyboard.press("Enter");
  const first = join(kolu.home, "shop/.worktrees", name);
  await expect.poll(() => screens(page), POLL).toContain(`claude  in ${first}`);

  await page.keyboard.press("Control+Shift+L");
  const sheet = page.getByRole("dialog", { name: "New terminal" });
  await sheet.getByRole("radio", { name: "Codex" }).check();
  const second = await sheet.getByLabel("Name of worktree and branch").inputValue();
  expect(second).not.toBe(name);
  await page.keyboard.press("Enter");
  await sheet.waitFor({ state: "detached" });
  await expect
    .poll(async () => (await records()).map(({ cwd }) => cwd).sort(), POLL)
    .toEqual([first, join(kolu.home, "shop/.worktrees", second)].sort());
  // The new one has the keyboard, once its program reads it.
  await expect
    .poll(() => screens(page), POLL)
    .toContain(`codex  in ${join(kolu.home, "shop/.worktrees", second)}`);
  await page.keyboard.type("typed-into-codex");
  await expect.poll(() => screens(page), POLL).toContain("typed-into-codex");
  expect(git("shop", "branch", "--format=%(refname:short)").split("\n").sort()).toEqual(
    ["main", name, second].sort(),
  );
  expect(faults).toEqual([]);
});

test("a name is judged while it is typed, a refusal stands at its field, and nothing is lost", async () => {
  git("shop", "branch", "taken");
  await using visitor = await visit();
  const { page } = visitor;
  await where(page, "~/shop", "shop, on main");
  await page.getByLabel("First prompt").fill("line one");
  const name = page.getByLabel("Name of worktree and branch");
  await name.fill("two words");
  await page.getByText("cannot be the name: it holds white space").waitFor();
  await name.fill("taken");
  await page.getByText("a worktree or branch of that name is there already").waitFor();
  await page.keyboard.press("Enter");
  expect(await records()).toEqual([]);
  await where(page, "~/nowhere", "there is no such directory");
  await page.keyboard.press("Enter");
  await page.getByText("Nothing can be opened there").waitFor();
  expect(await page.getByLabel("First prompt").inputValue()).toBe("line one");
  expect(await records()).toEqual([]);
});

test("a path is completed by padi: arrows choose, Tab takes, Escape closes the list alone", async () => {
  await mkdir(join(kolu.home, "deep/inner/most"), { recursive: true });
  await using visitor = await visit();
  const { page } = visitor;
  await page.getByRole("combobox", { name: "Where" }).waitFor();
  await page.keyboard.press("Control+Shift+L");
  const sheet = page.getByRole("dialog", { name: "New terminal" });
  const field = sheet.getByRole("combobox", { name: "Where" });
  await field.fill("~/dee");
  await sheet.getByRole("option", { name: /deep/ }).waitFor();
  await page.keyboard.press("Tab");
  await expect.poll(() => field.inputValue(), POLL).toBe("~/deep/");
  await sheet.getByRole("option", { name: /inner/ }).waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => sheet.getByRole("option").count(), POLL).toBe(0);
  await sheet.getByText("A directory outside of any repository").waitFor();
  await field.fill("led");
  await sheet.getByRole("option", { name: /ledger/ }).waitFor();
  await page.keyboard.press("Enter");
  expect(await field.inputValue()).toBe("~/ledger");
  await sheet.getByLabel("Plain shell").check();
  await page.keyboard.press("Enter");
  await expect
    .poll(async () => (await records()).map(({ cwd }) => cwd), POLL)
    .toEqual([join(kolu.home, "ledger")]);
});

test("while a worktree is made its steps are told, and Cancel leaves nothing behind", async () => {
  const hook = join(kolu.home, "ledger/.git/hooks/post-checkout");
  await writeFile(hook, "#!/bin/sh\nsleep 60\n");
  await chmod(hook, 0o755);
  await using visitor = await visit();
  const { page } = visitor;
  try {
    await where(page, "~/ledger", "ledger, on main");
    await page.getByLabel("Name of worktree and branch").fill("slow");
    await page.keyboard.press("Enter");
    await page.getByText("Checking out the files of the worktree…").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
  } finally {
    await rm(hook);
  }
  await page.getByRole("button", { name: "Start Claude Code" }).waitFor();
  await expect.poll(() => git("ledger", "branch", "--format=%(refname:short)"), POLL).toBe("main");
  expect(await page.getByLabel("Name of worktree and branch").inputValue()).toBe("slow");
  await using link = await kolu.padi();
  const slow = { repo: join(kolu.home, "ledger"), name: "slow" };
  await expect
    .poll(async () => (await link.client.call("worktree.checkName", slow)).problem, POLL)
    .toBeNull();
  await page.keyboard.press("Enter");
  await expect
    .poll(() => screens(page), POLL)
    .toContain(`claude  in ${join(kolu.home, "ledger/.worktrees/slow")}`);
});

test("an agent that is not installed is said to be, with the way to get it", async () => {
  await using visitor = await visit();
  const { page } = visitor;
  const opencode = page.locator(".program", { hasText: "OpenCode" });
  expect(await opencode.textContent()).toContain("not installed");
  await opencode.click();
  await page.getByText("OpenCode is not installed on this machine.").waitFor();
  expect(await page.locator(".program", { hasText: "Codex" }).textContent()).not.toContain("not installed");
});

test("another command is typed as it is, and what ran is offered again where it ran", async () => {
  await using visitor = await visit();
  const { page } = visitor;
  await where(page, "~/ledger", "ledger, on main");
  await page.getByLabel("As they are, on main").check();
  await page.getByLabel("Command line").fill("claude --model opus");
  await page.keyboard.press("Enter");
  await expect
    .poll(() => screens(page), POLL)
    .toContain(`claude --model opus in ${join(kolu.home, "ledger")}`);
  await page.keyboard.press("Control+Shift+L");
  const sheet = page.getByRole("dialog", { name: "New terminal" });
  await sheet.getByLabel("claude --model opus").waitFor();
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "detached" });
});

/** A shell in a fresh worktree of `shop`, shown by the page. */
async function inWorktree(page: Page, name: string): Promise<{ path: string; close(): Promise<void> }> {
  await where(page, "~/shop", "shop, on main");
  await page.getByRole("radio", { name: "Plain shell" }).check();
  await page.getByLabel("A new worktree").check();
  await page.getByLabel("Name of worktree and branch").fill(name);
  await page.keyboard.press("Enter");
  const shown = page.locator(".tile", { has: page.locator(".tile-bar", { hasText: name }) });
  await shown.waitFor();
  // Until padi has looked at the repository, nobody knows that it is a worktree.
  const branches = async (): Promise<unknown[]> => (await records()).map(({ git }) => git?.branch);
  await expect.poll(branches, POLL).toContain(name);
  return {
    path: join(kolu.home, "shop/.worktrees", name),
    close: () => shown.getByRole("button", { name: "Close" }).click(),
  };
}

test("closing the last terminal of a worktree offers to remove it, and keeps it unless told", async () => {
  await using visitor = await visit();
  const { page } = visitor;
  const kept = await inWorktree(page, "kept");
  await kept.close();
  await page.getByText("It holds nothing of its own.").waitFor();
  await page.getByRole("button", { name: "Close", exact: true }).last().click();
  await page.getByRole("heading", { name: "No terminals yet" }).waitFor();
  expect(existsSync(kept.path)).toBe(true);

  const gone = await inWorktree(page, "gone");
  await gone.close();
  await page.getByLabel("Remove gone and its branch").check();
  await page.getByRole("button", { name: "Close and remove" }).click();
  await page.getByText("The worktree gone and its branch are removed.").waitFor();
  expect(existsSync(gone.path)).toBe(false);
  expect(git("shop", "branch", "--list", "gone")).toBe("");
});

test("a worktree with work in it says what would be thrown away", async () => {
  await using visitor = await visit();
  const { page } = visitor;
  const busy = await inWorktree(page, "busy");
  await writeFile(join(busy.path, "new"), "");
  await busy.close();
  await page.getByLabel("Remove busy and throw away 1 changed file").waitFor();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
  expect(existsSync(busy.path)).toBe(true);
  await busy.close();
  await page.getByLabel("Remove busy and throw away 1 changed file").check();
  await page.getByRole("button", { name: "Close and throw away" }).click();
  await expect.poll(() => existsSync(busy.path), POLL).toBe(false);
});
