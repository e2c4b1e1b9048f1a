// The published package, as a stranger gets it: packed, installed into an empty folder, run with nothing but Node on PATH.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startKolu } from "./start-kolu.ts";

const ROOT = join(import.meta.dirname, "..");
/** Packing builds everything, the page too; installing asks a registry. */
const INSTALL_TIMEOUT_MS = 240_000;
const exec = promisify(execFile);

let folder: string;
let installed: string;

/** npm's own script, run by our Node: the npm on PATH may belong to an older one. */
async function npm(args: string[], cwd: string): Promise<string> {
  for (const directory of (process.env.PATH ?? "").split(delimiter)) {
    const script = await realpath(join(directory, "npm")).catch(() => null);
    if (script?.endsWith("npm-cli.js"))
      return (await exec(process.execPath, [script, ...args], { cwd })).stdout;
  }
  throw new Error("No npm on PATH.");
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kolu-pack-"));
  await npm(["pack", "--pack-destination", folder], ROOT);
  const tarball = (await readdir(folder)).find((name) => name.endsWith(".tgz"));
  const project = join(folder, "empty");
  await mkdir(project);
  await writeFile(join(project, "package.json"), "{}");
  await npm(["install", "--no-audit", "--no-fund", join(folder, tarball!)], project);
  // PATH holds node and nothing else of ours or of npm's.
  await mkdir(join(folder, "bin"));
  await symlink(process.execPath, join(folder, "bin", "node"));
  installed = join(project, "node_modules", "kolu");
}, INSTALL_TIMEOUT_MS);
afterAll(() => rm(folder, { recursive: true, force: true }));

test("carries the three commands, the page, its fonts, its licenses, and what is native as dependencies", async () => {
  const manifest = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
  expect(Object.keys(manifest.bin).sort()).toEqual(["kaval-tui", "kolu", "padi-tui"]);
  expect(Object.keys(manifest.dependencies)).toEqual(["@napi-rs/canvas", "node-pty"]);
  expect(await readdir(join(installed, "dist", "page"))).toContain("index.html");
  const licenses = await readFile(join(installed, "dist", "LICENSES.txt"), "utf8");
  expect(licenses).toMatch(/^ws\n==/m);
  expect(licenses).toMatch(/^@fontsource\/jetbrains-mono\n==/m);
  expect((await readdir(installed)).filter((name) => name === "packages")).toEqual([]);
});

test("creates, lists, drives and ends a terminal", async () => {
  await using kolu = await startKolu({
    entry: join(installed, "dist", "kolu.mjs"),
    env: { PATH: `${join(folder, "bin")}:/usr/bin:/bin` },
  });
  const id = await kolu.ok(["create", "--toplevel", "--intent", "packed", "--", "echo", "from the package"]);
  await kolu.ok(["wait", id, "--until", "match:^from the package", "--timeout", "30000"]);
  expect(await kolu.ok(["ls"])).toContain("packed");
  expect(await kolu.ok(["snapshot", id, "--tail", "10"])).toContain("from the package");
  const picture = join(kolu.home, "screen.png");
  expect((await kolu.run(["snapshot", id, "--png", picture])).stderr).toMatch(/ · 80x24 · \d+ bytes -> /);
  expect((await readFile(picture)).toString("latin1", 1, 4)).toBe("PNG");
  expect(await kolu.run(["mcp"], { stdin: "" })).toMatchObject({ code: 0, stdout: "" });
  await kolu.ok(["kill", id]);
  expect(await kolu.ok(["ls"])).toBe("no terminals.");
});

test("serves its page to a browser that opens the link", async () => {
  await using kolu = await startKolu({ entry: join(installed, "dist", "kolu.mjs"), daemons: false });
  const web = kolu.start(["web", "--port", "0"]);
  await web.whenPrinted(/\/open\?token=\S+\n/);
  const link = web.printed().stdout.trim();
  const opened = await fetch(link, { redirect: "manual" });
  const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
  const page = await fetch(new URL("/", link), { headers: { cookie } });
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("<script");
  web.kill("SIGTERM");
  expect((await web.ended).code).toBe(130);
});
