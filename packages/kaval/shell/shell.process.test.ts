// Real bash, zsh and fish on a PTY, and the marks they write. The machine must have all three.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type DrivenShell, driveShell, type Mark, NONCE } from "./drive-shell.ts";

const shells = {
  bash: { path: "/bin/bash", rc: ".bashrc", pid: "$$" },
  zsh: { path: "/usr/bin/zsh", rc: ".zshrc", pid: "$$" },
  fish: { path: "/usr/bin/fish", rc: ".config/fish/config.fish", pid: "$fish_pid" },
};

function ran(line: string, status = 0, title = line): Mark[] {
  return [`title ${title}`, `E ${line}`, "C", `D ${status}`];
}

const hidden: Mark[] = ["C", "D 0"];

/** What a command printed between two angle brackets, so that its echo does not count. */
async function printed(shell: DrivenShell, command: string): Promise<string> {
  const start = shell.output().length;
  await shell.run(command);
  const [, text] =
    shell
      .output()
      .slice(start)
      .match(/<<([^$"]*)>>/) ?? [];
  return text ?? "";
}

describe.each(Object.entries(shells))("%s", (name, { path, rc, pid }) => {
  const isFish = name === "fish";
  const open = (dotfile = "", pathEntries: string[] = []) =>
    driveShell({ shell: path, files: { [rc]: dotfile }, pathEntries });

  test("every command is marked whole, with its status, and an empty line not at all", async () => {
    await using shell = await open();
    expect(await shell.run("echo a")).toEqual(ran("echo a"));
    expect(await shell.run("false")).toEqual(ran("false", 1));
    expect(await shell.run("")).toEqual([]);
    expect(await shell.run("sh -c 'exit 42'")).toEqual(ran("sh -c 'exit 42'", 42));
    expect(await shell.run("echo 'x;y\\z'  é 語 # end")).toEqual(
      ran("echo 'x\\x3by\\\\z'  é 語 # end", 0, "echo 'x;y\\z'  é 語 # end"),
    );
    expect(await shell.run("no-such-program-here")).toEqual(ran("no-such-program-here", 127));
  });

  test("the same command twice is marked twice", async () => {
    await using shell = await open();
    for (let i = 0; i < 3; i++) expect(await shell.run("echo again")).toEqual(ran("echo again"));
  });

  test("a command of several lines is one command", async () => {
    await using shell = await open();
    const lines = isFish ? ["for i in 1 2", " echo $i", "end"] : ["for i in 1 2; do", " echo $i", "done"];
    const marks = await shell.run(lines.join("\r"));
    // bash keeps such a command in its history joined by semicolons.
    const line = lines.join(name === "bash" ? "; " : "\n").replace("do; ", "do ");
    const escaped = line.replaceAll(";", "\\x3b").replaceAll("\n", "\\x0a");
    expect(marks).toEqual(ran(escaped, 0, line.replaceAll("\n", " ")));
  });

  test("Ctrl-C at the prompt ends nothing, since nothing ran", async () => {
    await using shell = await open();
    const before = shell.marks().filter((mark) => mark === "A").length;
    shell.type("q");
    await shell.until((output) => output.includes("q"));
    await shell.press("\x03", () => shell.marks().filter((mark) => mark === "A").length > before);
    expect(await shell.run("echo after")).toEqual(ran("echo after"));
    expect(shell.marks().filter((mark) => mark.startsWith("D"))).toEqual(["D 0"]);
  });

  test("Ctrl-C ends a running command with the status of the signal", async () => {
    await using shell = await open();
    shell.type("sh -c 'echo run\"\"ning; exec sleep 1000'\r");
    await shell.until((output) => output.includes("running"));
    shell.type("\x03");
    await shell.until((output) => output.includes(`133;D;130;kolu=${NONCE}`));
  });

  test("directory and title are told at each prompt", async () => {
    await using shell = await open();
    expect(shell.marks().filter((mark) => mark.includes("test-host"))).toEqual([
      `cwd file://test-host${shell.home}`,
    ]);
    expect(shell.marks()).toContain("title ~");
    await shell.run(`mkdir -p 'a b;é%'`);
    await shell.run(`cd 'a b;é%'`);
    expect(shell.marks().slice(-4)).toEqual([
      `cwd file://test-host${shell.home}/a%20b%3B%C3%A9%25`,
      "title ~/a b;é%",
      "A",
      "B",
    ]);
    await shell.run("cd /usr/bin");
    expect(shell.marks().slice(-4, -1)).toEqual(["cwd file://test-host/usr/bin", "title /usr/bin", "A"]);
  });

  test("no program can read the nonce from its environment or from the shell's arguments", async () => {
    await using shell = await open(isFish ? "" : 'export PS1="$PS1"');
    expect(await shell.run(`env | grep -q ${NONCE}`)).toEqual(ran(`env | grep -q ${NONCE}`, 1));
    const proc = `cat /proc/${pid}/environ /proc/${pid}/cmdline | grep -q ${NONCE}`;
    expect(await shell.run(proc)).toEqual(ran(proc, 1));
    // zsh's own value of ZDOTDIR was none.
    if (name === "zsh") expect(await printed(shell, `echo "<""<\${ZDOTDIR-unset}>>"`)).toBe("unset");
  });

  test("our directories are first on PATH although the dotfiles assign it, each once", async () => {
    const pathEntries = ["/opt/first dir", "/opt/second"];
    const assign = isFish
      ? "set -gx PATH /usr/bin /opt/second /bin"
      : "PATH=/usr/bin:/opt/second:/bin:/opt/second";
    await using shell = await open(assign, pathEntries);
    const path = isFish ? "(string join : $PATH)" : '"$PATH"';
    expect(await printed(shell, `printf '<%s>>\\n' "<"${path}`)).toBe(
      "/opt/first dir:/opt/second:/usr/bin:/bin",
    );
  });

  test("a dotfile with a syntax error still gives a prompt with marks", async () => {
    await using shell = await open(
      isFish ? "if true\n echo 'unfinished" : "if true; then\n echo 'unfinished",
    );
    expect(await shell.run("echo a")).toEqual(ran("echo a"));
  });

  test("a command line cannot smuggle a control character out of its mark", async () => {
    // Typed or pasted, fish lets none into a line; a binding of the user's can.
    await using shell = await open(
      isFish ? "bind \\cg 'commandline -i \\x1b'\nbind \\cy 'commandline -i \\x01'" : "",
    );
    // Ctrl-V inserts the next character as it is.
    const [esc, soh] = isFish ? ["\x07", "\x19"] : ["\x16\x1b", "\x16\x01"];
    const marks = await shell.run(`echo 'a${esc}b${soh}c'`);
    expect(marks).toEqual(ran("echo 'a\\x1bb\\x01c'", 0, "echo 'abc'"));
  });

  test("the status is there for the user's own prompt", async () => {
    const prompt = {
      bash: "PS1='<$?>$ '",
      zsh: "setopt prompt_subst\nPS1='<$?>$ '",
      fish: 'function fish_prompt\n echo -n "<$status>\\$ "\nend',
    }[name];
    await using shell = await open(prompt);
    await shell.run("sh -c 'exit 7'");
    expect(shell.output()).toMatch(/<7>\$ [^\n]*$/);
    await shell.run("true");
    expect(shell.output()).toMatch(/<0>\$ [^\n]*$/);
  });
});

describe("bash history", () => {
  const cases: Record<string, { rc: string; spaceHidden: boolean }> = {
    "no HISTCONTROL": { rc: "unset HISTCONTROL", spaceHidden: false },
    ignorespace: { rc: "HISTCONTROL=ignorespace", spaceHidden: true },
    ignoredups: { rc: "HISTCONTROL=ignoredups", spaceHidden: false },
    ignoreboth: { rc: "HISTCONTROL=ignoreboth", spaceHidden: true },
    erasedups: { rc: "HISTCONTROL=erasedups", spaceHidden: false },
    "ignoreboth:erasedups": { rc: "HISTCONTROL=ignoreboth:erasedups", spaceHidden: true },
    "ignoredups:ignorespace, exported": {
      rc: "export HISTCONTROL=ignoredups:ignorespace",
      spaceHidden: true,
    },
    "a small HISTSIZE": { rc: "HISTSIZE=3 HISTCONTROL=ignoreboth", spaceHidden: true },
    "ignoreboth with shared history": {
      rc: "HISTCONTROL=ignoreboth\nPROMPT_COMMAND='history -a; history -c; history -r'",
      spaceHidden: true,
    },
    HISTTIMEFORMAT: { rc: "HISTTIMEFORMAT='%F %T ' HISTCONTROL=ignoreboth", spaceHidden: true },
  };

  test.each(Object.entries(cases))(
    "%s: a repeat is marked, a hidden line is not",
    async (_, { rc, spaceHidden }) => {
      await using shell = await driveShell({ shell: "/bin/bash", files: { ".bashrc": rc } });
      const spaced = spaceHidden ? hidden : ran(" echo secret");
      expect(await shell.run("echo one")).toEqual(ran("echo one"));
      expect(await shell.run("echo one")).toEqual(ran("echo one"));
      expect(await shell.run(" echo secret")).toEqual(spaced);
      expect(await shell.run(" echo secret")).toEqual(spaced);
      expect(await shell.run("echo one")).toEqual(ran("echo one"));
      expect(await shell.run("echo two")).toEqual(ran("echo two"));
      expect(await shell.run("echo one")).toEqual(ran("echo one"));
      expect(await shell.run(" echo secret")).toEqual(spaced);
    },
  );

  test("HISTIGNORE hides, and so does a history that is off", async () => {
    await using shell = await driveShell({
      shell: "/bin/bash",
      files: { ".bashrc": "HISTIGNORE='echo s*'" },
    });
    expect(await shell.run("echo secret")).toEqual(hidden);
    expect(await shell.run("echo open")).toEqual(ran("echo open"));
    expect(await shell.run("echo secret")).toEqual(hidden);
    await shell.run("set +o history");
    expect(await shell.run("echo quiet")).toEqual(hidden);
    await shell.run("set -o history");
    expect(await shell.run("echo loud")).toEqual(ran("echo loud"));
  });

  test("the user's history is as without us: no repeat stays, in memory or in the file", async () => {
    const rc = "HISTCONTROL=ignoreboth HISTFILE=$HOME/h\nPROMPT_COMMAND='history -a'";
    await using shell = await driveShell({ shell: "/bin/bash", files: { ".bashrc": rc } });
    for (const line of ["echo one", "echo one", " echo secret", "echo one", "echo two", "echo two", "true"])
      await shell.run(line);
    expect(await readFile(join(shell.home, "h"), "utf8")).toBe("echo one\necho two\ntrue\n");
    expect(await printed(shell, 'echo "<""<$(history | wc -l)>>"')).toBe("4");
    // Set aside while a command runs, the user's again for what the user's prompt hooks see.
    await shell.run("PROMPT_COMMAND='seen=$HISTCONTROL'");
    await shell.run("true");
    expect(await printed(shell, 'echo "<""<$seen>>"')).toBe("ignoreboth");
  });

  test("a HISTCONTROL that the user changes is the one that counts", async () => {
    await using shell = await driveShell({
      shell: "/bin/bash",
      files: { ".bashrc": "HISTCONTROL=ignoreboth" },
    });
    await shell.run("HISTCONTROL=ignoredups");
    expect(await shell.run(" echo open")).toEqual(ran(" echo open"));
    await shell.run("HISTCONTROL=ignorespace");
    expect(await shell.run(" echo secret")).toEqual(hidden);
  });

  test("a command of several lines is whole without cmdhist", async () => {
    await using shell = await driveShell({ shell: "/bin/bash", files: { ".bashrc": "shopt -u cmdhist" } });
    const marks = await shell.run("for i in 1; do\r echo $i\rdone");
    expect(marks).toEqual(ran("for i in 1\\x3b do\\x0a echo $i\\x0adone", 0, "for i in 1; do  echo $i done"));
  });
});

describe("bash prompts", () => {
  const open = (rc: string) => driveShell({ shell: "/bin/bash", files: { ".bashrc": rc } });
  const setsPs1 = `hook() { PS1="$? \${PIPESTATUS[*]} \\$ "; }`;

  test.each([
    ["a string", `${setsPs1}\nPROMPT_COMMAND=hook`],
    ["an array", `${setsPs1}\nPROMPT_COMMAND=(: hook :)`],
    ["a string with a trailing semicolon", `${setsPs1}\nPROMPT_COMMAND='hook; '`],
  ])("PROMPT_COMMAND as %s that builds PS1 sees the status and keeps its marks", async (_, rc) => {
    await using shell = await open(rc.replace("hook; ", "hook; "));
    expect(await shell.run("true")).toEqual(ran("true"));
    expect(await shell.run("true | sh -c 'exit 3' | sh -c 'exit 4'")).toContain("D 4");
    expect(shell.output()).toMatch(/4 0 3 4 \$ [^\n]*$/);
  });

  test.each([
    ["overwritten", "PROMPT_COMMAND='PS1=\"over \"'", 0],
    ["appended to as a string", 'PROMPT_COMMAND="$PROMPT_COMMAND; PS1=\\"over \\""', 0],
    ["put in front of", "PROMPT_COMMAND=\"false; PS1='over '; $PROMPT_COMMAND\"", 0],
    ["appended to as an array", "PROMPT_COMMAND+=('PS1=\"over \"')", 1],
    // The prompt of that very command has no hook of ours; the next command puts it back.
    ["replaced as an array", "PROMPT_COMMAND=('PS1=\"over \"')", 1],
    ["unset", "unset PROMPT_COMMAND", 1],
  ])("PROMPT_COMMAND %s at the prompt: marks go on", async (_, line, promptsLost) => {
    await using shell = await open("");
    if (promptsLost === 0) await shell.run(line);
    else {
      shell.type(`${line}\r`);
      await shell.until((output) => output.includes("133;C;"));
    }
    expect(await shell.run("sh -c 'exit 5'")).toEqual(
      expect.arrayContaining(["E sh -c 'exit 5'", "C", "D 5"]),
    );
    expect(await shell.run("sh -c 'exit 6'")).toEqual(ran("sh -c 'exit 6'", 6));
  });

  test("reading .bashrc again keeps the marks", async () => {
    await using shell = await open("PS1='mine $ '\nPROMPT_COMMAND='true; true'\nHISTCONTROL=ignoreboth");
    await shell.run(". ~/.bashrc");
    expect(await shell.run("sh -c 'exit 5'")).toEqual(ran("sh -c 'exit 5'", 5));
    expect(await shell.run("sh -c 'exit 5'")).toEqual(ran("sh -c 'exit 5'", 5));
  });

  test("a prompt extended by the user (a virtual environment) is marked once, at its end", async () => {
    await using shell = await open("PS1='mine $ '");
    await shell.run('PS1="(venv) $PS1"; PS1+="more "');
    await shell.run("true");
    expect(shell.output()).toMatch(/\(venv\) mine \$ more \x1b\]133;B;kolu=[^\x07]*\x07$/);
  });

  test("the user's PS0 and strict options do no harm", async () => {
    await using shell = await open(
      "PS0='[run]'\nset -u\nset -o noclobber\nIFS=:\nshopt -s nullglob failglob",
    );
    expect(await shell.run("echo a b")).toEqual(ran("echo a b"));
    expect(shell.output()).toContain("[run]");
    expect(shell.output()).not.toContain("unbound");
    expect(await shell.run("set -e")).toEqual(ran("set -e"));
    expect(await shell.run("false || true")).toEqual(ran("false || true"));
  });

  test("without promptvars prompts are marked, commands are not, and nothing is printed raw", async () => {
    await using shell = await open("");
    shell.type("shopt -u promptvars\r");
    await shell.until((output) => output.includes("133;A;"));
    shell.type("echo a''b\r");
    await shell.until((output) => output.includes("133;A;"));
    expect(shell.output()).not.toContain("__kolu");
    await shell.run("shopt -s promptvars");
    expect(await shell.run("echo a")).toEqual(ran("echo a"));
  });

  test("the first login profile is read, as a login shell reads it", async () => {
    const files = { ".bash_profile": "export WHO=profile", ".profile": "WHO=other", ".bashrc": "WHO=rc" };
    await using shell = await driveShell({ shell: "/bin/bash", files });
    expect(await printed(shell, 'echo "<""<$WHO>>"')).toBe("profile");
  });
});

describe("zsh", () => {
  const open = (files: Record<string, string>) => driveShell({ shell: "/usr/bin/zsh", files });

  test("every dotfile is read once, in order, with the user's ZDOTDIR unset as it was", async () => {
    const say = (file: string) => `SEEN+="${file}:\${ZDOTDIR-unset} "`;
    await using shell = await open({
      ".zshenv": say("env"),
      ".zprofile": say("profile"),
      ".zshrc": say("rc"),
      ".zlogin": say("login"),
    });
    expect(await printed(shell, 'print "<""<$SEEN>>"')).toBe("env:unset profile:unset rc:unset login:unset ");
  });

  test("a ZDOTDIR of the user's is where the dotfiles come from", async () => {
    await using shell = await driveShell({
      shell: "/usr/bin/zsh",
      files: { "dots/.zshenv": "A=1", "dots/.zshrc": "B=2", ".zshrc": "B=wrong" },
      env: (home) => ({ ZDOTDIR: join(home, "dots") }),
    });
    expect(await printed(shell, `print "<""<$A $B \${ZDOTDIR:t}>>"`)).toBe("1 2 dots");
    expect(await printed(shell, `zsh -c 'print "<""<$A \${ZDOTDIR:t}>>"'`)).toBe("1 dots");
  });

  test.each([
    ["HIST_IGNORE_SPACE", "setopt hist_ignore_space", " echo secret"],
    ["HIST_IGNORE_SPACE behind an alias", "setopt hist_ignore_space\nalias hush=' echo'", "hush secret"],
    ["a zshaddhistory hook", "zshaddhistory() { [[ $1 != *secret* ]] }", "echo secret"],
    ["HIST_NO_STORE", "setopt hist_no_store", "fc -l"],
  ])("%s hides a line", async (_, rc, line) => {
    await using shell = await open({
      ".zshrc": `${rc}\nsetopt hist_ignore_all_dups share_history\nHISTFILE=~/h SAVEHIST=99`,
    });
    expect(await shell.run("echo open")).toEqual(ran("echo open"));
    expect(await shell.run(line)).toEqual(hidden);
    expect(await shell.run("echo open")).toEqual(ran("echo open"));
    expect(await shell.run("echo open")).toEqual(ran("echo open"));
    expect(await shell.run(line)).toEqual(hidden);
    expect(await readFile(join(shell.home, "h"), "utf8")).not.toMatch(/secret|kolu/);
  });

  test("hooks that replace the arrays, and a prompt built in a hook, keep the marks", async () => {
    await using shell = await open({
      ".zshrc": 'setopt prompt_subst\nmine() { PS1="<$?> " }\nprecmd_functions=(mine)\npreexec_functions=()',
    });
    expect(await shell.run("sh -c 'exit 5'")).toEqual(ran("sh -c 'exit 5'", 5));
    expect(shell.output()).toMatch(/<5> /);
    shell.type("precmd_functions=(mine)\r");
    await shell.until((output) => output.includes("133;C;"));
    await shell.run("true");
    expect(await shell.run("sh -c 'exit 6'")).toEqual(ran("sh -c 'exit 6'", 6));
  });

  test("strange options and aliases do no harm", async () => {
    const rc =
      "setopt ksh_arrays sh_word_split no_unset no_clobber glob_subst\nalias -g print=nope\nalias local=nope";
    await using shell = await open({ ".zshrc": rc });
    expect(await shell.run("echo a b")).toEqual(ran("echo a b"));
    expect(await shell.run("false")).toEqual(ran("false", 1));
    expect(shell.output()).not.toContain("nope");
  });
});

test("fish hides a line with a leading space, and wraps a prompt that changes", async () => {
  await using shell = await driveShell({ shell: "/usr/bin/fish" });
  expect(await shell.run("echo open")).toEqual(ran("echo open"));
  expect(await shell.run(" echo secret")).toEqual(hidden);
  expect(shell.output()).not.toMatch(/\x1b\]0;[^\x07]*secret/);
  const redefine = "function fish_prompt; echo -n 'other> '; end";
  expect(await shell.run(redefine)).toEqual(ran(redefine.replaceAll(";", "\\x3b"), 0, redefine));
  expect(await shell.run("false")).toEqual(ran("false", 1));
  expect(shell.output()).toContain("other> \x1b]133;B;");
});
