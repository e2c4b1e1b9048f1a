// The chord of one action, and the place where a new one is pressed.
import type { Bindings } from "@kolu/contract/preferences.ts";
import { type JSX, type KeyboardEvent, useState } from "react";
import type { Action } from "../keys/actions.ts";
import { type ChordVerdict, chordFor, judgeChord } from "../keys/bindings.ts";
import { Caps } from "../keys/caps.tsx";
import { chordOf } from "../keys/chord.ts";
import { platform } from "../keys/platform.ts";

type Judged = { chord: string; verdict: Exclude<ChordVerdict, { kind: "free" }> };

export interface ChordFieldProps {
  action: Action;
  actions: readonly Action[];
  bindings: Bindings;
  /** `chord` null: none at all. `from`: the action that has it now and loses it. */
  onTake(chord: string | null, from: Action | null): void;
}

export function ChordField({ action, actions, bindings, onTake }: ChordFieldProps): JSX.Element {
  const [taking, setTaking] = useState(false);
  const [judged, setJudged] = useState<Judged | null>(null);
  const take = (chord: string | null, from: Action | null): void => {
    setTaking(false);
    setJudged(null);
    onTake(chord, from);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!taking) return;
    const chord = chordOf(event.nativeEvent);
    // Tab leads on, for those who came here by it.
    if (chord === "Tab" || chord === "Shift+Tab") {
      setTaking(false);
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    if (chord !== null && !event.repeat) onChord(chord);
  };
  const onChord = (chord: string): void => {
    const verdict = judgeChord(chord, { id: action.id, actions, on: platform, bindings });
    if (chord === "Escape") setTaking(false);
    else if (chord === "Backspace" || chord === "Delete") take(null, null);
    else if (verdict.kind === "free") take(chord, null);
    else setJudged({ chord, verdict });
  };
  const has = chordFor(action, platform, bindings) !== null;
  return (
    <>
      <button
        type="button"
        className="chord"
        // The page's own chords go by while one is asked for: keys/actions.ts.
        data-takes-chord={taking || undefined}
        aria-label={taking ? `Press the chord for: ${action.title}` : `Chord of: ${action.title}`}
        onClick={() => {
          setTaking(true);
          setJudged(null);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setTaking(false)}
      >
        {taking ? "Press a chord…" : has ? <Caps action={action} /> : "none"}
      </button>
      {judged && (
        <p className="chord-verdict" role="alert">
          {judged.verdict.kind === "reserved" ? (
            judged.verdict.reason
          ) : (
            <Taken
              chord={judged.chord}
              by={judged.verdict.by}
              onTake={(by) => take(judged.chord, by)}
              onLeave={() => setJudged(null)}
            />
          )}
        </p>
      )}
    </>
  );
}

function Taken({
  chord,
  by,
  onTake,
  onLeave,
}: {
  chord: string;
  by: Action;
  onTake(by: Action): void;
  onLeave(): void;
}): JSX.Element {
  return (
    <>
      {chord} is for “{by.title}”.
      <button type="button" onClick={() => onTake(by)}>
        Take it from there
      </button>
      <button type="button" onClick={onLeave}>
        Leave it
      </button>
    </>
  );
}
