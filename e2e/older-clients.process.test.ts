// The other two commands of the package, and the runtime that all three make sure of.
import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { startKolu } from "./start-kolu.ts";

const bin = join(import.meta.dirname, "..", "packages", "cli", "bin");
/** Makes this Node pass for an old one before anything of ours looks. */
const PRETEND_OLD = 'data:text/javascript,Object.defineProperty(process,"version",{value:"v20.1.0"})';

function runNode(args: string[], env: Record<string, string>) {
  return promisify(execFile)(process.execPath, args, { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (failure: { code: number; stdout: string; stderr: string }) => {
      const { code, stdout, stderr } = failure;
      return { code, stdout, stderr };
    },
  );
}

test("kaval-tui create starts a kaval of this installation; padi then adopts the terminal", async () => {
  await using kolu = await startKolu({ daemons: false });
  const kavalTui = join(bin, "kaval-tui.js");
  const created = await runNode([kavalTui, "create", "--json"], kolu.env);
  expect(created).toMatchObject({ code: 0 });
  const { id } = JSON.parse(created.stdout) as { id: string };
  expect(await kolu.pids()).toEqual({ padi: null, kaval: expect.any(Number) });
  await kolu.ok(["restore"]);
  await expect.poll(() => kolu.ok(["ls"]), { timeout: 20_000 }).toContain(id.slice(0, 8));
  const status = await runNode([join(bin, "padi-tui.js"), "status", "--json"], kolu.env);
  expect(status).toMatchObject({ code: 0 });
  await kolu.ok(["kill", id]);
});

test("an old Node hands over to the one that npm installed beside us, exit code and all", async () => {
  await using kolu = await startKolu({ daemons: false });
  const asOld = ["--import", PRETEND_OLD, join(bin, "kolu.js")];
  expect(await runNode([...asOld, "--version"], kolu.env)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d/),
  });
  const failed = await runNode([...asOld, "ls"], kolu.env);
  expect(failed).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("No padi answers") });
});

test("an old Node without a newer one beside it is told what to do", async () => {
  await using kolu = await startKolu({ daemons: false });
  const alone = join(kolu.home, "alone");
  await promisify(execFile)("cp", ["-r", bin, alone]);
  const ran = await runNode(["--import", PRETEND_OLD, join(alone, "kolu.js"), "ls"], kolu.env);
  expect(ran).toMatchObject({ code: 1, stdout: "" });
  expect(ran.stderr).toMatch(/^kolu: needs Node 24 or newer; this is v20\.1\.0 .*\nkolu: install it/);
  expect(dirname(alone)).toBe(kolu.home);
});
