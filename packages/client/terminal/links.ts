// Which links of a terminal's output open. Text from a PTY is not trusted: only http and https leave the page. Pure.

/** The address to open, or null when it is not one that may be opened. */
export function openableUrl(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === "http:" || url.protocol === "https:" ? url.href : null;
}
