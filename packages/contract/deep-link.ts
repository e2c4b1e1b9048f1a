// Links into the page: to a terminal, and to a line of a file as that terminal's directory has it. Pure.
//
//   /t/<id or a unique prefix>?host=<machine>&file=<path>&line=<n>

export interface DeepLink {
  /** As it was written: an id, or the beginning of one. */
  terminal: string;
  /** The machine whose terminal is meant; null: that of the page. */
  host: string | null;
  file: string | null;
  /** From 1 on. */
  line: number | null;
}

const PATH = /^\/t\/([0-9a-f-]{1,36})$/i;
/** Longer than any path and name together; a link comes from anywhere. */
const LINK_MAX_CHARS = 8_192;

/** The place that a path and query of the page name, or null when they name none. */
export function parseDeepLink(link: string): DeepLink | null {
  if (link.length > LINK_MAX_CHARS || !link.startsWith("/t/")) return null;
  const cut = link.indexOf("?");
  const terminal = PATH.exec(cut < 0 ? link : link.slice(0, cut))?.[1];
  if (terminal === undefined) return null;
  const query = new URLSearchParams(cut < 0 ? "" : link.slice(cut + 1));
  const line = Number(query.get("line"));
  return {
    terminal,
    host: query.get("host") || null,
    file: query.get("file") || null,
    line: Number.isSafeInteger(line) && line > 0 ? line : null,
  };
}

/** The same as text, with nothing in it but what parseDeepLink understands: fit for a header and for HTML. */
export function formatDeepLink({ terminal, host, file, line }: DeepLink): string {
  const query = new URLSearchParams();
  if (host !== null) query.set("host", host);
  if (file !== null) query.set("file", file);
  if (line !== null) query.set("line", String(line));
  const text = query.toString();
  return `/t/${terminal}${text === "" ? "" : `?${text}`}`;
}

/** What a stranger gave as a link into the page, made ours; null when it is none. */
export function ownDeepLink(link: string | null): string | null {
  const parsed = link === null ? null : parseDeepLink(link);
  return parsed && formatDeepLink(parsed);
}
