// In the repository as it is, or in a worktree of its own: its name, checked while it is typed, and what it is cut from.
import type { DirectoryLook } from "@kolu/contract/launch.ts";
import { type JSX, type RefObject, useId } from "react";
import { canBeWorktree, type Draft, isInWorktree, nameIn } from "./draft.ts";
import { homeRelative } from "./paths.ts";

export interface WorktreeFieldProps {
  draft: Draft;
  look: DirectoryLook | null;
  home: string | null;
  nameProblem: string | null;
  baseProblem: string | null;
  nameInput: RefObject<HTMLInputElement | null>;
  onChange(changes: Partial<Draft>): void;
}

export function WorktreeField(props: WorktreeFieldProps): JSX.Element | null {
  const { draft, look, onChange } = props;
  const group = useId();
  if (!canBeWorktree(look)) return null;
  const own = isInWorktree(draft, look);
  return (
    <fieldset className="launch-field">
      <legend>Files</legend>
      <div className="segments">
        <label data-checked={!own || undefined}>
          <input type="radio" name={group} checked={!own} onChange={() => onChange({ inWorktree: false })} />
          As they are{look.branch === null ? "" : `, on ${look.branch}`}
        </label>
        <label data-checked={own || undefined}>
          <input type="radio" name={group} checked={own} onChange={() => onChange({ inWorktree: true })} />A
          new worktree
        </label>
      </div>
      {own && <Name {...props} look={look} />}
    </fieldset>
  );
}

function Name({
  draft,
  look,
  home,
  nameProblem,
  baseProblem,
  nameInput,
  onChange,
}: WorktreeFieldProps & { look: Extract<DirectoryLook, { kind: "repository" }> }): JSX.Element {
  const id = useId();
  const name = nameIn(draft, look);
  const problem = nameProblem ?? baseProblem;
  return (
    <>
      <div className="worktree">
        <label htmlFor={`${id}-name`}>Name of worktree and branch</label>
        <label htmlFor={`${id}-base`}>Cut from</label>
        <input
          ref={nameInput}
          id={`${id}-name`}
          value={name}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          aria-invalid={nameProblem !== null || undefined}
          aria-describedby={`${id}-note`}
          onFocus={(event) => event.target.select()}
          onChange={(event) => onChange({ name: event.target.value })}
        />
        <select
          id={`${id}-base`}
          value={draft.base ?? ""}
          onChange={(event) => onChange({ base: event.target.value || null })}
        >
          <option value="">{look.base}</option>
          {look.branches.map((branch) => (
            <option key={branch} value={branch}>
              {branch}
            </option>
          ))}
        </select>
      </div>
      <p
        id={`${id}-note`}
        className={problem === null ? "launch-note" : "launch-note wrong"}
        aria-live="polite"
      >
        {problem === null
          ? `Will be ${homeRelative(`${look.mainRoot}/.worktrees/${name}`, home)}, on a new branch`
          : nameProblem === null
            ? problem
            : `${name === "" ? "It" : name} cannot be the name: ${nameProblem}`}
      </p>
    </>
  );
}
