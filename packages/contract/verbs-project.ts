// Rows that read the work of live terminals: git, files, and what was printed and said in them.
import {
  FsList,
  FsListParams,
  FsRead,
  FsReadParams,
  GitDiff,
  GitDiffParams,
  GitStatus,
  GitStatusParams,
} from "./project.ts";
import type { RefusalKind } from "./refusals.ts";
import { SearchParams, SearchResult } from "./search.ts";
import { defined, READS, verb } from "./verb.ts";

const PLACE_REFUSALS = ["outside-project", "not-a-directory", "git-failed"] as const satisfies RefusalKind[];

export const gitGetStatus = verb({
  name: "git_getStatus",
  title: "Read git status",
  description:
    "The changed files of a live terminal's repository. `local`: uncommitted work, with the branch and its upstream. `branch`: everything since the branch left origin's default branch.",
  method: "git.status",
  input: GitStatusParams,
  output: GitStatus,
  toParams: (input) => input,
  toOutput: (status) => status,
  refusals: [...PLACE_REFUSALS, "not-a-repo", "base-branch-not-found", "too-large"],
  annotations: READS,
});

export const gitGetDiff = verb({
  name: "git_getDiff",
  title: "Read a file's git diff",
  description:
    "The unified diff of one file, as `git_getStatus` with the same mode lists it. `hunks` is empty when there is no difference.",
  method: "git.diff",
  input: GitDiffParams,
  output: GitDiff,
  toParams: (input) => defined(input),
  toOutput: (diff) => diff,
  refusals: [...PLACE_REFUSALS, "not-a-repo", "base-branch-not-found", "too-large"],
  annotations: READS,
});

export const fsListAll = verb({
  name: "fs_listAll",
  title: "List a project's files",
  description:
    "Every file of a live terminal's project: in a repository what git tracks and what it does not ignore.",
  method: "fs.list",
  input: FsListParams,
  output: FsList,
  toParams: (input) => input,
  toOutput: (list) => list,
  refusals: PLACE_REFUSALS,
  annotations: READS,
});

export const fsReadFile = verb({
  name: "fs_readFile",
  title: "Read a project's file",
  description:
    "The text of one file in a live terminal's project, up to 1 MiB (`truncated` says when there is more). Links that lead out of the project are refused.",
  method: "fs.readFile",
  input: FsReadParams,
  output: FsRead,
  toParams: (input) => input,
  toOutput: (file) => file,
  refusals: [...PLACE_REFUSALS, "not-a-file", "file-gone"],
  annotations: READS,
});

export const searchText = verb({
  name: "search_text",
  title: "Search all terminals",
  description:
    "Finds plain text on the screens, in the scrollback and in the agents' conversations of all terminals: the most recently active terminal first; in each the newest line first, then the newest item of its conversation (read around it with transcript_read). `unread` names what could not be searched, and why. For one terminal give its id.",
  method: "search.text",
  input: SearchParams.omit({ transcripts: true }),
  output: SearchResult,
  toParams: (input) => ({ ...defined(input), transcripts: true }),
  toOutput: (result) => result,
  refusals: ["terminal-not-found", "terminal-gone", "kaval-unreachable"],
  annotations: READS,
});
