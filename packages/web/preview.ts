// The frame in which HTML of a repository may run its scripts. The page hands it the text by postMessage, so this server never
// reads a file. Pure.
//
// Three walls: the frame's own sandbox attribute; this policy, which takes the origin away also when the path is opened
// outside of a frame, and lets nothing be loaded or sent; and the page's policy, which lets its frames show nothing but this
// path, so that a script cannot lead its frame away with what it has seen.

/** document.write keeps the policies of the document that it replaces. */
const SCRIPT = `addEventListener("message", ({ source, data }) => {
  if (source !== parent || typeof data !== "string") return;
  document.open();
  document.write(data);
  document.close();
}, { once: true });`;

export const PREVIEW_PAGE = Buffer.from(
  `<!doctype html><html><head><meta charset="utf-8"><title>Preview</title><script>${SCRIPT}</script></head><body></body></html>\n`,
);

export const PREVIEW_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": [
    "sandbox allow-scripts",
    "default-src 'none'",
    // What is previewed is made of inline scripts and styles.
    "script-src 'unsafe-inline'",
    "style-src 'unsafe-inline'",
    "img-src data: blob:",
    "font-src data:",
    "media-src data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join("; "),
  "x-frame-options": "SAMEORIGIN",
  "cache-control": "private, no-cache",
};
