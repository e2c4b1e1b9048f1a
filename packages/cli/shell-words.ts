// A command line as a shell reads it back. Pure.

// A leading `=` is left out: zsh takes `=name` for the path of a command.
const PLAIN_WORD = /^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*$/;

/** Joins words so that bash, zsh and fish read the same words again: plain ones as they are, others in single quotes. */
export function joinShellWords(words: readonly string[]): string {
  return words.map(quote).join(" ");
}

function quote(word: string): string {
  if (PLAIN_WORD.test(word)) return word;
  // A backslash inside single quotes is literal in bash and zsh and an escape in fish; outside, doubled, all agree.
  return (
    word
      .split(/(['\\]+)/)
      .map((part) => {
        if (part === "") return "";
        if (/^['\\]+$/.test(part)) return part.replace(/['\\]/g, "\\$&");
        return `'${part}'`;
      })
      .join("") || "''"
  );
}
