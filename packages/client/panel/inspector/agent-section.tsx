// Who is in the terminal, in which state, and why kolu says so.
import type { AgentReading, BackgroundWork, Explanation } from "@kolu/contract/agent.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import type { JSX } from "react";
import { brandOf } from "../../marks/brand.ts";
import { BrandMark } from "../../marks/brand-mark.tsx";
import { type Mark, markOf } from "../../marks/mark-of.ts";
import { doingOf } from "../../marks/name-of.ts";
import { StateMark } from "../../marks/state-mark.tsx";
import { useNow } from "../../tile/now.ts";
import { compactCount, shortDuration } from "../../tile/words.ts";
import { CopyButton } from "../copy-button.tsx";
import { Fact, Section } from "./section.tsx";
import { useExplanation } from "./use-explanation.ts";
import { age, recognitionWords, sourceWords, whySentence } from "./why.ts";

export function AgentSection({ record }: { record: TerminalRecord }): JSX.Element {
  const mark = markOf(record);
  const explanation = useExplanation(record);
  const { agent, program } = record;
  const who = agent ? brandOf(agent.kind).displayName : (program?.app ?? null);
  return (
    <Section title={agent ? "Agent" : program ? "Program" : "Shell"}>
      <div className="state-line" data-mark={mark.kind}>
        <StateMark mark={mark} sizePx={18} />
        <strong>{mark.words}</strong>
        <Since record={record} />
        <span className="state-who">
          {agent && <BrandMark kind={agent.kind} />}
          {who}
        </span>
      </div>
      <Why mark={mark} explanation={explanation} />
      <dl className="facts">
        <Fact name="Title">{doingOf(record)}</Fact>
        {agent && <AgentFacts agent={agent} />}
        <Fact name="Terminal">
          <code>{record.id.slice(0, 8)}</code>
          <CopyButton text={record.id} label="Copy the terminal's id" />
        </Fact>
      </dl>
      {explanation && <Signals explanation={explanation} />}
    </Section>
  );
}

function Since({ record }: { record: TerminalRecord }): JSX.Element {
  const nowMs = useNow();
  const sinceMs = record.agent?.sinceMs ?? record.program?.updatedAtMs ?? record.lifeSinceMs;
  return <span className="state-since">for {shortDuration(nowMs - sinceMs)}</span>;
}

function Why({ mark, explanation }: { mark: Mark; explanation: Explanation | null }): JSX.Element | null {
  const nowMs = useNow();
  const sentence = explanation && whySentence(explanation, nowMs);
  if (mark.why === null && !sentence) return null;
  return (
    <div className="why">
      {mark.why !== null && <p>{mark.why}</p>}
      {sentence && <p className="why-source">{sentence}</p>}
    </div>
  );
}

function AgentFacts({ agent }: { agent: AgentReading }): JSX.Element {
  const nowMs = useNow();
  const background = backgroundLines(agent.background);
  return (
    <>
      <Fact name="Model">
        {agent.model === null ? null : `${agent.model}${agent.version === null ? "" : ` · ${agent.version}`}`}
      </Fact>
      <Fact name="Context">
        {agent.contextTokens === null ? null : (
          <span title={`${agent.contextTokens.toLocaleString("en")} tokens`}>
            {compactCount(agent.contextTokens)} tokens
          </span>
        )}
      </Fact>
      <Fact name="Todos">{agent.todos && <Todos {...agent.todos} />}</Fact>
      <Fact name="Background">
        {background.length === 0 ? null : (
          <ul className="background-work">
            {background.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
      </Fact>
      <Fact name="Runs">
        {agent.startedAtMs === null ? null : `for ${shortDuration(nowMs - agent.startedAtMs)}`}
      </Fact>
      <Fact name="Session">
        {agent.sessionId === null ? null : (
          <>
            <code title={agent.sessionPath ?? undefined}>{agent.sessionId}</code>
            <CopyButton text={agent.sessionId} label="Copy the session's id" />
          </>
        )}
      </Fact>
    </>
  );
}

function Todos({ completed, total }: { completed: number; total: number }): JSX.Element {
  return (
    <span className="todos">
      {completed}/{total}
      <progress max={total} value={completed} aria-label={`${completed} of ${total} done`} />
    </span>
  );
}

/** One line for each thing that still runs behind the turn. */
function backgroundLines({ workflows, agents, shells }: BackgroundWork): string[] {
  return [
    ...workflows.map(({ name, agents: count }) => `${name}: ${count} ${count === 1 ? "agent" : "agents"}`),
    ...agents.map(({ name }) => name),
    ...(shells > 0 ? [`${shells} ${shells === 1 ? "shell" : "shells"}`] : []),
  ];
}

function Signals({ explanation }: { explanation: Explanation }): JSX.Element {
  const nowMs = useNow();
  return (
    <details className="signals">
      <summary>Every signal</summary>
      <p>{recognitionWords(explanation)}</p>
      {explanation.signals.length > 0 && (
        <ul>
          {explanation.signals.map((signal) => (
            <li key={`${signal.source} ${signal.value}`} data-verdict={signal.verdict}>
              <b>{sourceWords(signal.source)}</b> <em>{signal.verdict}</em>
              <code>{signal.value}</code>
              <span>
                {signal.state === null ? "says nothing about the state" : signal.state.replaceAll("_", " ")}
                {age(signal, nowMs)}
                {signal.note === null ? "" : `. ${signal.note}`}
              </span>
            </li>
          ))}
        </ul>
      )}
      {explanation.missing.length > 0 && (
        <>
          <p>Looked for and not found:</p>
          <ul className="missing">
            {explanation.missing.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      )}
      {explanation.malformedRecords > 0 && (
        <p>Records that could not be read: {explanation.malformedRecords}</p>
      )}
    </details>
  );
}
