// A hit as one line that shows its match. Pure.

/** Characters shown before a match: what follows tells more. */
const BEFORE_CHARS = 48;
const AFTER_CHARS = 160;

export interface HitText {
  before: string;
  match: string;
  after: string;
}

export function hitText({
  text,
  matchStart,
  matchLength,
}: {
  text: string;
  matchStart: number;
  matchLength: number;
}): HitText {
  const end = matchStart + matchLength;
  const before = text.slice(0, matchStart).trimStart();
  const after = text.slice(end).trimEnd();
  return {
    before: before.length > BEFORE_CHARS ? `…${before.slice(-BEFORE_CHARS).toWellFormed()}` : before,
    match: text.slice(matchStart, end),
    after: after.length > AFTER_CHARS ? `${after.slice(0, AFTER_CHARS).toWellFormed()}…` : after,
  };
}
