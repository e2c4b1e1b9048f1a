// The breadcrumb that Oh My Pi leaves for each terminal: which session that terminal is in. Pure.
import { isAbsolute, resolve } from "node:path";

export interface Breadcrumb {
  cwd: string;
  /** Absolute; the file may not exist yet. */
  sessionPath: string;
  /** Nothing was said yet and the file is not there (observed on 18.2.3). */
  fresh: boolean;
}

/** Lines: working directory, session file (relative with a relative --session-dir), perhaps `fresh`, `cwdstat <dev> <ino>`.
 * Null for text that is none: rewritten in place, it may be met half-written. */
export function parseBreadcrumb(text: string): Breadcrumb | null {
  const [cwd = "", file = "", ...rest] = text.split("\n");
  if (!isAbsolute(cwd) || !file.endsWith(".jsonl")) return null;
  return { cwd, sessionPath: resolve(cwd, file), fresh: rest.includes("fresh") };
}
