// Paths as a person reads them. Pure.

/** With `~` for the home directory. */
export function homeRelative(path: string, home: string | null): string {
  if (home === null || home === "/") return path;
  if (path === home) return "~";
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
