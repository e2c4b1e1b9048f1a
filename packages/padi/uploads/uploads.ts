// Files that pages hand over, under <state root>/uploads: a directory and files that only their owner reads, names of
// ours, bounded in size and number. What arrived stays for two weeks, for the conversation that names it.
import { randomBytes, randomUUID } from "node:crypto";
import { chmod, type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { UPLOAD_MAX_BYTES } from "@kolu/contract/limits.ts";
import { refuse } from "@kolu/contract/refusals.ts";
import { createTimers } from "../timers.ts";
import { uploadFileName } from "./file-name.ts";

export interface Uploads {
  /** Refuses with `too-large` and `uploads-full`. */
  begin(file: { name: string; sizeBytes: number }): Promise<string>;
  /** The next piece; with the last one the path. Refuses with `upload-not-found` what was given up or overtaken. */
  piece(piece: {
    uploadId: string;
    offset: number;
    bytes: Uint8Array;
  }): Promise<{ receivedBytes: number; path: string | null }>;
  abandon(uploadId: string): Promise<void>;
  close(): Promise<void>;
}

/** At once; one more is refused. A dropped folder of files comes one after another. */
const UPLOADS_MAX = 16;
/** A page that went away in the middle leaves nothing behind. */
const IDLE_MS = 60_000;
const KEPT_MS = 14 * 24 * 60 * 60 * 1_000;
const SWEEP_EVERY_MS = 24 * 60 * 60 * 1_000;
const UNFINISHED = ".part";

interface Upload {
  name: string;
  path: string;
  sizeBytes: number;
  receivedBytes: number;
  file: FileHandle;
  writing: boolean;
}

export function openUploads(options: {
  stateRoot: string;
  onFault(message: string, cause: unknown): void;
}): Uploads {
  const directory = join(options.stateRoot, "uploads");
  const uploads = new Map<string, Upload>();
  let beginning = 0;
  const timers = createTimers();
  const sweepSoon = (): void => {
    sweep(directory, Date.now()).catch((cause: unknown) =>
      options.onFault("old uploads could not be removed", cause),
    );
  };
  sweepSoon();
  const sweeps = setInterval(sweepSoon, SWEEP_EVERY_MS).unref();

  async function discard(uploadId: string): Promise<void> {
    const upload = uploads.get(uploadId);
    if (upload === undefined) return;
    forget(uploadId);
    await upload.file.close();
    await rm(upload.path + UNFINISHED, { force: true });
  }

  function forget(uploadId: string): void {
    uploads.delete(uploadId);
    timers.clear(uploadId);
  }

  function waitForMore(uploadId: string): void {
    timers.start(uploadId, IDLE_MS, () => {
      discard(uploadId).catch((cause: unknown) => options.onFault("an upload could not be dropped", cause));
    });
  }

  async function create(name: string): Promise<Pick<Upload, "path" | "file">> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await chmod(directory, 0o700);
    const day = new Date().toISOString().slice(0, 10);
    const path = join(directory, uploadFileName(name, { day, token: randomBytes(4).toString("hex") }));
    return { path, file: await open(path + UNFINISHED, "wx", 0o600) };
  }

  async function finish(uploadId: string, { file, path }: Upload): Promise<string> {
    forget(uploadId);
    await file.close();
    await rename(path + UNFINISHED, path);
    return path;
  }

  return {
    async begin({ name, sizeBytes }) {
      if (sizeBytes > UPLOAD_MAX_BYTES)
        throw refuse(
          "too-large",
          { path: name, limitBytes: UPLOAD_MAX_BYTES },
          `${name} is too large: at most ${UPLOAD_MAX_BYTES / 1024 / 1024} MiB can be handed to a terminal.`,
        );
      if (uploads.size + beginning >= UPLOADS_MAX)
        throw refuse(
          "uploads-full",
          { limit: UPLOADS_MAX },
          `${UPLOADS_MAX} files are on their way already. Wait until some have arrived.`,
        );
      beginning += 1;
      try {
        const uploadId = randomUUID();
        uploads.set(uploadId, { name, sizeBytes, receivedBytes: 0, writing: false, ...(await create(name)) });
        waitForMore(uploadId);
        return uploadId;
      } finally {
        beginning -= 1;
      }
    },
    async piece({ uploadId, offset, bytes }) {
      const upload = uploads.get(uploadId);
      if (upload === undefined || upload.writing || offset !== upload.receivedBytes) throw lost(uploadId);
      if (offset + bytes.length > upload.sizeBytes) {
        await discard(uploadId);
        throw lost(uploadId);
      }
      upload.writing = true;
      waitForMore(uploadId);
      try {
        await upload.file.write(bytes, 0, bytes.length, offset);
      } catch (cause) {
        await discard(uploadId);
        throw new Error(`${upload.name} could not be written`, { cause });
      }
      upload.writing = false;
      upload.receivedBytes += bytes.length;
      const { receivedBytes, sizeBytes } = upload;
      const whole = receivedBytes === sizeBytes && uploads.has(uploadId);
      return { receivedBytes, path: whole ? await finish(uploadId, upload) : null };
    },
    abandon: discard,
    async close() {
      clearInterval(sweeps);
      await Promise.all([...uploads.keys()].map(discard));
    },
  };
}

function lost(uploadId: string): Error {
  return refuse("upload-not-found", { uploadId }, "That upload was given up. Hand the file over once more.");
}

/** Removes what is old, and what a padi that was killed left unfinished. */
async function sweep(directory: string, nowMs: number): Promise<void> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  for (const name of names) {
    const path = join(directory, name);
    const { mtimeMs } = await stat(path);
    if (nowMs - mtimeMs > (name.endsWith(UNFINISHED) ? IDLE_MS : KEPT_MS)) await rm(path, { force: true });
  }
}
