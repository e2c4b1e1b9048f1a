// What runs in the terminal: a shell, an agent, a line that was used before, or any other command.
import { type JSX, type RefObject, useId } from "react";
import { brandOf } from "../marks/brand.ts";
import { BrandMark } from "../marks/brand-mark.tsx";
import { copyText } from "../terminal/copy.ts";
import { isSameRun, type Run, type RunOption } from "./draft.ts";

export interface RunFieldProps {
  run: Run;
  programs: readonly RunOption[];
  lines: readonly RunOption[];
  problem: string | null;
  lineInput: RefObject<HTMLInputElement | null>;
  onChange(run: Run): void;
}

export function RunField({ run, programs, lines, problem, lineInput, onChange }: RunFieldProps): JSX.Element {
  const group = useId();
  const listed = [...programs, ...lines].some((option) => isSameRun(option.run, run));
  const wanted = programs.find((option) => isSameRun(option.run, run));
  return (
    <fieldset className="launch-field">
      <legend>Runs</legend>
      <div className="programs">
        {programs.map((option) => (
          <Program
            key={option.agent ?? "shell"}
            option={option}
            group={group}
            checked={isSameRun(option.run, run)}
            onChange={onChange}
          />
        ))}
      </div>
      <div className="lines">
        {lines.map((option) => (
          <label
            key={lineOf(option.run)}
            className="line"
            data-checked={isSameRun(option.run, run) || undefined}
          >
            <input
              type="radio"
              name={group}
              aria-label={lineOf(option.run)}
              checked={isSameRun(option.run, run)}
              onChange={() => onChange(option.run)}
            />
            {option.agent && <BrandMark kind={option.agent} sizePx={13} />}
            <code>{lineOf(option.run)}</code>
            <span className="where-note">used lately</span>
          </label>
        ))}
        <div className="line" data-checked={!listed || undefined}>
          <input
            type="radio"
            name={group}
            checked={!listed}
            aria-label="Another command"
            onChange={() => {
              onChange({ kind: "line", line: "" });
              lineInput.current?.focus();
            }}
          />
          <input
            ref={lineInput}
            className="line-text"
            aria-label="Command line"
            placeholder="Another command"
            value={listed ? "" : lineOf(run)}
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            aria-invalid={problem !== null || undefined}
            onChange={(event) => onChange({ kind: "line", line: event.target.value })}
          />
        </div>
      </div>
      {(problem !== null || wanted?.installed === false) && (
        <p className="launch-note wrong" role="alert">
          {problem ?? `${titleOf(wanted!)} is not installed on this machine. `}
          {problem === null && wanted?.install && <Install line={wanted.install} />}
        </p>
      )}
    </fieldset>
  );
}

function Program({
  option,
  group,
  checked,
  onChange,
}: {
  option: RunOption;
  group: string;
  checked: boolean;
  onChange(run: Run): void;
}): JSX.Element {
  const { agent, installed, run } = option;
  return (
    <label className="program" data-checked={checked || undefined} data-missing={!installed || undefined}>
      <input
        type="radio"
        name={group}
        // The agent's mark says its name once more.
        aria-label={`${titleOf(option)}${installed ? "" : ", not installed"}`}
        checked={checked}
        onChange={() => onChange(run)}
      />
      {agent === null ? (
        <span className="program-prompt" aria-hidden>
          ›_
        </span>
      ) : (
        <BrandMark kind={agent} sizePx={16} />
      )}
      <span>{titleOf(option)}</span>
      {!installed && <small>not installed</small>}
    </label>
  );
}

function Install({ line }: { line: string }): JSX.Element {
  return (
    <>
      Install it with <code>{line}</code>
      <button type="button" className="text-button" onClick={() => void copyText(line).catch(() => {})}>
        Copy
      </button>
    </>
  );
}

function titleOf({ agent }: RunOption): string {
  return agent === null ? "Plain shell" : brandOf(agent).displayName;
}

function lineOf(run: Run): string {
  return run.kind === "line" ? run.line : "";
}
