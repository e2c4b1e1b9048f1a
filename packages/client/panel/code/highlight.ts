// The page's side of the worker that colours code.
import type { Language } from "./languages.ts";

/** Length of each token in characters, with its role; null is plain text. */
export type TokenLine = readonly (readonly [length: number, role: string | null])[];

export interface HighlightRequest {
  id: number;
  text: string;
  language: Language;
}
export interface HighlightAnswer {
  id: number;
  lines: TokenLine[] | null;
}

/** A longer text is shown plain: colouring it takes seconds. */
export const COLOURED_MAX_CHARS = 500_000;

let worker: Worker | null = null;
let lastId = 0;
const waiting = new Map<number, (lines: TokenLine[] | null) => void>();

function start(): Worker {
  if (worker) return worker;
  const started = new Worker(new URL("./highlight-worker.ts", import.meta.url), { type: "module" });
  started.addEventListener("message", ({ data }: MessageEvent<HighlightAnswer>) => {
    waiting.get(data.id)?.(data.lines);
    waiting.delete(data.id);
  });
  // Without its worker the code is plain; nothing else of the page depends on it.
  started.addEventListener("error", () => {
    for (const answer of waiting.values()) answer(null);
    waiting.clear();
  });
  worker = started;
  return started;
}

/** Null when it cannot be coloured. Never rejects. */
export function highlight(text: string, language: Language): Promise<TokenLine[] | null> {
  if (text.length > COLOURED_MAX_CHARS) return Promise.resolve(null);
  const id = ++lastId;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    start().postMessage({ id, text, language } satisfies HighlightRequest);
  });
}
