// The facts in a tile's title bar: what an agent says of its work, how long, and its branch's pull request. Each is left
// out where nothing is known, and hidden by tile.css where there is no room.
import type { PullRequest, TerminalRecord } from "@kolu/contract/terminal.ts";
import type { JSX } from "react";
import { type Mark, markOf } from "../marks/mark-of.ts";
import { openableUrl } from "../terminal/links.ts";
import { Icon, type IconName } from "./icon.tsx";
import { useNow } from "./now.ts";
import { compactCount, pullRequestWords, shortDuration } from "./words.ts";

export function Facts({ record }: { record: TerminalRecord }): JSX.Element {
  const mark = markOf(record);
  const { agent, pr } = record;
  const begun = runningSince(record);
  return (
    <span className="tile-facts">
      {agent?.todos && (
        <span className="tile-todos" title="Tasks done">
          {agent.todos.completed}/{agent.todos.total}
        </span>
      )}
      {mark.kind !== "shell" && <Words mark={mark} sinceMs={agent?.sinceMs ?? null} />}
      {agent?.contextTokens != null && (
        <span
          className="tile-tokens"
          title={`${agent.contextTokens.toLocaleString()} tokens of context${agent.model ? `, ${agent.model}` : ""}`}
        >
          {compactCount(agent.contextTokens)}
        </span>
      )}
      {begun && <RunningFor {...begun} />}
      {pr && <PullRequestLink pr={pr} />}
    </span>
  );
}

function Words({ mark, sinceMs }: { mark: Mark; sinceMs: number | null }): JSX.Element {
  return (
    <span className="tile-words" data-mark={mark.kind} title={mark.why ?? undefined}>
      {mark.words}
      {sinceMs !== null && <Since sinceMs={sinceMs} />}
    </span>
  );
}

function Since({ sinceMs }: { sinceMs: number }): JSX.Element {
  return <span className="tile-since">{shortDuration(useNow() - sinceMs)}</span>;
}

/** The agent's session, or, in a shell, the command that runs. */
function runningSince({ agent, command, life }: TerminalRecord): { atMs: number; what: string } | null {
  if (life !== "active") return null;
  if (agent) return agent.startedAtMs === null ? null : { atMs: agent.startedAtMs, what: "The session" };
  return command?.running ? { atMs: command.startedAtMs, what: "The command" } : null;
}

/** A command that ends sooner is no run. */
const RUN_MS = 3_000;

function RunningFor({ atMs, what }: { atMs: number; what: string }): JSX.Element | null {
  const lastedMs = useNow() - atMs;
  if (lastedMs < RUN_MS) return null;
  const words = shortDuration(lastedMs);
  return (
    <span className="tile-running" title={`${what} has run for ${words}`}>
      <Icon name="clock" />
      {words}
    </span>
  );
}

const CHECK_ICONS: Record<NonNullable<PullRequest["checks"]>, IconName> = {
  pass: "pass",
  fail: "close",
  pending: "clock",
};

function PullRequestLink({ pr }: { pr: PullRequest }): JSX.Element | null {
  const href = openableUrl(pr.url);
  if (href === null) return null;
  const words = pullRequestWords(pr);
  return (
    <a
      className="tile-pr nodrag"
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      data-state={pr.state}
      title={words}
      aria-label={words}
    >
      <Icon name="branch" />
      <span className="tile-pr-number">#{pr.number}</span>
      {pr.checks && (
        <span className="tile-checks" data-checks={pr.checks}>
          <Icon name={CHECK_ICONS[pr.checks]} />
        </span>
      )}
    </a>
  );
}
