// Colours text in a worker, so that a long file never holds up a terminal. Tokens name roles; the page's style sheet says
// which colour a role has.
import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from "@shikijs/core";
import { createJavaScriptRegexEngine } from "@shikijs/engine-javascript";
import { GRAMMARS } from "./grammars.ts";
import type { HighlightAnswer, HighlightRequest, TokenLine } from "./highlight.ts";

const PREFIX = "--code-";
/** A longer line is not coloured: it was made by a program, and takes long. */
const COLOURED_LINE_MAX_CHARS = 2_000;

let highlighter: Promise<HighlighterCore> | null = null;

// The engine of regular expressions is JavaScript's own: the page's policy lets no WebAssembly run.
function start(): Promise<HighlighterCore> {
  highlighter ??= createHighlighterCore({
    themes: [createCssVariablesTheme({ name: "roles", variablePrefix: PREFIX, fontStyle: false })],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  return highlighter;
}

async function colour({ text, language }: HighlightRequest): Promise<TokenLine[]> {
  const shiki = await start();
  if (!shiki.getLoadedLanguages().includes(language))
    await shiki.loadLanguage((await GRAMMARS[language]()).default);
  const lines = shiki.codeToTokensBase(text, {
    lang: language,
    theme: "roles",
    tokenizeMaxLineLength: COLOURED_LINE_MAX_CHARS,
  });
  return lines.map((tokens) => tokens.map(({ content, color }) => [content.length, roleOf(color)] as const));
}

/** "var(--code-token-string)" -> "string". */
function roleOf(color: string | undefined): string | null {
  return /--code-token-([a-z-]+)/.exec(color ?? "")?.[1] ?? null;
}

self.addEventListener("message", ({ data }: MessageEvent<HighlightRequest>) => {
  const answer = (outcome: Omit<HighlightAnswer, "id">): void =>
    self.postMessage({ id: data.id, ...outcome });
  colour(data).then(
    (lines) => answer({ lines }),
    // A grammar that cannot be loaded or fails leaves the text as it is.
    () => answer({ lines: null }),
  );
});
