// Trying themes on, taking one, and taking that back.
import { say, sayFailure } from "../canvas/notices.ts";
import { useUi } from "../store/ui.ts";
import { padi, useWorkspace } from "../store/workspace.ts";
import { useThemes } from "./terminal-themes.ts";

interface ThemeChange {
  id: string;
  before: string | null;
}

/** Changes of this page that can be taken back; the oldest is forgotten beyond it. */
const CHANGES_MAX = 50;
const changes: ThemeChange[] = [];

/** Opens the picker beside a terminal, which becomes the active one. */
export function openThemes(id: string): void {
  const { setActive, setOverlay } = useUi.getState();
  setActive(id, { reveal: true });
  setOverlay("theme");
}

/** Shows a theme on the real terminal, on this page alone. */
export function tryOn(id: string, themeName: string | null): void {
  useThemes.setState({ trial: { id, themeName } });
}

export function putBack(): void {
  useThemes.setState({ trial: null });
}

/** The terminal has this theme from now on, everywhere. Failures are said. */
export function takeTheme(id: string, themeName: string | null): void {
  const record = useWorkspace.getState().records.get(id);
  if (!record || record.themeName === themeName) {
    putBack();
    return;
  }
  changes.push({ id, before: record.themeName });
  if (changes.length > CHANGES_MAX) changes.shift();
  change(id, themeName);
  say(`Theme: ${themeName ?? "as the page"}`, { label: "Undo", run: undoTheme });
}

const lastChange = (): ThemeChange | undefined =>
  changes.findLast(({ id }) => useWorkspace.getState().records.has(id));

export function canUndoTheme(): boolean {
  return lastChange() !== undefined;
}

/** Takes the last change back whose terminal is still there. */
export function undoTheme(): void {
  const last = lastChange();
  if (!last) return;
  changes.splice(changes.lastIndexOf(last));
  change(last.id, last.before);
}

/** Worn as a trial until the record says it too, so that nothing flickers. */
function change(id: string, themeName: string | null): void {
  const record = useWorkspace.getState().records.get(id);
  if (!record) return;
  tryOn(id, themeName);
  const stop = useWorkspace.subscribe(({ records }) => {
    if (records.get(id)?.themeName === themeName) settle();
  });
  const settle = (): void => {
    stop();
    const { trial } = useThemes.getState();
    if (trial?.id === id && trial.themeName === themeName) putBack();
  };
  padi()
    .call("terminal.setTheme", { id: record.id, themeName })
    .catch((error: unknown) => {
      settle();
      sayFailure("The theme could not be changed")(error);
    });
}
