// The files and the git state of live terminals' directories.
import { isAbsolute, join } from "node:path";
import type { PadiContract } from "@kolu/contract/padi.ts";
import { refuse } from "@kolu/contract/refusals.ts";
import type { Handlers } from "@kolu/contract/rpc.ts";
import { readBranchChanges, readLocalChanges } from "../git/changes.ts";
import { readDiff } from "../git/diff.ts";
import { isInside, openProject, outside, type Project, resolveInside } from "../project/boundary.ts";
import { listDirectory, listFiles, readProjectBytes, readProjectFile } from "../project/files.ts";
import { locateFiles } from "../project/locate.ts";
import { watchProject } from "../project/watch.ts";
import type { TerminalStore } from "../terminals/store.ts";

type ProjectHandlers = Pick<
  Handlers<PadiContract>,
  | "git.status"
  | "git.diff"
  | "fs.list"
  | "fs.readFile"
  | "fs.readBytes"
  | "fs.listDirectory"
  | "fs.locate"
  | "project.watch"
>;

export interface ProjectWorld {
  store: TerminalStore;
  /** Calls after each look at the worktree with this root; returns how to stop. */
  onGitLook(root: string, looked: () => void): () => void;
}

export function projectHandlers({ store, onGitLook }: ProjectWorld): ProjectHandlers {
  const opened = (path: string, signal: AbortSignal): Promise<Project> =>
    openProject(path, store.all(), signal);
  return {
    async "git.status"({ repoPath, mode }, { signal }) {
      const root = rootOf(await opened(repoPath, signal), repoPath);
      return mode === "local" ? readLocalChanges(root, signal) : readBranchChanges(root, signal);
    },
    async "git.diff"({ repoPath, filePath, mode, oldPath }, { signal }) {
      const project = await opened(repoPath, signal);
      const root = rootOf(project, repoPath);
      for (const path of oldPath === undefined ? [filePath] : [filePath, oldPath])
        await requireInside({ ...project, directory: root }, path);
      return readDiff({ root, filePath, oldPath: oldPath ?? null, mode }, signal);
    },
    async "fs.list"({ repoPath }, { signal }) {
      return listFiles(await opened(repoPath, signal), signal);
    },
    "fs.locate": async ({ id, paths }) => ({ found: await locateFiles(store.require(id), paths) }),
    async "fs.readFile"({ repoPath, filePath }, { signal }) {
      return readProjectFile(await opened(repoPath, signal), filePath);
    },
    async "fs.readBytes"({ repoPath, filePath }, { signal }) {
      return { base64: await readProjectBytes(await opened(repoPath, signal), filePath) };
    },
    async "fs.listDirectory"({ repoPath, directoryPath }, { signal }) {
      return listDirectory(await opened(repoPath, signal), directoryPath);
    },
    async *"project.watch"({ repoPath, filePath }, { signal }) {
      yield* watchProject(await opened(repoPath, signal), { filePath: filePath ?? null, onGitLook, signal });
    },
  };
}

function rootOf({ repositoryRoot, boundary }: Project, path: string): string {
  if (repositoryRoot === null) throw refuse("not-a-repo", { path }, `${path} is in no git repository.`);
  // A terminal's directory inside a repository is that repository's; one around it is not asked for by this path.
  if (!isInside(repositoryRoot, boundary)) throw outside(path);
  return repositoryRoot;
}

/** A deleted file is no file any more, and its difference can be read all the same. */
async function requireInside(project: Project, path: string): Promise<void> {
  if (isAbsolute(path) || !isInside(join(project.directory, path), project.directory)) throw outside(path);
  await resolveInside(project, path).catch((error: { kind?: string }) => {
    if (error.kind !== "file-gone") throw error;
  });
}
