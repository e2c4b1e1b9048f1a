// What somebody asked for when the form of a new terminal was opened, and what was chosen there the last time.
import type { Point } from "@kolu/contract/plane/geometry.ts";
import { create } from "zustand";
import { useUi } from "../store/ui.ts";
import type { Run } from "./draft.ts";

export interface LaunchWish {
  /** Where on the canvas, in canvas pixels; absent: beside the active tile. */
  at?: Point;
  /** Absolute path. */
  where?: string;
  run?: Run;
}

export const useLaunchWish = create<{ wish: LaunchWish }>(() => ({ wish: {} }));

/** Opens the form. */
export function openLaunch(wish: LaunchWish = {}): void {
  useLaunchWish.setState({ wish });
  useUi.getState().setOverlay("launch");
}

const STORAGE_KEY = "kolu.launch";

/** What ran the last time that somebody made a terminal here; null: nobody has yet. */
export function lastRun(): Run | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "null");
    const { kind, agent } = (kept ?? {}) as Record<string, unknown>;
    if (kind === "shell") return { kind };
    return kind === "agent" && typeof agent === "string" ? { kind, agent } : null;
  } catch {
    return null; // Another version's, or a person's own text.
  }
}

export function keepLastRun(run: Run): void {
  if (run.kind !== "line") localStorage.setItem(STORAGE_KEY, JSON.stringify(run));
}
