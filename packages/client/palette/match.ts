// How well an entry answers what was typed. Pure.

export interface Matchable {
  title: string;
  /** Other words that it is known by. */
  words: readonly string[];
}

/** Higher is better; null: it is not meant. A blank query means everything alike. */
export function scoreOf({ title, words }: Matchable, query: string): number | null {
  const typed = query.trim().toLowerCase();
  if (typed === "") return 0;
  const name = title.toLowerCase();
  if (name === typed) return 100;
  if (name.startsWith(typed)) return 80;
  if (beginsWord(name, typed)) return 60;
  if (name.includes(typed)) return 40;
  const all = [name, ...words.map((word) => word.toLowerCase())].join("\n");
  const parts = typed.split(/\s+/);
  if (parts.every((part) => beginsWord(all, part))) return 30;
  if (parts.every((part) => all.includes(part))) return 20;
  return isScattered(name, typed) ? 10 : null;
}

/** Those that are meant, the best first; of equals the order stays. */
export function ranked<T extends Matchable>(
  entries: readonly T[],
  query: string,
): { entry: T; score: number }[] {
  return entries
    .flatMap((entry) => {
      const score = scoreOf(entry, query);
      return score === null ? [] : [{ entry, score }];
    })
    .sort((a, b) => b.score - a.score);
}

function beginsWord(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1))
    if (at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1]!)) return true;
  return false;
}

/** The initials of its words, or the beginnings of some, in order: "nt" is "new terminal". */
function isScattered(name: string, typed: string): boolean {
  const wanted = typed.replaceAll(/\s/g, "");
  let at = 0;
  for (const word of name.split(/[^\p{L}\p{N}]+/u)) {
    let taken = 0;
    while (taken < word.length && word[taken] === wanted[at + taken]) taken++;
    at += taken;
    if (at === wanted.length) return true;
  }
  return false;
}
