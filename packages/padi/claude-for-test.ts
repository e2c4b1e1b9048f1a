// For tests: a program that stands for Claude Code, found in the home of a test's padi.

export const SESSION = "eccb0912-455d-47be-a001-10e7369e1abf";
/** The files that it writes about itself, and the session that it was started on. */
const CLAUDE = `#!/bin/sh
id=${SESSION}
[ "$1" = --resume ] && id=$2
at=$(date +%s)000
files=$HOME/.claude
project=$files/projects/$(pwd | tr /. --)
mkdir -p $files/sessions $project
entry() { printf '{"type":"%s","message":%s,"uuid":"%s","timestamp":"%s","sessionId":"%s","version":"2.1.332"}\\n' "$1" "$2" "$3" "$(date -u +%FT%TZ)" $id; }
{
  entry user '{"role":"user","content":"hello"}' 81d28620-93e8-4049-b499-89fd6989638d
  entry assistant '{"role":"assistant","model":"claude-opus-5-5","stop_reason":"end_turn","content":[{"type":"text","text":"hi"}],"usage":{"input_tokens":9}}' 8386c5e6-ecdf-46a1-ae37-227be4b8f2f5
} > $project/$id.jsonl
echo "{\\"pid\\":$$,\\"sessionId\\":\\"$id\\",\\"cwd\\":\\"$(pwd)\\",\\"startedAt\\":$at,\\"procStart\\":\\"$(cut -d' ' -f22 /proc/$$/stat)\\",\\"version\\":\\"2.1.332\\",\\"status\\":\\"idle\\",\\"statusUpdatedAt\\":$at}" > $files/sessions/$$.json
echo "on $id"
read x
`;

/** Dotfiles for `startPadi`: shells find it. */
export const CLAUDE_HOME = { claude: CLAUDE, ".bashrc": "PATH=$HOME:$PATH; chmod +x $HOME/claude\n" };
