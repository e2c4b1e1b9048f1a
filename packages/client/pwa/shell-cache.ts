// Which requests of the page its service worker answers. Pure. It keeps the shell alone: what the page is made of, never
// what it shows. Everything about terminals travels over sockets, which no service worker sees.

export interface Asked {
  method: string;
  url: string;
  /** Request.destination: "document" is a page in a window of its own. */
  destination: string;
}

export type Plan =
  /** The page itself: the server's, and the kept one only where there is no server to ask. */
  | "page"
  /** A file whose name changes with its content, or one of the few that came with the kept page. */
  | "file"
  /** None of the service worker's business. */
  | "pass";

/** The page, as it is kept. */
export const PAGE_PATH = "/";
const ASSETS = "/assets/";

export function planFor({ method, url, destination }: Asked, origin: string, shell: readonly string[]): Plan {
  const at = new URL(url);
  if (method !== "GET" || at.origin !== origin) return "pass";
  // Links into the page and one-time links are asked of the server alone: what a worker passes on for another site's page
  // comes with other headers than the browser's own request.
  if (destination === "document") return at.pathname === PAGE_PATH ? "page" : "pass";
  if (at.pathname.startsWith(ASSETS)) return "file";
  return at.search === "" && at.pathname !== PAGE_PATH && shell.includes(at.pathname) ? "file" : "pass";
}

/** Whether another content would have another name. */
export function isHashed(path: string): boolean {
  return path.startsWith(ASSETS);
}

const PREFIX = "kolu-shell-";

export function cacheName(version: string): string {
  return `${PREFIX}${version}`;
}

/** Caches of earlier builds. */
export function staleCaches(names: readonly string[], version: string): string[] {
  return names.filter((name) => name.startsWith(PREFIX) && name !== cacheName(version));
}
