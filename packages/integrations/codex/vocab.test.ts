import { findInvocation, normalise, resumeWords, shellWords, useOf } from "@kolu/anyagent/command-line.ts";
import { describe, expect, it } from "vitest";
import { codexVocab } from "./vocab.ts";

const ID = "01a22ba9-ab8b-7561-943f-cabddc094b84";
const invocation = (line: string) => findInvocation(shellWords(line), [codexVocab]);

describe("a command that starts Codex", () => {
  const sessions: Record<string, string> = {
    codex: "codex",
    "codex -m gpt-6.1-sol 'fix it'": "codex -m gpt-6.1-sol",
    "npx @openai/codex@0.171.0 --no-daemon": "codex --no-daemon",
    "env X=1 nice -n 5 /opt/bin/codex -s read-only --search": "codex -s read-only --search",
    [`codex resume ${ID} -a never`]: "codex -a never",
    "codex fork --last": "codex",
    "codex -c model=o3 --enable a -C ../x -i shot.png 'look'": "codex -c model=o3 --enable a -C ../x",
  };
  for (const [line, kept] of Object.entries(sessions)) {
    it(`${line} is kept as ${kept}`, () => {
      expect(useOf(invocation(line)!)).toBe("session");
      expect(normalise(invocation(line)!)?.join(" ")).toBe(kept);
    });
  }
  for (const line of [
    "codex exec 'fix it'",
    "codex login",
    "codex --version",
    "codex app-server",
    "codex mcp list",
  ]) {
    it(`${line} is no session`, () => expect(useOf(invocation(line)!)).toBe("other"));
  }
});

describe("resumption", () => {
  const started = invocation("codex --no-daemon 'fix it'")!;
  it("is of exactly this thread, with the flags that shape it", () => {
    expect(resumeWords(started, ID)?.join(" ")).toContain(`resume ${ID}`);
    expect(resumeWords(started, ID)?.join(" ")).toContain("--no-daemon");
  });
  it("is of the latest when no thread is known", () => {
    expect(resumeWords(started, null)?.join(" ")).toContain("resume --last");
  });
  it("is none by what is no id", () => expect(resumeWords(started, "my thread; rm -rf /")).toBeNull());
});
