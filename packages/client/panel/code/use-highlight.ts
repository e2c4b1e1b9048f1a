// The colours of rows of code, once the worker has them; until then the rows are plain.
import { useEffect, useMemo, useState } from "react";
import { highlight, type TokenLine } from "./highlight.ts";
import { languageOf } from "./languages.ts";
import { type CodeRow, sideOf } from "./rows.ts";

type Tokens = ReadonlyMap<number, TokenLine>;

const NONE: Tokens = new Map();

/** By row. A difference is coloured side by side: each side alone is code, both together are not. */
export function useHighlight(path: string, rows: readonly CodeRow[]): Tokens {
  const language = languageOf(path);
  const changed = useMemo(() => rows.some(({ kind }) => kind === "removed"), [rows]);
  const [coloured, setColoured] = useState<{ rows: readonly CodeRow[]; tokens: Tokens } | null>(null);
  useEffect(() => {
    if (language === null || rows.length === 0) return;
    let current = true;
    const sides = (changed ? (["old", "new"] as const) : (["new"] as const)).map((side) =>
      sideOf(rows, side),
    );
    Promise.all(sides.map(({ text }) => highlight(text, language))).then((answers) => {
      if (!current) return;
      const tokens = new Map<number, TokenLine>();
      // The new side comes last: a line that both have is coloured as it is now.
      for (const [at, lines] of answers.entries())
        for (const [line, row] of sides[at]!.rowOf.entries()) {
          const found = lines?.[line];
          if (found) tokens.set(row, found);
        }
      setColoured({ rows, tokens });
    });
    return () => {
      current = false;
    };
  }, [language, rows, changed]);
  return coloured?.rows === rows ? coloured.tokens : NONE;
}
