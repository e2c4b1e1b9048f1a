// A transcript -> one HTML file that needs nothing else: no script, no picture, no font, no request. Pure.
import type { Transcript } from "@kolu/contract/transcript.ts";
import { conversationHtml, type TranscriptMode } from "./conversation-html.ts";
import { STYLE } from "./style.ts";
import { countOf, escapeAttribute, escapeText, firstLine, groupDigits } from "./text.ts";
import { type Clock, clockIn, timeElement } from "./times.ts";

export type { TranscriptMode } from "./conversation-html.ts";

export interface PageOptions {
  mode: TranscriptMode;
  /** What people call the agent. */
  agentName: string;
  exportedAtMs: number;
  /** IANA name of the time zone that times are shown in. */
  timeZone: string;
}

/** A transcript as padi hands it over. */
export type ExportedTranscript = Transcript & { shortenedTexts?: number };

/**
 * A second wall behind escaping: whatever slipped through could load nothing, run nothing, send nothing. `unsafe-inline`
 * is for the one style element below.
 */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
const TITLE_MAX_CHARS = 200;

export function renderPage(transcript: ExportedTranscript, options: PageOptions): string {
  const clock = clockIn(options.timeZone);
  const title = titleOf(transcript, options.agentName);
  const context = { mode: options.mode, agentName: options.agentName, cwd: transcript.cwd, clock };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<meta name="generator" content="kolu">
<title>${escapeAttribute(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<header class="top">
<p class="kind">${escapeText(options.agentName)}${options.mode === "chat" ? " · chat" : ""}</p>
<h1 dir="auto">${escapeText(title)}</h1>
${factsHtml(transcript, options, clock)}
</header>
<main>
${conversationHtml(transcript.items, context)}
</main>
<footer>${footerHtml(transcript, options, clock)}</footer>
</body>
</html>
`;
}

/** Its title, else the first line of its first prompt. */
export function titleOf({ title, items }: Transcript, agentName: string): string {
  const prompt = items.find((item) => item.kind === "user")?.text ?? "";
  return (
    firstLine(title ?? "", TITLE_MAX_CHARS) || firstLine(prompt, 80) || `A conversation with ${agentName}`
  );
}

// ---- what is known of the whole

/** A chat is what one shows to others: where on which machine it was had is left out of it. */
function factsHtml(transcript: Transcript, { mode }: PageOptions, clock: Clock): string {
  const { startedAtMs, model, version, cwd, sessionId } = transcript;
  const everywhere = [
    fact("Started", startedAtMs === null ? null : timeElement(startedAtMs, clock.dateAndTime(startedAtMs))),
    fact("Model", model === null ? null : escapeText(model)),
  ];
  const inFull = [
    fact("Version", version === null ? null : escapeText(version)),
    fact("Directory", cwd === null ? null : `<span class="path">${escapeText(cwd)}</span>`),
    ...usageFacts(transcript),
    fact("Session", sessionId === null ? null : `<span class="path">${escapeText(sessionId)}</span>`),
  ];
  return `<dl class="facts">${[...everywhere, ...(mode === "full" ? inFull : [])].join("")}</dl>`;
}

function usageFacts({ usage }: Transcript): string[] {
  const tokens = (label: string, count: number | null): string =>
    fact(label, count === null ? null : `<span class="count">${groupDigits(count)}</span>`);
  return [
    tokens("Tokens in", usage.input),
    tokens("Tokens out", usage.output),
    tokens("Read from cache", usage.cacheRead),
    tokens("Written to cache", usage.cacheWrite),
  ];
}

/** Nothing is said of what the agent does not record. */
function fact(label: string, html: string | null): string {
  return html === null ? "" : `<div><dt>${label}</dt><dd>${html}</dd></div>`;
}

function footerHtml(transcript: ExportedTranscript, options: PageOptions, clock: Clock): string {
  const { skippedRecords, shortenedTexts = 0 } = transcript;
  const lines = [
    `Exported from kolu on ${timeElement(options.exportedAtMs, clock.dateAndTime(options.exportedAtMs))} (${escapeText(options.timeZone)}).`,
    ...(options.mode === "chat" ? ["Reasoning, tool calls and edits are left out."] : []),
    ...(shortenedTexts > 0 ? [`${countOf(shortenedTexts, "long text")} cut to fit.`] : []),
    ...(skippedRecords > 0
      ? [
          `${countOf(skippedRecords, "record")} could not be read and ${skippedRecords === 1 ? "is" : "are"} missing.`,
        ]
      : []),
  ];
  return `<p>${lines.join(" ")}</p>`;
}
