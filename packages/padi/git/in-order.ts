// One change of a repository's worktrees after another. git reads the others' registrations while it adds one, and fails on
// one that is half written ("failed to read worktrees/x/commondir": 5 of 12 times with eight at once, git 2.39).

const last = new Map<string, Promise<unknown>>();

/** Runs `change` when all earlier ones of this repository have ended, however they did. */
export function inOrder<T>(commonDir: string, change: () => Promise<T>): Promise<T> {
  const before = last.get(commonDir) ?? Promise.resolve();
  const mine = before.then(change, change);
  const done = mine
    .catch(() => {})
    .finally(() => {
      if (last.get(commonDir) === done) last.delete(commonDir);
    });
  last.set(commonDir, done);
  return mine;
}
