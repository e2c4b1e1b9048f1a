// The form of a new terminal. Everything has a fitting value already, so that one Enter is enough; nothing that was typed is
// lost when padi refuses.
import type { LaunchStep } from "@kolu/contract/launch.ts";
import { Refusal } from "@kolu/contract/refusals.ts";
import { type FormEvent, type JSX, type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { placeOfNext, showNew } from "../canvas/new-terminal.ts";
import { say, sayFailure } from "../canvas/notices.ts";
import { brandOf } from "../marks/brand.ts";
import { useUi } from "../store/ui.ts";
import { padi, useWorkspace } from "../store/workspace.ts";
import {
  canBeWorktree,
  type Draft,
  type Field,
  fieldOf,
  isInWorktree,
  isProblem,
  nameIn,
  type Place,
  type Problem,
  placesKnown,
  type Run,
  runOptions,
  takesPrompt,
  wishOf,
} from "./draft.ts";
import { useChoices, useLaunchData, useLook, useNameProblem, useRecents } from "./launch-data.ts";
import { launchTerminal, STEP_WORDS } from "./launching.ts";
import { homeRelative } from "./paths.ts";
import { RunField } from "./run-field.tsx";
import { WhereField } from "./where-field.tsx";
import { keepLastRun, type LaunchWish, lastRun } from "./wish.ts";
import { WorktreeField } from "./worktree-field.tsx";
import "./launch.css";

export interface LaunchFormProps {
  wish: LaunchWish;
  /** It stands. */
  onMade?(): void;
  onCancel?(): void;
}

type Phase = { kind: "open" } | { kind: "making"; step: LaunchStep | null };

export default function LaunchForm({ wish, onMade, onCancel }: LaunchFormProps): JSX.Element {
  useLaunchData();
  const choices = useChoices((known) => known.choices);
  const recents = useRecents();
  const records = useWorkspace((workspace) => workspace.records);
  const home = choices?.home ?? null;
  const places = useMemo(() => placesKnown(records.values(), recents, choices), [records, recents, choices]);
  const [changes, setChanges] = useState<Partial<Draft>>({});
  const draft: Draft = { ...useFirstDraft(wish, places, home), ...changes };
  const look = useLook(draft.where);
  const own = isInWorktree(draft, look);
  const repo = own && canBeWorktree(look) ? look.mainRoot : null;
  const [problem, setProblem] = useState<Problem | null>(null);
  const [phase, setPhase] = useState<Phase>({ kind: "open" });
  // While it is being made the name is taken, by itself.
  const liveProblem = useNameProblem(phase.kind === "open" ? repo : null, nameIn(draft, look));
  const giveUp = useRef<AbortController | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const submit = useRef<HTMLButtonElement>(null);
  const nameInput = useRef<HTMLInputElement>(null);
  const lineInput = useRef<HTMLInputElement>(null);
  const { programs, lines } = runOptions(choices, recents, canBeWorktree(look) ? look.mainRoot : null);
  const problemOf = (field: Field): string | null => (problem?.field === field ? problem.text : null);
  const isGone = useRef(false);
  const canLeave = onCancel !== undefined;
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
      // A person left while it was being made; the form on the empty page goes as soon as there is a terminal.
      if (canLeave) giveUp.current?.abort();
    };
  }, [canLeave]);

  // The button that had the keyboard is gone, and so is what was inert.
  useEffect(() => {
    if (phase.kind === "open" && giveUp.current?.signal.aborted) submit.current?.focus();
  }, [phase.kind]);

  const change = (changed: Partial<Draft>): void => {
    setProblem(null);
    setChanges((before) => ({ ...before, ...changed }));
  };
  const refuse = (said: Problem): void => {
    setProblem(said);
    if (said.field === "name") nameInput.current?.focus();
    if (said.field === "run") lineInput.current?.focus();
    if (said.field === "where") form.current?.querySelector<HTMLElement>("[role=combobox]")?.focus();
  };
  const make = async (): Promise<void> => {
    const abort = new AbortController();
    giveUp.current = abort;
    setProblem(null);
    setPhase({ kind: "making", step: null });
    const { signal } = abort;
    try {
      // Looked at once more: what was typed a moment ago may not have been looked at yet.
      const fresh = await padi().call("directory.look", { path: draft.where }, { signal });
      // The name that was shown is the one that is meant, whatever another look would offer.
      const shown = { ...draft, name: draft.name ?? (look ? nameIn(draft, look) : null) };
      const wanted = wishOf(shown, fresh, choices);
      if (isProblem(wanted)) return refuse(wanted);
      const params = { ...(await placeOfNext(wish.at)), ...wanted };
      const id = await launchTerminal(params, {
        signal,
        onStep: (step) => setPhase({ kind: "making", step }),
        // In a repository without an origin the form has said it already.
        onNote: (note) => {
          if (fresh.kind === "repository" && fresh.base?.includes("origin")) say(note);
        },
      });
      giveUp.current = null;
      keepLastRun(draft.run);
      onMade?.();
      showNew(id);
    } catch (error) {
      if (isGone.current && !signal.aborted) sayFailure("The terminal could not be made")(error);
      else if (!signal.aborted) refuse(problemIn(error));
    } finally {
      setPhase({ kind: "open" });
    }
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (phase.kind === "making") return;
    void make();
  };
  const cancel = (): void => {
    if (phase.kind === "making") giveUp.current?.abort();
    else onCancel?.();
  };
  return (
    <form
      ref={form}
      className="launch"
      aria-label="New terminal"
      aria-busy={phase.kind === "making"}
      onSubmit={onSubmit}
    >
      <div className="launch-fields" inert={phase.kind === "making"}>
        <WhereField
          where={draft.where}
          look={look}
          places={places}
          home={home}
          problem={problemOf("where")}
          onChange={(where) => change({ where, name: null, base: null })}
        />
        <RunField
          run={draft.run}
          programs={programs}
          lines={lines}
          problem={problemOf("run")}
          lineInput={lineInput}
          onChange={(run) => change({ run })}
        />
        <WorktreeField
          draft={draft}
          look={look}
          home={home}
          nameProblem={problemOf("name") ?? liveProblem}
          baseProblem={problemOf("base")}
          nameInput={nameInput}
          onChange={change}
        />
        {takesPrompt(draft.run) && <FirstPrompt draft={draft} onChange={change} />}
      </div>
      {problem !== null && problem.field === null && (
        <p className="launch-note wrong" role="alert">
          {problem.text}
        </p>
      )}
      <div className="launch-foot">
        <span role="status" className="launch-step">
          {phase.kind === "making" && (
            <>
              <i className="spinner" aria-hidden />
              {phase.step === null ? "Asking…" : STEP_WORDS[phase.step]}
            </>
          )}
        </span>
        {(phase.kind === "making" || onCancel) && (
          <button type="button" className="quiet-button" onClick={cancel}>
            Cancel
          </button>
        )}
        <button ref={submit} type="submit" className="big-button" disabled={phase.kind === "making"}>
          {submitWords(draft.run)} <kbd aria-hidden>↩</kbd>
        </button>
      </div>
    </form>
  );
}

