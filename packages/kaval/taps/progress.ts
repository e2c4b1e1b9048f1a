// OSC 9;4 (ConEmu's, understood by most): a progress bar.
export type Progress = { state: "normal" | "error" | "indeterminate" | "paused"; value: number | null };

const STATES: Record<string, Progress["state"]> = {
  "1": "normal",
  "2": "error",
  "3": "indeterminate",
  "4": "paused",
};

/** The payload after "4;". Null ends the bar; undefined is void. */
export function parseProgress(payload: string): Progress | null | undefined {
  const [code, value] = payload.split(";");
  if (code === "0") return null;
  const state = STATES[code ?? ""];
  if (state === undefined) return undefined;
  if (state === "indeterminate") return { state, value: null };
  if (value === undefined || value === "") return { state, value: null };
  return /^\d{1,3}$/.test(value) ? { state, value: Math.min(100, Number(value)) } : undefined;
}
