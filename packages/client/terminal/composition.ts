// Keys right behind a composition. The engine (xterm.js 6.0, CompositionHelper) reads the composed text a moment after
// the composition ended; on a busy page a key can come before that moment, and the text is then cut at its last but one
// state. Such keys are held back until the text is out.

export interface CompositionGuard {
  /** Whether this key waits; the caller then does nothing with it. It comes again by itself. */
  holds(event: KeyboardEvent): boolean;
}

/** What an input method itself is handling. */
const PROCESSING_KEY_CODE = 229;

/** Listens on an element around the engine's own, so that its timer runs before ours. */
export function guardComposition(around: HTMLElement, type: (text: string) => void): CompositionGuard {
  let held: KeyboardEvent[] | null = null;

  function release(): void {
    const keys = held ?? [];
    held = null;
    for (const key of keys) replay(key);
  }

  function replay(event: KeyboardEvent): void {
    const { key, code, keyCode, ctrlKey, altKey, metaKey, shiftKey, target } = event;
    // A browser types no character for an event that a page made.
    if ([...key].length === 1 && !ctrlKey && !altKey && !metaKey) {
      type(key);
      return;
    }
    const init = { key, code, keyCode, ctrlKey, altKey, metaKey, shiftKey, bubbles: true, cancelable: true };
    target?.dispatchEvent(new KeyboardEvent("keydown", init));
  }

  around.addEventListener("compositionend", () => {
    held ??= [];
    setTimeout(release);
  });
  return {
    holds(event) {
      if (held === null || event.isComposing || event.keyCode === PROCESSING_KEY_CODE) return false;
      event.preventDefault();
      if (event.type === "keydown") held.push(event);
      return true;
    },
  };
}
