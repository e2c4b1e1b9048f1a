// Every agent comes back on its conversation, in the shape it was started in: one table over all vocabularies.
import {
  findInvocation,
  quoteWords,
  resumeWords,
  shellWords,
  startWords,
} from "@kolu/anyagent/command-line.ts";
import { describe, expect, it } from "vitest";
import { agentVocabs, vocabOf } from "./vocabs.ts";

const UUID = "01a22ba5-6753-75ab-bd81-65ada8b8e4de";

interface Case {
  started: string;
  reference: string;
  exactly: string;
  latest: string;
}

const CASES: Record<string, Case> = {
  "claude-code": {
    started: "claude --model opus --dangerously-skip-permissions 'fix the parser'",
    reference: UUID,
    exactly: `claude --resume ${UUID} --model opus --dangerously-skip-permissions`,
    latest: "claude -c --model opus --dangerously-skip-permissions",
  },
  codex: {
    started: "codex -m gpt-5 --sandbox read-only 'fix it'",
    reference: UUID,
    exactly: `codex resume ${UUID} -m gpt-5 --sandbox read-only`,
    latest: "codex resume --last -m gpt-5 --sandbox read-only",
  },
  grok: {
    started: "grok -m demo --always-approve --no-alt-screen 'fix it'",
    reference: UUID,
    exactly: `grok --resume ${UUID} -m demo --always-approve --no-alt-screen`,
    latest: "grok -c -m demo --always-approve --no-alt-screen",
  },
  opencode: {
    started: "opencode --model a/b --prompt 'fix it'",
    reference: "ses_dd2d07c4affeHezVi9hvIktqdZ",
    exactly: "opencode -s ses_dd2d07c4affeHezVi9hvIktqdZ --model a/b",
    latest: "opencode -c --model a/b",
  },
  pi: {
    started: "pi --provider demo --model large --thinking high --name 'the parser' 'fix it'",
    reference: "/home/me/.pi/agent/sessions/--w--/x_1.jsonl",
    exactly:
      "pi --session /home/me/.pi/agent/sessions/--w--/x_1.jsonl --provider demo --model large --thinking high --name 'the parser'",
    latest: "pi -c --provider demo --model large --thinking high --name 'the parser'",
  },
  omp: {
    started: "omp --profile work --approval-mode always-ask --smol s 'fix it'",
    reference: "/home/me/.omp/agent/sessions/-w/x.jsonl",
    exactly:
      "omp --resume /home/me/.omp/agent/sessions/-w/x.jsonl --profile work --approval-mode always-ask --smol s",
    latest: "omp -c --profile work --approval-mode always-ask --smol s",
  },
  xyne: {
    started: "xyne --debug 'fix it'",
    reference: UUID,
    exactly: `xyne --session ${UUID} --debug`,
    latest: "xyne --continue --debug",
  },
};

/** Every flag that shapes a session, in one line; the prompt stands at its end. */
const SHAPES: Record<string, string> = {
  grok: "grok --model demo -m demo --always-approve --no-plan --no-subagents --no-alt-screen --permission-mode plan",
  pi: "pi --model large --provider demo --thinking high --name parser",
  omp: "omp --model m --smol s --slow l --plan p --thinking high --approval-mode always-ask --profile work",
};

describe("the shape of a session", () => {
  for (const [kind, line] of Object.entries(SHAPES)) {
    it(`${kind}: is kept whole, and the prompt is not`, () => {
      const invocation = findInvocation(shellWords(`${line} 'write a poem'`), [vocabOf(kind)!])!;
      expect(quoteWords(startWords(invocation)!)).toBe(line);
    });
  }

  for (const kind of ["pi", "omp"]) {
    it(`${kind}: one that leaves nothing behind is neither started again nor resumed`, () => {
      const invocation = findInvocation(shellWords(`${kind} --model m --no-session`), [vocabOf(kind)!])!;
      expect(startWords(invocation)).toBeNull();
      expect(resumeWords(invocation, CASES[kind]!.reference)).toBeNull();
    });
  }
});

describe("resuming", () => {
  it("is tabled for every agent", () => {
    expect(Object.keys(CASES)).toEqual(agentVocabs.map(({ kind }) => kind));
  });

  for (const [kind, { started, reference, exactly, latest }] of Object.entries(CASES)) {
    const words = (line: string, ref: string | null) =>
      quoteWords(resumeWords(findInvocation(shellWords(line), [vocabOf(kind)!])!, ref)!);

    it(`${kind}: exactly this conversation, in the shape it was started in, without the prompt`, () => {
      expect(words(started, reference)).toBe(exactly);
    });
    it(`${kind}: the latest of the directory`, () => {
      expect(words(started, null)).toBe(latest);
    });
    it(`${kind}: a line that resumed resumes the same way again`, () => {
      expect(words(exactly, reference)).toBe(exactly);
      expect(words(latest, reference)).toBe(exactly);
    });
    it(`${kind}: what is no reference of its own is refused, never another conversation taken`, () => {
      const invocation = findInvocation(shellWords(started), [vocabOf(kind)!])!;
      expect(resumeWords(invocation, "x; rm -rf /")).toBeNull();
      expect(resumeWords(invocation, "--help")).toBeNull();
    });
  }
});
