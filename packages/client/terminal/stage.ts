// What shows one terminal on the page: a live view or a painted one, and for a moment both. When one takes the other's
// place, the former stays on top as it was until the next has the screen: nothing flickers, nothing moves.
import type { TerminalView } from "./view.ts";

export type ViewKind = "live" | "painted";

export interface Stage {
  view(): TerminalView | null;
  kind(): ViewKind | null;
  /** The current view shows its first screen, and nothing lies over it. */
  isRevealed(): boolean;
  slot(): HTMLElement | null;
  mount(element: HTMLElement | null): void;
  put(kind: ViewKind, view: TerminalView): void;
  /** The current view has the screen. `then` runs once it alone is seen. */
  reveal(then: () => void): void;
  clear(): void;
}

export function createStage(requestFrame: (run: () => void) => void): Stage {
  let current: { kind: ViewKind; view: TerminalView } | null = null;
  let former: TerminalView | null = null;
  let revealed = false;
  let slot: HTMLElement | null = null;

  function dropFormer(): void {
    former?.dispose();
    former = null;
  }

  return {
    view: () => current?.view ?? null,
    kind: () => current?.kind ?? null,
    isRevealed: () => revealed,
    slot: () => slot,
    mount(element) {
      slot = element;
      if (!element) return;
      current?.view.open(element);
      // Opened last, it lies on top.
      former?.open(element);
    },
    put(kind, view) {
      // A view that never had a screen hides nothing.
      if (current && revealed) {
        dropFormer();
        former = current.view;
      } else current?.view.dispose();
      current = { kind, view };
      revealed = false;
      if (slot) view.open(slot);
      if (slot && former) former.open(slot);
    },
    reveal(then) {
      const { view } = current ?? {};
      // The engine draws what it has parsed in a frame; one asked for now comes after that.
      requestFrame(() => {
        if (!current || current.view !== view || revealed) return;
        revealed = true;
        dropFormer();
        then();
      });
    },
    clear() {
      dropFormer();
      current?.view.dispose();
      current = null;
      revealed = false;
    },
  };
}
