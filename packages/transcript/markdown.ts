// An answer's Markdown -> HTML. marked only takes the text apart; every tag is written here, from a closed list, around
// escaped text. So markup in an answer is text, nothing is ever loaded, and what is not on the list is shown as it was
// written. Pure.
import { Lexer, type MarkedToken, type Token, type Tokens } from "marked";
import { escapeAttribute, escapeText } from "./text.ts";

/** A longer answer is shown as it was written: no person wrote it, and taking it apart takes long. */
const MARKDOWN_MAX_CHARS = 200_000;
/** Lists within lists so deep are no list of anybody's, and take the cube of their depth. */
const TOO_DEEP = /^(?:[ \t>]{100}|(?:[-*+] ){50})/m;
/** An answer's headings stand below the page's own: its title and the names of those who speak. */
const HEADING_OFFSET = 2;

export function renderMarkdown(text: string): string {
  if (text.length > MARKDOWN_MAX_CHARS || TOO_DEEP.test(text)) return renderPlain(text);
  try {
    return blocks(new Lexer({ gfm: true }).lex(text));
  } catch (error) {
    // Nesting of thousands of levels ends in a RangeError of the lexer or of ours; anything else is a bug.
    if (error instanceof RangeError) return renderPlain(text);
    throw error;
  }
}

/** Text as it was written, its lines kept. */
export function renderPlain(text: string): string {
  return `<div class="plain" dir="auto">${escapeText(text)}</div>`;
}

function blocks(tokens: readonly Token[]): string {
  return tokens.map((token) => block(token as MarkedToken)).join("");
}

function block(token: MarkedToken): string {
  switch (token.type) {
    case "space":
    case "def":
      return "";
    case "heading": {
      const level = Math.min(6, token.depth + HEADING_OFFSET);
      return `<h${level} dir="auto">${inlines(token.tokens)}</h${level}>`;
    }
    case "paragraph":
      return `<p dir="auto">${inlines(token.tokens)}</p>`;
    case "text":
      // The words of a tight list's item.
      return token.tokens ? inlines(token.tokens) : escapeText(token.text);
    case "code":
      return renderCode(token.text, token.lang ?? "");
    case "blockquote":
      return `<blockquote>${blocks(token.tokens)}</blockquote>`;
    case "list":
      return list(token);
    case "table":
      return table(token);
    case "hr":
      return "<hr>";
    default:
      return inline(token);
  }
}

/** A block of code, with the word that its fence named as language. */
export function renderCode(text: string, language: string): string {
  const name = language.trim().split(/\s/, 1)[0]!;
  const label = name === "" ? "" : `<span class="language">${escapeText(name.slice(0, 40))}</span>`;
  return `<div class="code">${label}<pre dir="ltr"><code>${escapeText(text)}</code></pre></div>`;
}

function list({ ordered, start, items }: Tokens.List): string {
  const rows = items.map(
    (item) => `<li${item.task ? ' class="task"' : ""} dir="auto">${blocks(item.tokens)}</li>`,
  );
  if (!ordered) return `<ul>${rows.join("")}</ul>`;
  const from = typeof start === "number" && start !== 1 ? ` start="${start}"` : "";
  return `<ol${from}>${rows.join("")}</ol>`;
}

function table({ header, rows }: Tokens.Table): string {
  const row = (cells: readonly Tokens.TableCell[], tag: "th" | "td"): string =>
    `<tr>${cells.map((cell) => `<${tag}${alignment(cell.align)} dir="auto">${inlines(cell.tokens)}</${tag}>`).join("")}</tr>`;
  const body = rows.map((cells) => row(cells, "td")).join("");
  return `<div class="table"><table><thead>${row(header, "th")}</thead><tbody>${body}</tbody></table></div>`;
}

function alignment(align: Tokens.TableCell["align"]): string {
  return align === "center" || align === "right" ? ` class="${align}"` : "";
}

function inlines(tokens: readonly Token[]): string {
  return tokens.map((token) => inline(token as MarkedToken)).join("");
}

function inline(token: MarkedToken): string {
  switch (token.type) {
    case "text":
      return token.tokens ? inlines(token.tokens) : escapeText(token.text);
    case "escape":
      return escapeText(token.text);
    case "strong":
    case "em":
    case "del":
      return `<${token.type}>${inlines(token.tokens)}</${token.type}>`;
    case "codespan":
      return `<code>${escapeText(token.text)}</code>`;
    case "br":
      return "<br>";
    case "checkbox":
      return token.checked ? "☑ " : "☐ ";
    case "link":
      return link(token.href, token.text, inlines(token.tokens));
    case "image":
      // Never loaded: whoever opens the file would tell the picture's server so.
      return link(token.href, token.text, `image: ${escapeText(token.text || token.href)}`);
    default:
      return escapeText(token.raw);
  }
}

/**
 * A link to the web or to an address for mail. Any other is its words, with where it would have led behind them; so has one
 * whose words are another address than its own.
 */
function link(href: string, words: string, label: string): string {
  const target = ` <span class="target">(${escapeText(href)})</span>`;
  if (!isHarmless(href)) return words === href ? label : label + target;
  const attributes = `href="${escapeAttribute(href)}" rel="noopener noreferrer nofollow" target="_blank"`;
  return `<a ${attributes}>${label}</a>${isMisleading(words, href) ? target : ""}`;
}

function isHarmless(href: string): boolean {
  return /^(https?:\/\/|mailto:)[\u0021-\uffff]+$/i.test(href);
}

function isMisleading(words: string, href: string): boolean {
  const looksLikeAddress = /^\s*(\w+:\/\/|www\.|[\w-]+(\.[\w-]+)+(\/|\s*$))/i.test(words);
  return looksLikeAddress && !href.toLowerCase().includes(words.trim().toLowerCase());
}
