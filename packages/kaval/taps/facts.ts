// All taps of one terminal, registered on its screen: what its output says becomes facts and notices. The parsers are
// beside this file, one each; here is only what they have in common: state, and who is told.
import type { KavalNotice } from "@kolu/contract/kaval.ts";
import type { Screen } from "@kolu/screen/screen.ts";
import type { ScreenFacts } from "../screens.ts";
import { isHeard } from "./bell.ts";
import { parseClipboard } from "./clipboard.ts";
import { parseCwd } from "./cwd.ts";
import { foldMark, type Mark, NO_MARKS, parseMark133, parseMark633 } from "./marks.ts";
import { foldOsc99, type Notification, parseOsc9, parseOsc777 } from "./notification.ts";
import { applyReport, endAtPrompt, PROGRAM_STATUS_ANSWER, parseProgramStatus } from "./program-status.ts";
import { parseProgress } from "./progress.ts";
import { parseTitle } from "./title.ts";

export const NO_FACTS: ScreenFacts = {
  title: null,
  cwd: null,
  command: null,
  promptShown: null,
  program: [],
  progress: null,
};

export interface TapOptions {
  /** Null accepts no mark. */
  markNonce: string | null;
  hostname: string;
  /** What was known before, when a screen is built anew. */
  initial: ScreenFacts;
  now(): number;
  reply(text: string): void;
  notice(what: KavalNotice["what"]): void;
}

export interface Taps {
  /** The facts now; another object only when something changed. */
  facts(): ScreenFacts;
  /** For the screen's own events, which are no OSC. */
  title(title: string): void;
  bell(): void;
  reset(): void;
}

export function attachTaps(onOsc: Screen["onOsc"], options: TapOptions): Taps {
  let facts = options.initial;
  let marks = { ...NO_MARKS, command: facts.command, promptShown: facts.promptShown };
  let heardAtMs: number | null = null;
  const notificationParts = new Map<string, { title: string; body: string }>();

  function set<K extends keyof ScreenFacts>(key: K, value: ScreenFacts[K]): void {
    if (facts[key] !== value) facts = { ...facts, [key]: value };
  }

  function applyMark(mark: Mark | null): void {
    if (mark === null) return;
    marks = foldMark(marks, mark, options.now());
    set("command", marks.command);
    set("promptShown", marks.promptShown);
    if (mark.kind !== "prompt-start") return;
    set("program", endAtPrompt(facts.program));
    set("progress", null);
  }

  function notify(notification: Notification | null): void {
    if (notification) options.notice({ kind: "notification", ...notification });
  }

  function osc9(payload: string): void {
    if (!payload.startsWith("4;")) {
      notify(parseOsc9(payload));
      return;
    }
    const progress = parseProgress(payload.slice(2));
    if (progress === undefined) return;
    const same = progress?.state === facts.progress?.state && progress?.value === facts.progress?.value;
    if (!same) set("progress", progress);
  }

  function programStatus(payload: string): void {
    const report = parseProgramStatus(payload);
    if (report === "query") options.reply(PROGRAM_STATUS_ANSWER);
    else if (report) set("program", applyReport(facts.program, report, options.now()));
  }

  const { markNonce } = options;
  if (markNonce !== null) {
    onOsc(133, (payload) => applyMark(parseMark133(payload, markNonce)));
    onOsc(633, (payload) => applyMark(parseMark633(payload, markNonce)));
  }
  onOsc(7, (payload) => {
    const cwd = parseCwd(payload, options.hostname);
    if (cwd !== null) set("cwd", cwd);
  });
  onOsc(9, osc9);
  onOsc(52, (payload) => {
    const text = parseClipboard(payload);
    if (text !== null) options.notice({ kind: "clipboard", text });
  });
  onOsc(99, (payload) => notify(foldOsc99(notificationParts, payload)));
  onOsc(777, (payload) => notify(parseOsc777(payload)));
  onOsc(7501, programStatus);

  return {
    facts: () => facts,
    title(title) {
      set("title", parseTitle(title));
    },
    bell() {
      const nowMs = options.now();
      if (!isHeard(heardAtMs, nowMs)) return;
      heardAtMs = nowMs;
      options.notice({ kind: "bell" });
    },
    reset() {
      if (facts.program.length > 0) set("program", []);
      set("progress", null);
    },
  };
}
