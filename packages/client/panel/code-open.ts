// Opens the Code tab at a line: what a `path:line` in a terminal, a link into the page and the palette call. Small: the
// panel itself is loaded when it opens.
import { create } from "zustand";
import { goTo } from "../dock/navigate.ts";
import { useUi } from "../store/ui.ts";
import { showPanel } from "./panel-store.ts";

/** A place that somebody asked to see. */
export interface CodeWish {
  terminalId: string;
  /** As it was written: absolute, or relative to the terminal's directory. */
  path: string;
  /** From 1 on; null: the file as such. */
  line: number | null;
}

/** The latest wish; the Code tab takes it and leaves null. */
export const useCodeWish = create<{ wish: CodeWish | null }>(() => ({ wish: null }));

export function openCode(terminalId: string, path: string, line: number | null = null): void {
  useCodeWish.setState({ wish: { terminalId, path, line } });
  if (useUi.getState().activeId !== terminalId) goTo(terminalId);
  showPanel("code");
}
