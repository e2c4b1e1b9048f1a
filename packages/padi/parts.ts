// The parts that padi is really made with: which agents there are, and what runs git.
import { agentPlugins } from "@kolu/agents/plugins.ts";
import { agentVocabs, vocabOf } from "@kolu/agents/vocabs.ts";
import { findInvocation, normalise, quoteWords, shellWords } from "@kolu/anyagent/command-line.ts";
import { createDetect } from "./detect/detect.ts";
import { installLine, reportsTurns, startOf, wayBackOf } from "./detect/resume.ts";
import { openTranscripts } from "./detect/transcripts.ts";
import { createPullRequestWatch } from "./git/pull-requests.ts";
import { createGitWatch } from "./git/watch.ts";
import { createWorktree, removeWorktree } from "./git/worktree.ts";
import type { PadiParts } from "./padi.ts";
import { createPortWatch } from "./ports/watch.ts";

/** A word that may carry what nobody else should see. */
const SECRET = /key|token|secret|passw|auth/i;

/** The agent's program with the flags that shape it, without environment and wrappers; only the program where a flag may
 * carry a secret. */
function shareableCommand(agentKind: string, line: string): string | null {
  const vocab = vocabOf(agentKind);
  const invocation = vocab && findInvocation(shellWords(line), [vocab]);
  const words = invocation && normalise(invocation);
  if (!words) return null;
  return quoteWords(words.some((word) => SECRET.test(word)) ? words.slice(0, 1) : words);
}

export function realParts(startKaval: () => Promise<unknown>): PadiParts {
  const plugins = agentPlugins(process.env);
  return {
    pasteKeyOf: (kind) => plugins.find(({ vocab }) => vocab.kind === kind)?.keyForPaste ?? null,
    composerOf: (kind) => plugins.find(({ vocab }) => vocab.kind === kind)?.readComposer ?? null,
    readTranscript: openTranscripts(plugins),
    startKaval,
    createDetect: (host) => createDetect(host, plugins),
    reportsTurns,
    wayBack: wayBackOf,
    installLine,
    startOf,
    shareableCommand,
    createGitWatch,
    createPullRequestWatch,
    createPortWatch,
    createWorktree,
    removeWorktree,
    agentPrograms: agentVocabs.map(({ kind, grammar }) => ({ kind, program: grammar.programs[0]! })),
  };
}
