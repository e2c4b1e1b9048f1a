// The completion scripts, made from the table of verbs. Pure.
import { endpointFlags, type FlagSpec, type FlagSpecs } from "./arguments.ts";
import type { DescribedVerb } from "./help.ts";
import type { VerbTable } from "./verb-spec.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

export function completionFor(shell: Shell, verbs: VerbTable): string {
  switch (shell) {
    case "bash":
      return bashCompletion(verbs);
    case "zsh":
      return zshCompletion(verbs);
    case "fish":
      return fishCompletion(verbs);
    default:
      return shell satisfies never;
  }
}

function flagsOf(spec: DescribedVerb): [name: string, spec: Exclude<FlagSpec, { kind: "refused" }>][] {
  const all: FlagSpecs = { ...spec.flags, ...endpointFlags };
  return Object.entries(all).flatMap(([name, flag]) =>
    flag.kind === "refused" ? [] : [[name, flag] as never],
  );
}

/** Verbs whose operands are terminals. */
function takesId(spec: DescribedVerb): boolean {
  return /^[<[]id\b/.test(spec.operands);
}

function bashCompletion(verbs: VerbTable): string {
  const cases = Object.entries(verbs).map(([name, spec]) => {
    const flags = flagsOf(spec).map(([flag]) => `--${flag}`);
    return `    ${name}) flags="${flags.join(" ")}"; ids=${takesId(spec) ? "yes" : ""} ;;`;
  });
  return `# Completion of kolu for bash: source <(kolu completion bash)
_kolu() {
  local word=\${COMP_WORDS[COMP_CWORD]} verb= flags= ids= at
  for ((at = 1; at < COMP_CWORD; at++)); do
    [[ \${COMP_WORDS[at]} != -* ]] && { verb=\${COMP_WORDS[at]}; break; }
  done
  if [[ -z $verb ]]; then
    COMPREPLY=($(compgen -W "${Object.keys(verbs).join(" ")} --help --version" -- "$word"))
    return
  fi
  case $verb in
${cases.join("\n")}
  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$flags --help" -- "$word"))
  elif [[ -n $ids ]]; then
    COMPREPLY=($(compgen -W "$(kolu completion ids 2>/dev/null | cut -f1)" -- "$word"))
  fi
}
complete -o default -F _kolu kolu
`;
}

function zshCompletion(verbs: VerbTable): string {
  const names = Object.entries(verbs).map(([name, spec]) => `    ${zshQuoted(`${name}:${spec.summary}`)}`);
  const cases = Object.entries(verbs).map(([name, spec]) => {
    const flags = flagsOf(spec).map(([flag, { kind, help }]) => {
      const several = kind === "texts" ? "*" : "";
      const value = kind === "switch" ? "" : `:${flag}:_files`;
      return zshQuoted(`${several}--${flag}[${help.replaceAll(/[[\]:]/g, " ")}]${value}`);
    });
    const operands = takesId(spec) ? "'*:terminal:_kolu_ids'" : "'*:file:_files'";
    return `      ${name}) _arguments ${flags.join(" ")} ${operands} ;;`;
  });
  return `#compdef kolu
# Completion of kolu for zsh: source <(kolu completion zsh)
_kolu_ids() {
  local -a ids
  ids=(\${(f)"$(kolu completion ids 2>/dev/null | tr '\\t' ':')"})
  _describe terminal ids
}
_kolu() {
  local -a verbs
  verbs=(
${names.join("\n")}
  )
  _arguments -C '1:verb:->verb' '*::argument:->rest'
  case $state in
    verb) _describe verb verbs ;;
    rest)
      case $words[1] in
${cases.map((line) => `  ${line}`).join("\n")}
      esac ;;
  esac
}
compdef _kolu kolu
`;
}

function zshQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function fishCompletion(verbs: VerbTable): string {
  const names = Object.keys(verbs).join(" ");
  const lines = [
    "# Completion of kolu for fish: kolu completion fish | source",
    "complete -c kolu -f",
    `complete -c kolu -n "not __fish_seen_subcommand_from ${names}" -s h -l help -d "tell more"`,
  ];
  for (const [name, spec] of Object.entries(verbs)) {
    lines.push(
      `complete -c kolu -n "not __fish_seen_subcommand_from ${names}" -a ${name} -d ${fishQuoted(spec.summary)}`,
    );
    for (const [flag, { kind, help }] of flagsOf(spec)) {
      const value = kind === "switch" ? "" : " -r";
      lines.push(
        `complete -c kolu -n "__fish_seen_subcommand_from ${name}" -l ${flag}${value} -d ${fishQuoted(help)}`,
      );
    }
    if (takesId(spec))
      lines.push(
        `complete -c kolu -n "__fish_seen_subcommand_from ${name}" -a "(kolu completion ids 2>/dev/null)"`,
      );
  }
  return `${lines.join("\n")}\n`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
