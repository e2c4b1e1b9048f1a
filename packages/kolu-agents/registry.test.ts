import { describe, expect, it } from "vitest";
import { agentPlugins } from "./plugins.ts";
import { agentVocabs, vocabOf } from "./vocabs.ts";

describe("the list of agents", () => {
  it("has the same agents in both halves", () => {
    expect(agentPlugins({}).map((plugin) => plugin.vocab)).toEqual([...agentVocabs]);
  });

  it("gives each a kind, names and words of its own", () => {
    const own = (words: (vocab: (typeof agentVocabs)[number]) => readonly string[]) => {
      const all = agentVocabs.flatMap(words);
      expect(new Set(all).size).toBe(all.length);
    };
    own((vocab) => [vocab.kind]);
    own((vocab) => vocab.apps);
    own((vocab) => vocab.grammar.programs);
    own((vocab) => vocab.grammar.packages);
  });

  it("does not know an agent of a later release", () => {
    expect(vocabOf("claude-code")?.displayName).toBe("Claude Code");
    expect(vocabOf("hal")).toBeNull();
  });
});
