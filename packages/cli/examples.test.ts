import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type FlagSpecs, parseInvocation, parseRoute } from "./arguments.ts";
import { completionFor, SHELLS } from "./completion.ts";
import { examples } from "./examples.ts";
import { verbHelp } from "./help.ts";
import { manPage } from "./man.ts";
import { type VerbSpec, verbs } from "./verb-table.ts";

const specs = verbs as unknown as Readonly<Record<string, VerbSpec<FlagSpecs>>>;

/** Words as a shell would split these examples: blanks part, single quotes hold together. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:[^\s']|'[^']*')+/g)].map(([word]) => word.replaceAll("'", ""));
}

const directory = mkdtempSync("/tmp/kolu-completion-");
afterAll(() => rmSync(directory, { recursive: true }));

function isInstalled(shell: string): boolean {
  return spawnSync(shell, ["-c", "true"]).status === 0;
}

test("every verb has examples, and every example has a verb", () => {
  expect(Object.keys(examples).sort()).toEqual(Object.keys(verbs).sort());
});

const lines = Object.entries(examples).flatMap(([verb, own]) => own.map(({ line }) => [line, verb] as const));
test.each(lines)("the example is accepted as it is typed: kolu %s", (line, verb) => {
  const route = parseRoute(wordsOf(line));
  expect(route).toMatchObject({ kind: "verb", verb });
  const spec = specs[verb]!;
  // The flags of a tool are known to the verb's own code alone.
  if (route.kind === "verb" && !(spec.hasOwnShapes && route.words.length > 0))
    expect(() => parseInvocation(spec, route.words)).not.toThrow();
});

test("help teaches by them", () => {
  expect(verbHelp("wait", specs.wait!)).toContain("  kolu wait 3f2a --until match:'tests passed'");
});

describe.each(SHELLS)("the completion for %s", (shell) => {
  const script = completionFor(shell, verbs);
  test("knows every verb and every flag", () => {
    for (const [name, spec] of Object.entries(specs)) {
      expect(script).toContain(name);
      for (const [flag, { kind }] of Object.entries(spec.flags))
        if (kind !== "refused") expect(script).toContain(shell === "fish" ? `-l ${flag}` : `--${flag}`);
    }
  });
  test.skipIf(!isInstalled(shell))("is a script of that shell", () => {
    const path = join(directory, shell);
    writeFileSync(path, script);
    expect(() => execFileSync(shell, ["-n", path])).not.toThrow();
  });
});

test("the completion for bash offers verbs, then a verb's flags", () => {
  const ask = (words: string[]): string[] => {
    const script = `${completionFor("bash", verbs)}
      COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}
      _kolu; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync("bash", ["-c", script], { encoding: "utf8" }).trim().split("\n");
  };
  expect(ask(["kolu", "wa"])).toEqual(["wait", "watch"]);
  expect(ask(["kolu", "wait", "--un"])).toEqual(["--until"]);
  expect(ask(["kolu", "--socket=/s", "ls", "--j"])).toEqual(["--json"]);
});

test("the manual page tells of every verb and no line of it is taken for a request", () => {
  const page = manPage(verbs, "1.2.3");
  for (const name of Object.keys(verbs)) expect(page).toContain(`.SS kolu ${name}`);
  const requests = page.split("\n").filter((line) => line.startsWith("."));
  const known = /^\.(TH|SH|SS|TP|B|PP|nf|fi)( |$)/;
  expect(requests.filter((line) => !known.test(line))).toEqual([]);
});
