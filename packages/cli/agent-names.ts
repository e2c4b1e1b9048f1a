/** How people call an agent kind. */
export function nameAgent(kind: string): string {
  return kind === "claude-code" ? "claude" : kind;
}
