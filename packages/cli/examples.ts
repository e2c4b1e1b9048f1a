// What is typed: the examples that `--help` and the manual page teach by. Every verb has some; a test parses each.

export interface Example {
  /** As it is typed, after "kolu ". */
  line: string;
  what: string;
}

const one = (line: string, what: string): Example => ({ line, what });

export const examples: Readonly<Record<string, readonly Example[]>> = {
  ls: [
    one("ls", "every terminal with its agent's state"),
    one("ls --json", "the same for a program"),
    one("ls --host me@box", "those of another machine"),
  ],
  create: [
    one("create --toplevel", "a shell in this directory; prints its id"),
    one(
      "create --toplevel --intent 'parser' --worktree parser -- claude",
      "an agent in a fresh worktree of this repository",
    ),
    one("create --parent 3f2a --cwd /srv/app -- npm test", "a split inside another terminal"),
  ],
  send: [
    one("send 3f2a 'git status'", "types it, without Enter"),
    one("send 3f2a --key Enter", "presses a key"),
    one("send 3f2a --file brief.md", "a whole file as one paste"),
  ],
  prompt: [
    one("prompt 3f2a 'add tests for the parser'", "types, submits, and confirms"),
    one("prompt 3f2a --file brief.md --timeout 60000", "a long one, with more patience"),
  ],
  wait: [
    one("wait 3f2a --until idle:800 --timeout 60000", "until nothing was printed for 800 ms"),
    one("wait 3f2a --until match:'tests passed'", "until a line says so"),
    one(
      "wait 3f2a --until awaiting,waiting --settled 15000 --snapshot 40",
      "until the agent is done or asks; then the screen",
    ),
  ],
  debrief: [one("debrief 3f2a --timeout 600000", "until the turn is really over, then what it said")],
  snapshot: [
    one("snapshot 3f2a --tail 40", "the last 40 lines"),
    one("snapshot 3f2a --png screen.png", "a picture of it, in its colours"),
  ],
  history: [one("history 3f2a --lines 200", "what scrolled away last")],
  watch: [
    one("watch", "every change, as it happens"),
    one("watch --held-for 1m --nag 5m --ignore-self", "who needs somebody, told until somebody comes"),
    one("watch --states awaiting --json --heartbeat 30s", "questions only, for a program"),
  ],
  search: [
    one("search connection refused", "on every screen, the newest first"),
    one("search --id 3f2a --limit 5 TypeError", "in one terminal, this very case"),
  ],
  explain: [one("explain 3f2a", "why the state is thought to be what it is")],
  kill: [one("kill 3f2a", "ends it and everything in it")],
  export: [one("export 3f2a", "the whole conversation, as one HTML file")],
  restore: [one("restore", "all that were parked"), one("restore 3f2a", "one of them")],
  surface: [
    one("surface", "the tools by name"),
    one("surface screen_text --id 3f2a --tail 20", "one of them, with JSON out"),
  ],
  mcp: [
    one("mcp", "for an agent's configuration: command kolu, argument mcp"),
    one("mcp --host me@box", "the terminals of another machine"),
  ],
  web: [one("web", "the canvas on this machine"), one("web --port 0", "at a free port")],
  open: [one("open", "a link to the canvas"), one("open 3f2a", "a link to one terminal on it")],
  status: [one("status", "what runs")],
  doctor: [one("doctor", "what is missing or wrong, and how to mend it")],
  stop: [one("stop", "padi leaves; terminals keep running"), one("stop --all --yes", "everything ends")],
  completion: [one("completion bash", "the script; source <(kolu completion bash)")],
};
