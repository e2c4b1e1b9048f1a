// Oh My Pi's rendered screen: its dialogs, and the bar of its composer. Both stand at the very bottom, so whatever an answer
// prints above is prose. Screens of 18.2.3, the presets "unicode" and "ascii". Pure.
import type { ScreenFinding } from "@kolu/anyagent/plugin.ts";

/** A dialog's upper edge has exactly one dash after its corner; the card of a tool call, `╭─── Ask 1 questions ──`, three. */
const DIALOG_TOP = /^(?:╭─|\+-) (Allow tool: .*?|Ask|Pasted \d+ lines) (?:─+╮|-+\+)$/;
/** The review of a plan, and the picker of a session: their last lines. */
const PLAN_TITLE = "Plan mode - next step";
const PLAN_FOOTER = /^↑↓ select · ⏎ confirm · /;
const PICKER_FOOTER = /^\[Del\/⌫ delete · Enter select · .*Esc cancel\]$/;
const BOX_BOTTOM = /^(?:╰─+╯|\+-+\+)$/;
const BOX_LINE = /^(?:│.*│|├─+┤|\|.*\||\+-+\+)$/;
/** The composer: a bar, then one or more lines that begin as the last one does. */
const COMPOSER_EDGE = /^(?:╰─|\+-)(?:\s|$)/;
const IDLE_BAR = /^(?:π|\S) > /;
const WORKING_BAR = /^([⠀-⣿]|[|/\\-]) (\d+[hms] ?)+ > /;
/** At the bar's end, while sub-agents run: how many. */
const SUB_AGENTS = /👥 (\d+)/;
/** The list of them above the bar: `└─ • LookAround: Rename the button`. */
const SUB_AGENT_LINE = /^[├└]─ \S (\S.*?):/;
/** A composer grows with what is typed, up to this. */
const COMPOSER_MAX_LINES = 40;

export function readOmpScreen(text: string): ScreenFinding | null {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return readDialog(lines) ?? readBar(lines);
}

/** It asks what to do with a paste of very many lines: attach it, save it, or, at Esc, leave it as it is. */
export function keyForOmpPaste(screen: string, text: string): string | null {
  const asked = readOmpScreen(screen)?.awaiting?.message ?? null;
  return asked === `Pasted ${text.split("\n").length} lines` ? "Escape" : null;
}

function readDialog(lines: readonly string[]): ScreenFinding | null {
  if (!BOX_BOTTOM.test(lines.at(-1) ?? "")) return null;
  const inside: string[] = [];
  for (let at = lines.length - 2; at >= 0; at -= 1) {
    const title = DIALOG_TOP.exec(lines[at]!)?.[1];
    if (title !== undefined) return dialog(title, inside);
    if (!BOX_LINE.test(lines[at]!)) break;
    const words = lines[at]!.slice(1, -1).trim();
    if (words !== "") inside.unshift(words);
  }
  return readOverlay(inside);
}

/** Overlays take the whole screen, so they are told by what stands at their end. */
function readOverlay(inside: readonly string[]): ScreenFinding | null {
  const footer = inside.at(-1) ?? "";
  if (PLAN_FOOTER.test(footer) && inside.includes(PLAN_TITLE)) {
    return { name: "plan review", state: "awaiting", awaiting: { kind: "plan", message: null } };
  }
  if (!PICKER_FOOTER.test(footer)) return null;
  return { name: "session picker", state: "awaiting", awaiting: { kind: "dialog", message: null } };
}

function dialog(title: string, inside: readonly string[]): ScreenFinding {
  const question = inside.find((words) => !/^[─-]+$/.test(words)) ?? null;
  if (title === "Ask") {
    return { name: "question dialog", state: "awaiting", awaiting: { kind: "question", message: question } };
  }
  // A long paste: attach it, save it, or leave it inline?
  if (title.startsWith("Pasted ")) {
    return { name: "paste dialog", state: "awaiting", awaiting: { kind: "dialog", message: title } };
  }
  const tool = title.slice("Allow tool: ".length);
  const message = question === null ? tool : `${tool}: ${question.replace(/^Command: /, "")}`;
  return { name: "approval dialog", state: "awaiting", awaiting: { kind: "permission", message } };
}

function readBar(lines: readonly string[]): ScreenFinding | null {
  if (!COMPOSER_EDGE.test(lines.at(-1) ?? "")) return null;
  const top = Math.max(0, lines.length - 1 - COMPOSER_MAX_LINES);
  for (let at = lines.length - 2; at >= top; at -= 1) {
    if (WORKING_BAR.test(lines[at]!)) return readWork(lines.slice(0, at), lines[at]!);
    if (IDLE_BAR.test(lines[at]!)) return { name: "idle bar", state: "waiting", awaiting: null };
  }
  return null;
}

/** The bar goes on while sub-agents work, whether the turn has ended or not. */
function readWork(above: readonly string[], bar: string): ScreenFinding {
  const count = Number(SUB_AGENTS.exec(bar)?.[1] ?? 0);
  if (count === 0) return { name: "working bar", state: "thinking", awaiting: null };
  const list = above.slice(above.lastIndexOf("Subagents") + 1);
  const names = list.flatMap((line) => SUB_AGENT_LINE.exec(line)?.[1] ?? []);
  const agents = Array.from({ length: count }, (_, at) => ({ name: names[at] ?? "sub-agent" }));
  const background = { workflows: [], agents, shells: 0 };
  return { name: "bar with sub-agents", state: "background", awaiting: null, background };
}
