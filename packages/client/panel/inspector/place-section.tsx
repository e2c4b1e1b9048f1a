// Where the terminal is: directory, repository, branch and what of it is not committed or not pushed.
import type {
  GitFacts,
  ListeningPort,
  PortFacts,
  PullRequest,
  TerminalRecord,
} from "@kolu/contract/terminal.ts";
import type { JSX } from "react";
import { hueColor } from "../../theme/hue.ts";
import { CopyButton } from "../copy-button.tsx";
import { showPanel } from "../panel-store.ts";
import { CHECK_WORDS, placeWords, pullRequestWords } from "./place-words.ts";
import { Fact, Section } from "./section.tsx";

export function PlaceSection({ record }: { record: TerminalRecord }): JSX.Element {
  const { git, cwd } = record;
  return (
    <Section title={git ? "Repository" : "Directory"}>
      <dl className="facts">
        {git && <GitLines git={git} />}
        <Fact name="Pull request">{record.pr && <PullRequestLine pr={record.pr} />}</Fact>
        <Fact name="Directory">
          <code>{cwd}</code>
          <CopyButton text={cwd} label="Copy the directory" />
        </Fact>
        <Fact name="Ports">
          {portsOf(record.ports).length > 0 && <Ports ports={portsOf(record.ports)} />}
        </Fact>
      </dl>
      <div className="section-actions">
        <button type="button" onClick={() => showPanel("code")}>
          Files and changes
        </button>
      </div>
    </Section>
  );
}

function GitLines({ git }: { git: GitFacts }): JSX.Element {
  const { branch, tree, upstream } = placeWords(git);
  return (
    <>
      <Fact name="Repository">
        <span style={{ color: hueColor(git.name) }}>{git.name}</span>
        {git.isWorktree && <span className="soft"> · worktree</span>}
      </Fact>
      <Fact name="Branch">
        <span style={git.branch === null ? undefined : { color: hueColor(git.branch) }}>{branch}</span>
      </Fact>
      <Fact name="Tree">{tree}</Fact>
      <Fact name="Upstream">{upstream}</Fact>
    </>
  );
}

function PullRequestLine({ pr }: { pr: PullRequest }): JSX.Element {
  return (
    <div className="pull-request">
      <a href={pr.url} target="_blank" rel="noopener noreferrer">
        #{pr.number} {pr.title}
      </a>
      <span className="soft">{pullRequestWords(pr)}</span>
      {pr.checkRuns.length > 0 && (
        <ul className="checks">
          {pr.checkRuns.map(({ name, outcome }) => (
            <li key={name} data-check={outcome}>
              {name} <span className="soft">{CHECK_WORDS[outcome]}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function portsOf(ports: PortFacts): readonly ListeningPort[] {
  return ports.status === "known" ? ports.list : [];
}

const SCOPE_WORDS: Record<ListeningPort["scope"], string> = {
  any: "reached from every machine",
  loopback: "this machine alone",
  interface: "one address",
};

/** One line a port: IPv4 and IPv6 are one thing to a person. */
function Ports({ ports }: { ports: readonly ListeningPort[] }): JSX.Element {
  const byPort = new Map(ports.map((port) => [port.port, port]));
  return (
    <ul className="ports">
      {[...byPort.values()].map(({ port, name, pid, scope }) => (
        <li key={port}>
          <a href={portAddress(port)} target="_blank" rel="noopener noreferrer">
            {port}
          </a>
          <span title={`Process ${pid}`}>{name}</span>
          <span className="soft">{SCOPE_WORDS[scope]}</span>
          <CopyButton text={portAddress(port)} label={`Copy the address of port ${port}`} />
        </li>
      ))}
    </ul>
  );
}

/** As this browser reaches the machine. */
function portAddress(port: number): string {
  return `http://${location.hostname}:${port}/`;
}
