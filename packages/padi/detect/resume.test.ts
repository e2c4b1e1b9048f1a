import { type AgentReading, NO_BACKGROUND } from "@kolu/contract/agent.ts";
import { describe, expect, it } from "vitest";
import { installLine, reportsTurns, startOf, wayBackOf } from "./resume.ts";

const ID = "11111111-2222-3333-4444-555555555555";
const reading: AgentReading = {
  kind: "claude-code",
  state: "waiting",
  bucket: "waiting",
  sinceMs: 0,
  source: "status-file",
  awaiting: null,
  unknownReason: null,
  error: null,
  pid: 1,
  sessionId: ID,
  sessionPath: null,
  version: null,
  model: null,
  contextTokens: null,
  title: null,
  todos: null,
  background: NO_BACKGROUND,
  startedAtMs: null,
  prompted: true,
};

describe("the line that brings a conversation back", () => {
  const cases: Record<string, [agent: Partial<AgentReading>, startedBy: string | null, line: string | null]> =
    {
      "names exactly the conversation": [{}, "claude", `claude --resume ${ID}`],
      "keeps the shape, not the prompt": [
        {},
        "claude --model opus --permission-mode plan 'write a poem'",
        `claude --resume ${ID} --model opus --permission-mode plan`,
      ],
      "replaces an older choice": [
        {},
        "claude -c --dangerously-skip-permissions",
        `claude --resume ${ID} --dangerously-skip-permissions`,
      ],
      "starts it the way it was started": [
        {},
        "FOO='a b' npx -y @anthropic-ai/claude-code@2.1.332 --model opus hello",
        `FOO='a b' npx -y @anthropic-ai/claude-code@2.1.332 --resume ${ID} --model opus`,
      ],
      "knows the program when nobody saw its command": [{}, null, `claude --resume ${ID}`],
      "knows the program behind a script of the user's": [{}, "./work.sh", `claude --resume ${ID}`],
      "takes the latest when the conversation has no id": [{ sessionId: null }, "claude", "claude -c"],
      "never takes another one instead": [{ sessionId: "x; rm -rf" }, "claude", null],
      "starts afresh where no prompt was ever given": [
        { prompted: false },
        "claude --model opus",
        "claude --model opus",
      ],
      "is none for a session that leaves nothing behind": [
        { kind: "pi", prompted: false, sessionId: null },
        "pi --no-session --model large",
        null,
      ],
      "is none for an agent that is not known": [{ kind: "hal" }, "hal", null],
    };
  for (const [title, [agent, startedBy, line]] of Object.entries(cases)) {
    it(title, () => expect(wayBackOf({ ...reading, ...agent }, startedBy)?.line ?? null).toBe(line));
  }

  it("says on what it leads back", () => {
    expect(wayBackOf(reading, "claude")?.on).toBe("conversation");
    expect(wayBackOf({ ...reading, sessionId: null }, "claude")?.on).toBe("newest");
    expect(wayBackOf({ ...reading, prompted: false }, "claude")?.on).toBe("fresh");
  });

  it("a start is remembered as it may be offered again, unless it leaves nothing behind", () => {
    expect(startOf("pi", "FOO=1 pi --model large 'write a poem'")).toEqual({
      recent: "FOO=1 pi --model large",
    });
    expect(startOf("pi", "pi --model large --no-session")).toEqual({ recent: null });
    expect(startOf("pi", "pi update")).toBeNull();
    expect(startOf("pi", "./work.sh")).toBeNull();
  });

  it("names the package that installs an agent", () => {
    expect(installLine("codex")).toBe("npm install -g @openai/codex");
    expect(installLine("hal")).toBe(null);
  });

  it("turns are reported unless an agent says otherwise", () => {
    expect(reportsTurns("claude-code")).toBe(true);
    expect(reportsTurns("unheard-of")).toBe(true);
  });
});