function FirstPrompt({
  draft,
  onChange,
}: {
  draft: Draft;
  onChange(changes: Partial<Draft>): void;
}): JSX.Element {
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  };
  return (
    <label className="launch-field">
      <span>
        First prompt <small>optional; Shift+Enter for a new line</small>
      </span>
      <textarea
        rows={2}
        value={draft.firstPrompt}
        placeholder="Given to the agent as soon as it is ready"
        onChange={(event) => onChange({ firstPrompt: event.target.value })}
        onKeyDown={onKeyDown}
      />
    </label>
  );
}

/** What stands there before anybody has changed it. The place is settled once, so that it does not move under a hand. */
function useFirstDraft(wish: LaunchWish, places: readonly Place[], home: string | null): Draft {
  const choices = useChoices((known) => known.choices);
  const told = useRecents((known) => known.told);
  const settled = useRef<string | null>(null);
  const { activeId } = useUi.getState();
  const active = activeId === null ? undefined : useWorkspace.getState().records.get(activeId);
  const here = wish.where ?? active?.git?.mainRoot ?? active?.cwd ?? null;
  const place = here ?? (told && choices ? (places[0]?.path ?? home) : null);
  if (settled.current === null && place !== null && (home !== null || wish.where !== undefined))
    settled.current = homeRelative(place, home);
  return {
    where: settled.current ?? (here === null ? "" : here),
    inWorktree: null,
    name: null,
    base: null,
    run: wish.run ?? firstRun(choices?.agents ?? []),
    firstPrompt: "",
  };
}

/** What ran the last time, else the first agent that is there, else a shell. */
function firstRun(agents: readonly { kind: string; installed: boolean }[]): Run {
  const last = lastRun();
  if (
    last &&
    (last.kind !== "agent" || agents.some(({ kind, installed }) => kind === last.agent && installed))
  )
    return last;
  const agent = agents.find(({ installed }) => installed);
  return agent ? { kind: "agent", agent: agent.kind } : { kind: "shell" };
}

function submitWords(run: Run): string {
  switch (run.kind) {
    case "shell":
      return "Open the shell";
    case "agent":
      return `Start ${brandOf(run.agent).displayName}`;
    case "line":
      return "Run it";
    default:
      return run satisfies never;
  }
}

function problemIn(error: unknown): Problem {
  const text = error instanceof Error ? error.message : String(error);
  return { field: error instanceof Refusal ? fieldOf(error.kind) : null, text };
}
