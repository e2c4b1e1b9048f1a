import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { launchShell, removeInitFiles, writeInitFiles } from "./integration.ts";

const base = {
  initDir: "/run/k/init",
  id: "3f2b",
  nonce: "0123456789abcdef",
  pathEntries: ["/opt/it's here", "/opt/b\\c"],
  env: { HOME: "/h", PATH: "/bin" },
  home: "/elsewhere",
  host: "box",
};

describe("launchShell", () => {
  test("bash reads a file of ours in place of .bashrc", () => {
    const launch = launchShell({ ...base, shell: "/bin/bash" });
    expect(launch).toMatchObject({
      file: "/bin/bash",
      args: ["--rcfile", "/run/k/init/3f2b/bashrc"],
      env: base.env,
    });
    expect(launch.initFiles.map((file) => file.path)).toEqual(["/run/k/init/3f2b/bashrc"]);
    expect(launch.initFiles[0]?.content).toContain(`__kolu_path_entries=('/opt/it'\\''s here' '/opt/b\\c')`);
    expect(launch.markNonce).toBe(base.nonce);
  });

  test("zsh gets a ZDOTDIR of ours that first puts the user's back", () => {
    const none = launchShell({ ...base, shell: "/usr/bin/zsh" });
    expect(none.env.ZDOTDIR).toBe("/run/k/init/3f2b");
    expect(none.initFiles[0]).toMatchObject({ path: "/run/k/init/3f2b/.zshenv" });
    expect(none.initFiles[0]?.content).toMatch(/^unset ZDOTDIR\n/);
    const own = launchShell({ ...base, shell: "zsh", env: { ZDOTDIR: "/h/it's" } });
    expect(own.initFiles[0]?.content).toMatch(/^export ZDOTDIR='\/h\/it'\\''s'\n/);
  });

  test("fish sources a file of ours, and keeps its own quoting rules", () => {
    const launch = launchShell({ ...base, shell: "/usr/bin/fish", initDir: "/it's" });
    expect(launch.args).toEqual(["-l", "--init-command", "source '/it\\'s/3f2b/init.fish'"]);
    expect(launch.initFiles[0]?.content).toContain(`'/opt/it\\'s here' '/opt/b\\\\c'`);
  });

  test.each(["/bin/bash", "/bin/zsh", "/bin/fish"])("%s: the nonce is in the file alone", (shell) => {
    const { args, env, initFiles } = launchShell({ ...base, shell });
    expect(JSON.stringify([args, env])).not.toContain(base.nonce);
    expect(initFiles[0]?.content).toContain(base.nonce);
  });

  test.each(["/bin/sh", "/bin/dash", "/bin/ksh", "/usr/bin/nu", "/opt/bash-wrapper"])(
    "%s starts plainly",
    (shell) => {
      const plain = { file: shell, args: [], env: base.env, initFiles: [], markNonce: null };
      expect(launchShell({ ...base, shell })).toEqual(plain);
    },
  );

  test("a daemon without HOME hands on the one it knows", () => {
    expect(launchShell({ ...base, shell: "/bin/sh", env: {} }).env.HOME).toBe("/elsewhere");
  });

  test("a nonce or an id that could break out is a bug of ours", () => {
    expect(() => launchShell({ ...base, shell: "bash", nonce: "'; rm -rf /; '" })).toThrow("nonce");
    expect(() => launchShell({ ...base, shell: "bash", id: "../x" })).toThrow("terminal id");
  });
});

test("init files are private, replace what an earlier kaval left, and go with the terminal", async () => {
  const root = await mkdtemp(join(tmpdir(), "kolu-init-"));
  try {
    const initDir = join(root, "deep", "init");
    const { initFiles } = launchShell({ ...base, initDir, shell: "bash" });
    const [file] = initFiles;
    await mkdir(join(initDir, base.id), { recursive: true });
    await writeFile(join(initDir, base.id, "left over"), "");
    await writeInitFiles(initFiles);
    expect((await stat(file!.path)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(file!.path))).mode & 0o777).toBe(0o700);
    expect(await readdir(join(initDir, base.id))).toEqual(["bashrc"]);
    expect(await readFile(file!.path, "utf8")).toBe(file!.content);
    await removeInitFiles(initDir, base.id);
    await removeInitFiles(initDir, base.id);
    expect(await readdir(initDir)).toEqual([]);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
