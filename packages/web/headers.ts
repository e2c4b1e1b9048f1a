// Response headers that every answer carries, and the two small pages that are shown without a session. Pure.
import { createHash } from "node:crypto";
import { PREVIEW_PATH } from "@kolu/contract/web.ts";

/**
 * Nothing but our own files runs or loads. Styles may be inline because the terminal's renderer writes style elements
 * for its cell metrics; scripts never are. `ownOrigin` also names the WebSocket, which older Safari does not count as 'self'.
 */
export function pagePolicy(ownOrigin: string): string {
  return [
    "default-src 'none'",
    // WebAssembly, which decodes pictures in terminals, can be compiled; text is still never run as script.
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self' ${ownOrigin.replace(/^http/, "ws")}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    // One path alone: whatever runs in a frame can go nowhere else.
    `frame-src ${ownOrigin}${PREVIEW_PATH}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** No access for other origins is granted by anything here: there is no CORS header on purpose. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  // A one-time link must not travel on as a referrer.
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

const DOOR_STYLE = `
:root { color-scheme: dark light; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #0c0c0e; color: #e4e4e8;
  font: 15px/1.55 system-ui, sans-serif; }
main { max-width: 30rem; padding: 2rem; }
h1 { font-size: 1.15rem; font-weight: 600; margin: 0 0 .75rem; }
p { margin: 0 0 .75rem; color: #a0a0a8; }
code { font: 13px/1.5 ui-monospace, monospace; color: #e4e4e8; background: #1f1f23; padding: .15rem .4rem; border-radius: 4px; }
@media (prefers-color-scheme: light) {
  body { background: #fff; color: #1a1a1e; } p { color: #5c5c66; } code { color: #1a1a1e; background: #f4f4f6; }
}`;

const DOOR_POLICY = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(DOOR_STYLE).digest("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export interface DoorPage {
  html: string;
  policy: string;
}

/**
 * What a browser without a session sees. `again`: it was sent to this place by another site, so its SameSite=Strict cookie
 * stayed at home; a navigation of our own carries it.
 */
export function doorPage(options: { title: string; text: string; again: string | null }): DoorPage {
  const refresh =
    options.again === null
      ? ""
      : `<meta http-equiv="refresh" content="0; url=${options.again.replaceAll("&", "&amp;")}">`;
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8">${refresh}<meta name="viewport" content="width=device-width"><title>kolu</title><style>${DOOR_STYLE}</style></head><body><main><h1>${options.title}</h1><p>${options.text}</p><p>For a link, run in a shell on this machine: <code>kolu open --link</code></p></main></body></html>\n`;
  return { html, policy: DOOR_POLICY };
}
