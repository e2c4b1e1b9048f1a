// The shell script that finds the kolu of another machine, on PATH or not. Pure.

/** What a line that is meant for us begins with: a login may print lines of its own. */
export const ANSWER_MARK = "kolu-answers ";

/**
 * A POSIX script. It hands each kolu that it finds, as $1, to `use`, which ends the script when that one will do: `kolu` on
 * PATH; the launchers of daemons that run (their runtime directories hold one each); the usual places; and what the user's
 * login shell has on PATH, last because that may be slow. What its end tells has the mark: no-kolu, or too-old and which.
 */
export function scriptWithKolu(use: string): string {
  return `
deaf=
try() {
  [ -x "$1" ] && [ ! -d "$1" ] || return 0
  ${use}
  deaf=$1
}
try "$(command -v kolu)"
uid=$(id -u)
for base in "\${XDG_RUNTIME_DIR:-/run/user/$uid}/kolu" "/run/user/$uid/kolu" "/tmp/kolu-$uid"; do
  [ -O "$base" ] || continue
  for launcher in "$base"/*/bin/kolu; do [ -O "$launcher" ] && try "$launcher"; done
done
for place in "$HOME/.local/bin" "$HOME/.npm-global/bin" /usr/local/bin /opt/homebrew/bin; do try "$place/kolu"; done
login=$("\${SHELL:-/bin/sh}" -lc 'printf "%s\\n" "$PATH"' </dev/null 2>/dev/null | tail -n 1)
if [ -n "$login" ]; then PATH=$login:$PATH; export PATH; try "$(command -v kolu)"; fi
if [ -n "$deaf" ]; then printf '${ANSWER_MARK}too-old %s\\n' "$deaf"; else echo '${ANSWER_MARK}no-kolu'; fi
`;
}

/** Words as sh reads them back. The joining of shell-words.ts agrees with three shells, and sh alone needs less. */
export function joinForSh(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
}
