// The keys of a chord, drawn as caps.
import type { JSX } from "react";
import { type Action, useBindings } from "./actions.ts";
import { chordFor } from "./bindings.ts";
import { chordCaps } from "./chord.ts";
import { platform } from "./platform.ts";

/** The chord that an action answers to on this keyboard, as key caps. */
export function Caps({ action }: { action: Action }): JSX.Element | null {
  const chord = chordFor(action, platform, useBindings());
  if (chord === null) return null;
  return (
    <span className="caps">
      {chordCaps(chord, platform).map((cap) => (
        <kbd key={cap}>{cap}</kbd>
      ))}
    </span>
  );
}
