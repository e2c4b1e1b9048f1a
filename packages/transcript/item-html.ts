// One item of a conversation -> its HTML. Pure.
import type { TranscriptEdit, TranscriptItem } from "@kolu/contract/transcript.ts";
import { type EditLine, editLines } from "./edits.ts";
import { renderMarkdown, renderPlain } from "./markdown.ts";
import { countOf, cutMiddle, escapeText, firstLine, groupDigits, plainOutput } from "./text.ts";

export type ToolItem = Extract<TranscriptItem, { kind: "tool" }>;

/** Input or output of one call beyond this is cut in its middle: pages of megabytes open in no browser. */
const CALL_MAX_CHARS = 100_000;
/** What a folded row says of itself. */
const ABOUT_MAX_CHARS = 160;
/** A note longer than a line or two, such as a summary, is folded. */
const NOTE_MAX_CHARS = 240;

/** What was typed, as it was typed: a person's text is no Markdown until somebody says so. */
export function userText(text: string): string {
  return renderPlain(text);
}

export function answerText(text: string): string {
  return `<div class="answer">${renderMarkdown(text)}</div>`;
}

export function noteLine(text: string): string {
  const plain = plainOutput(text).trim();
  if (plain.length <= NOTE_MAX_CHARS && !plain.includes("\n"))
    return `<p class="note" dir="auto">${escapeText(plain)}</p>`;
  return fold({
    className: "note-fold",
    summary: row("Note", firstLine(plain, ABOUT_MAX_CHARS)),
    body: renderPlain(plain),
  });
}

export function reasoningFold(text: string): string {
  return fold({
    className: "reasoning",
    summary: row("Reasoning", firstLine(text, ABOUT_MAX_CHARS)),
    body: `<div class="answer">${renderMarkdown(text)}</div>`,
  });
}

/** @param cwd paths below it are shown without it */
export function toolFold(item: ToolItem, cwd: string | null): string {
  const { name, input, output, failed, edits } = item;
  const about =
    edits.length > 0 ? aboutEdits(edits, cwd) : escapeText(firstLine(aboutInput(input), ABOUT_MAX_CHARS));
  const flag = failed ? '<span class="flag">failed</span>' : "";
  return fold({
    className: failed ? "tool failed" : "tool",
    summary: `<span class="row-name">${escapeText(name)}</span><span class="row-about" dir="auto">${about}</span>${flag}`,
    body: [
      // The edits are the input, read better.
      edits.length > 0 ? edits.map((edit) => editBlock(edit, cwd)).join("") : labelled("Input", input),
      output === null
        ? '<p class="note">No result was recorded.</p>'
        : labelled("Output", plainOutput(output)),
    ].join(""),
  });
}

/** The first text among the arguments says best what a call is about: agents put the path, the pattern, the query first. */
function aboutInput(input: string): string {
  if (!input.trimStart().startsWith("{")) return input;
  try {
    const values = Object.values(JSON.parse(input) as Record<string, unknown>);
    return values.find((value) => typeof value === "string") ?? "";
  } catch {
    return input; // A command that begins with a brace.
  }
}

function aboutEdits(edits: readonly TranscriptEdit[], cwd: string | null): string {
  const paths = [...new Set(edits.map(({ path }) => below(cwd, path)))];
  const counts = edits.map(editLines);
  const sum = (which: "added" | "removed"): number => counts.reduce((total, one) => total + one[which], 0);
  const more = paths.length > 1 ? ` and ${countOf(paths.length - 1, "more file")}` : "";
  return `${escapeText(firstLine(paths[0]!, ABOUT_MAX_CHARS))}${more} ${changeCounts(sum("added"), sum("removed"))}`;
}

function changeCounts(added: number, removed: number): string {
  const counts = [
    ...(added > 0 ? [`<span class="added-count">+${groupDigits(added)}</span>`] : []),
    ...(removed > 0 ? [`<span class="removed-count">−${groupDigits(removed)}</span>`] : []),
  ];
  return counts.join(" ");
}

function editBlock(edit: TranscriptEdit, cwd: string | null): string {
  const { lines, added, removed, leftOut } = editLines(edit);
  const label = edit.before === null ? "written whole" : "changed";
  const rest = leftOut === 0 ? "" : `<p class="note">${countOf(leftOut, "more line")} left out.</p>`;
  return [
    `<figure class="edit"><figcaption><span class="path">${escapeText(below(cwd, edit.path))}</span> `,
    `<span class="edit-kind">${label}</span> ${changeCounts(added, removed)}</figcaption>`,
    `<div class="lines" dir="ltr">${lines.map(editLine).join("")}</div>${rest}</figure>`,
  ].join("");
}

/** The sign is text, not decoration: who cannot see the colour, or copies the lines, still has it. */
const SIGNS: Readonly<Record<EditLine["kind"], string>> = { kept: " ", added: "+", removed: "−", gap: "⋯" };

function editLine({ kind, text }: EditLine): string {
  return `<div class="${kind}"><span class="sign">${SIGNS[kind]}</span>${escapeText(cutMiddle(text, CALL_MAX_CHARS))}\n</div>`;
}

function labelled(label: string, text: string): string {
  const shown = text.trim() === "" ? "(empty)" : cutMiddle(text.replace(/\n+$/, ""), CALL_MAX_CHARS);
  return `<div class="labelled"><span class="label">${label}</span><pre dir="ltr">${escapeText(shown)}</pre></div>`;
}

function row(name: string, about: string): string {
  return `<span class="row-name">${name}</span><span class="row-about" dir="auto">${escapeText(about)}</span>`;
}

function fold({ className, summary, body }: { className: string; summary: string; body: string }): string {
  return `<details class="fold ${className}"><summary>${summary}</summary><div class="fold-body">${body}</div></details>`;
}

function below(cwd: string | null, path: string): string {
  return cwd !== null && cwd !== "/" && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
}
