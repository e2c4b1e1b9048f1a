// Listing and reading the files of a project.
import { constants } from "node:fs";
import { type FileHandle, open, opendir } from "node:fs/promises";
import { join } from "node:path";
import {
  DIRECTORY_MAX_ENTRIES,
  FILE_BYTES_MAX_BYTES,
  FILE_READ_MAX_BYTES,
  FS_LIST_MAX_PATHS,
} from "@kolu/contract/limits.ts";
import type { FsDirectory, FsList, FsRead } from "@kolu/contract/project.ts";
import { refuse } from "@kolu/contract/refusals.ts";
import { listRepositoryFiles } from "../git/files.ts";
import { type Project, resolveInside } from "./boundary.ts";

/** A file with a zero byte this near its beginning is no text: git judges by the same. */
const TEXT_LOOK_BYTES = 8_000;

/** Paths relative to the project's directory. */
export async function listFiles(
  { directory, repositoryRoot }: Project,
  signal: AbortSignal,
): Promise<FsList> {
  const paths =
    repositoryRoot === null ? await walk(directory, signal) : await listRepositoryFiles(directory, signal);
  return { paths: paths.slice(0, FS_LIST_MAX_PATHS), truncated: paths.length > FS_LIST_MAX_PATHS };
}

/** Outside of a repository: every file below, links not followed, one more than can be listed at most. */
async function walk(root: string, signal: AbortSignal): Promise<string[]> {
  const paths: string[] = [];
  const queue = [""];
  for (let at = queue.shift(); at !== undefined && paths.length <= FS_LIST_MAX_PATHS; at = queue.shift()) {
    signal.throwIfAborted();
    const directory = await opendir(join(root, at)).catch(unlessUnreadable);
    if (directory === null) continue;
    for await (const entry of directory) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) queue.push(path);
      else paths.push(path);
      if (paths.length > FS_LIST_MAX_PATHS) break;
    }
  }
  return paths.sort();
}

/** A directory that went away, or that we may not look into, has nothing to list. */
function unlessUnreadable(error: NodeJS.ErrnoException): null {
  if (["EACCES", "EPERM", "ENOENT", "ENOTDIR"].includes(error.code ?? "")) return null;
  throw error;
}

/** What lies directly in one directory. Throws `outside-project`, `file-gone` or `not-a-directory`. */
export async function listDirectory(project: Project, directoryPath: string): Promise<FsDirectory> {
  const path = await resolveInside(project, directoryPath);
  const opened = await opendir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOTDIR")
      throw refuse("not-a-directory", { path: directoryPath }, `${directoryPath} is no directory.`);
    return unlessUnreadable(error);
  });
  const entries: FsDirectory["entries"] = [];
  if (opened !== null)
    for await (const entry of opened) {
      if (entry.name === ".git") continue;
      entries.push({ name: entry.name, directory: entry.isDirectory() });
      if (entries.length > DIRECTORY_MAX_ENTRIES) break;
    }
  entries.sort((a, b) => Number(b.directory) - Number(a.directory) || (a.name < b.name ? -1 : 1));
  return {
    entries: entries.slice(0, DIRECTORY_MAX_ENTRIES),
    truncated: entries.length > DIRECTORY_MAX_ENTRIES,
  };
}

/** A whole file in base64. Throws `outside-project`, `file-gone`, `not-a-file` or `too-large`. */
export async function readProjectBytes(project: Project, filePath: string): Promise<string> {
  await using file = await openFile(project, filePath);
  const bytes = await readUpTo(file, FILE_BYTES_MAX_BYTES + 1);
  if (bytes.length > FILE_BYTES_MAX_BYTES)
    throw refuse(
      "too-large",
      { path: filePath, limitBytes: FILE_BYTES_MAX_BYTES },
      `${filePath} is larger than ${FILE_BYTES_MAX_BYTES / 1024 / 1024} MiB.`,
    );
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** Throws `outside-project`, `file-gone` or `not-a-file`. */
async function openFile(project: Project, filePath: string): Promise<FileHandle> {
  const path = await resolveInside(project, filePath);
  // Non-blocking: a FIFO without a writer would hold the open up for ever.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error) => {
    throw cannotRead(filePath, error as NodeJS.ErrnoException);
  });
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw notAFile(filePath, "is no file");
}

/** Throws `outside-project`, `file-gone` or `not-a-file`. */
export async function readProjectFile(project: Project, filePath: string): Promise<FsRead> {
  await using file = await openFile(project, filePath);
  const bytes = await readUpTo(file, FILE_READ_MAX_BYTES + 1);
  const truncated = bytes.length > FILE_READ_MAX_BYTES;
  const binary = bytes.subarray(0, TEXT_LOOK_BYTES).includes(0);
  // What is cut is cut between characters: a streaming decoder keeps the rest of the last one to itself.
  const decoder = new TextDecoder();
  const content = binary ? "" : decoder.decode(bytes.subarray(0, FILE_READ_MAX_BYTES), { stream: truncated });
  return { content, truncated, binary };
}

async function readUpTo(file: FileHandle, limitBytes: number): Promise<Uint8Array> {
  const { size } = await file.stat();
  // Not more than there is, with room for what is appended meanwhile; what says nothing of its size (/proc) gets all.
  const buffer = Buffer.alloc(size > 0 ? Math.min(limitBytes, size + 4096) : limitBytes);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

function cannotRead(filePath: string, cause: NodeJS.ErrnoException): Error {
  if (cause.code === "ENOENT")
    return refuse("file-gone", { path: filePath }, `${filePath} is not there (any more).`);
  if (cause.code === "EACCES" || cause.code === "EPERM") return notAFile(filePath, "may not be read");
  if (cause.code === "ENXIO" || cause.code === "EISDIR") return notAFile(filePath, "is no file");
  return new Error(`${filePath} could not be read.`, { cause });
}

function notAFile(path: string, why: string): Error {
  return refuse("not-a-file", { path }, `${path} ${why}.`);
}
