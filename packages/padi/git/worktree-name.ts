// What a worktree may be called: the name is a branch and a path below .worktrees at once. Pure.

const NAME_MAX_CHARS = 200;
/** What a file name may hold on the file systems that we meet. */
const COMPONENT_MAX_BYTES = 255;

const rules: [broken: (name: string) => boolean, reason: string][] = [
  [(name) => name === "", "it is empty"],
  [(name) => name.length > NAME_MAX_CHARS, `it is longer than ${NAME_MAX_CHARS} characters`],
  [(name) => /\s/.test(name), "it holds white space"],
  [(name) => /[\x00-\x1f\x7f]/.test(name), "it holds a control character"],
  [(name) => /[~^:?*[\\]/.test(name), "it holds one of ~ ^ : ? * [ \\, which git keeps for itself"],
  [(name) => name.includes(".."), "it holds .."],
  [(name) => name.includes("@{") || name === "@", "it holds @{, or is @ alone"],
  [(name) => name.startsWith("-"), "it begins with a dash, like an option"],
  [(name) => /^\/|\/$|\/\//.test(name), "it has an empty part between slashes"],
  [(name) => /(^|\/)\./.test(name), "a part of it begins with a dot"],
  [(name) => /\.(\/|$)/.test(name), "a part of it ends with a dot"],
  [(name) => /\.lock(\/|$)/i.test(name), "a part of it ends with .lock"],
  [(name) => name === "HEAD" || name.startsWith("refs/"), "git means something else by it"],
  [(name) => name.split("/").some(isTooLong), `a part of it is longer than ${COMPONENT_MAX_BYTES} bytes`],
];

/** Why this cannot be the name of a worktree and its branch, as the end of a sentence; null when it can. */
export function worktreeNameProblem(name: string): string | null {
  return rules.find(([broken]) => broken(name))?.[1] ?? null;
}

function isTooLong(component: string): boolean {
  return new TextEncoder().encode(component).length > COMPONENT_MAX_BYTES;
}
