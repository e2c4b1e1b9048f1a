// The rules in .dependency-cruiser.cjs are only worth something if they bite: each case plants one violation in a copy
// of the layout and expects to be told.
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
let copy: string;

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "structure-"));
  await cp(join(root, ".dependency-cruiser.cjs"), join(copy, ".dependency-cruiser.cjs"));
  await symlink(join(root, "node_modules"), join(copy, "node_modules"));
});
afterAll(() => rm(copy, { recursive: true }));

async function plant(files: Record<string, string>): Promise<string> {
  await rm(join(copy, "packages"), { recursive: true, force: true });
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(copy, path)), { recursive: true });
    await writeFile(join(copy, path), content);
  }
  const depcruise = join(root, "node_modules", ".bin", "depcruise");
  return promisify(execFile)(depcruise, ["--output-type", "err", "packages"], { cwd: copy }).then(
    ({ stdout }) => stdout,
    (failure: { stdout: string }) => failure.stdout,
  );
}

const empty = "export const nothing = 0;\n";
const cases: Record<string, [files: Record<string, string>, rule: string]> = {
  "the contract imports nothing of ours": [
    { "packages/contract/a.ts": 'import "../padi/b.ts";\n', "packages/padi/b.ts": empty },
    "direction-contract",
  ],
  "a process imports no other process's folder": [
    { "packages/web/a.ts": 'import "../padi/b.ts";\n', "packages/padi/b.ts": empty },
    "direction-web",
  ],
  "only the registry lists agents": [
    {
      "packages/padi/a.ts": 'import "../integrations/claude/b.ts";\n',
      "packages/integrations/claude/b.ts": empty,
    },
    "only-the-registry-lists-agents",
  ],
  "one agent knows no other": [
    { "packages/integrations/a/x.ts": 'import "../b/y.ts";\n', "packages/integrations/b/y.ts": empty },
    "one-agent-knows-no-other",
  ],
  "neutral code reaches for no Node module": [
    { "packages/contract/a.ts": 'import "node:fs";\n' },
    "neutral-stays-neutral",
  ],
  "node-pty has one importer": [
    { "packages/kaval/terminal.ts": 'import "node-pty";\n' },
    "one-importer-node-pty",
  ],
  "SQLite has one importer": [{ "packages/padi/main.ts": 'import "node:sqlite";\n' }, "one-importer-sqlite"],
  "files do not import in a circle": [
    {
      "packages/web/a.ts": 'import { b } from "./b.ts";\nexport const a = () => b;\n',
      "packages/web/b.ts": 'import { a } from "./a.ts";\nexport const b = () => a;\n',
    },
    "no-circular",
  ],
};

for (const [title, [files, rule]] of Object.entries(cases)) {
  test(title, async () => {
    expect(await plant(files)).toContain(rule);
  });
}

test("the layout without a violation passes", async () => {
  expect(await plant({ "packages/kaval/pty.ts": 'import "node-pty";\n' })).toContain(
    "no dependency violations",
  );
});
